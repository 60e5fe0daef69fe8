/* SPDX-License-Identifier: Apache-2.0
 *
 * Any protobuf message that we have the description of, as people read it and as JSON. For people
 * what is zero or empty is left out, as it is on the wire. Pure.
 */
#ifndef CTL_MESSAGE_H
#define CTL_MESSAGE_H

#include "ctl/text.h"

/* descriptor: a ProtobufCMessageDescriptor; NULL, or bytes that are none of it: hexadecimal. */
void message_text(struct buf *out, int indent, const void *descriptor, struct slice bytes);
void message_json(struct json *json, const char *key, const void *descriptor, struct slice bytes);
/* On one line, for lists of many. */
void message_line(struct buf *out, const void *descriptor, struct slice bytes);

#endif
