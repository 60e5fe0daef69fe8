// SPDX-License-Identifier: Apache-2.0
//
// Colours, faces and refusals of this game as words.
import { Color, DavinciReason, Face } from '../../gen/davinci_pb';
import type { Refusal } from '../../gen/client_pb';
import { t, tData } from '../../texts/index.svelte';

export function colorWord(color: Color): string {
    return t(color === Color.BLACK ? 'dv.black' : 'dv.white');
}

export function colorShort(color: Color): string {
    return t(color === Color.BLACK ? 'dv.black.short' : 'dv.white.short');
}

export function faceWord(face: Face): string {
    return face === Face.JOKER ? t('dv.joker') : String(face - Face.N0);
}

export function sayDavinciRefusal(why: Refusal): string {
    const params = Object.fromEntries(why.params.map((p, i) => [`p${i}`, p]));
    const color = colorWord(why.params[0] ?? Color.BLACK);
    const name = DavinciReason[why.code] ?? 'UNSPECIFIED';
    return tData(`dv.reason.${name}`, t('dv.reason.UNSPECIFIED'), { ...params, color });
}
