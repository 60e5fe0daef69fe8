// SPDX-License-Identifier: Apache-2.0
//
// How long to wait before the next try: 0.2 s doubling to 5 s, each spread over its upper half, so
// that a school's forty phones do not all come back in the same instant.
export const BACKOFF_FIRST_MS = 200;
export const BACKOFF_MOST_MS = 5000;

// `attempt` counts failures since the last success, from 0. `random` is in [0, 1).
export function backoffMs(attempt: number, random: number): number {
    const full = Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(attempt, 10));
    return Math.max(BACKOFF_FIRST_MS, Math.round(full / 2 + (full / 2) * random));
}
