/* SPDX-License-Identifier: Apache-2.0
 *
 * One person in ten stops reading: a phone in a pocket, a laptop that was closed. The others notice
 * nothing, and who comes back goes on in the same seat.
 */
#include "drill/drill.h"

enum { DEAF_MS = 20 * 1000, BRIEF_MS = 4000 };

static bool stop_reading(struct drill_yard *yard)
{
    crowd_mark(yard->crowd);
    crowd_deaf(yard->crowd, true);
    crowd_play(yard->crowd, yard->brief ? BRIEF_MS : DEAF_MS);
    crowd_deaf(yard->crowd, false);
    return true;
}

const struct drill deaf_drill = {
    .name = "deaf-clients",
    .fault = "clients that stop reading",
    .figure = DRILL_WAITING,
    .times = 5,
    .inject = stop_reading,
};
