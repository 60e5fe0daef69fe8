/* SPDX-License-Identifier: Apache-2.0
 *
 * What checkers remember of bytes instead of keeping them. Nobody here looks for two that are
 * alike, so it need not be a cryptographic hash, and a run computes millions of them.
 */
#ifndef SIM_DIGEST_H
#define SIM_DIGEST_H

#include "base/types.h"

struct id128 digest(struct slice bytes);

#endif
