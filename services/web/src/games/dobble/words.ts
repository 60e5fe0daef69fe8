// SPDX-License-Identifier: Apache-2.0
import type { Refusal } from '../../gen/client_pb';
import { DobbleReason } from '../../gen/dobble_pb';
import { t, tData } from '../../texts/index.svelte';

// Tenths are what a wait of a second is felt in.
export function secondsOf(ms: number): string {
    return (Math.ceil(ms / 100) / 10).toFixed(1);
}

export function sayDobbleRefusal(why: Refusal): string {
    const name = DobbleReason[why.code] ?? 'UNSPECIFIED';
    return tData(`db.reason.${name}`, t('db.reason.UNSPECIFIED'), { seconds: secondsOf(why.params[0] ?? 0) });
}
