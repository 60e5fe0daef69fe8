/* SPDX-License-Identifier: Apache-2.0
 *
 * The operator's part of requests and replies, for control.c alone.
 */
#ifndef WIRE_OPERATE_H
#define WIRE_OPERATE_H

#include "wire/pb.h"

void order_put(const struct order *from, PB(Order) * to);
/* from NULL: none. False: an id or a proof of another length. */
bool order_take(const PB(Order) * from, struct order *to);

void operate_put(const struct reply *from, struct arena *arena, PB(Reply) * to);
/* The count of lines was held against its bound. */
enum status operate_take(const PB(Reply) * from, struct arena *arena, struct reply *to);

#endif
