/* SPDX-License-Identifier: Apache-2.0
 *
 * Arbitrary bytes as actions, among legal moves, clocks and people who come and go: for every game
 * of the registry a refusal changes nothing, the state stays sound and can always be looked at.
 */
#include "fuzz/playing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { STEPS_MAX = 200 };
    struct reader choices;
    struct playing playing;
    reader_init(&choices, slice_of(data, size));
    playing_open(&playing, &choices);
    for (int step = 0; step < STEPS_MAX && choices.at < choices.end && !choices.bad; step++)
        playing_step(&playing, &choices);
    playing_close(&playing);
    return 0;
}
