/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

const char *status_text(enum status status)
{
    switch (status) {
#define X(code, class, text) \
    case code: return text;
        STATUS_LIST(X)
#undef X
    }
    return "an unknown status";
}
