/* SPDX-License-Identifier: Apache-2.0
 *
 * Above all the proof that reason.h and client.proto name the same numbers.
 */
#include "wire/reason.h"

#include "client.pb-c.h"

#include <stdbool.h>

#define X(name, number) _Static_assert(MADANG__V1__REASON__REASON_##name == (number), #name);
REASON_LIST(X)
#undef X
#define X(name, number) _Static_assert((number) > 0 && (number) < REASON_COUNT, #name);
REASON_LIST(X)
#undef X
#define X(name, number) \
    _Static_assert(MADANG__V1__NAME_FAULT__NAME_FAULT_##name == (number), #name);
NAME_FAULT_LIST(X)
#undef X

enum reason refusal_reason(const char *domain, uint32_t code)
{
    bool ours = domain == NULL || domain[0] == '\0';
    return ours && code < REASON_COUNT ? (enum reason)code : REASON_NONE;
}
