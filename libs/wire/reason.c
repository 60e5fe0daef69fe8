/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing but the proof that reason.h and client.proto name the same numbers.
 */
#include "wire/reason.h"

#include "client.pb-c.h"

#define X(name, number) _Static_assert(MADANG__V1__REASON__REASON_##name == (number), #name);
REASON_LIST(X)
#undef X
#define X(name, number) \
    _Static_assert(MADANG__V1__NAME_FAULT__NAME_FAULT_##name == (number), #name);
NAME_FAULT_LIST(X)
#undef X
