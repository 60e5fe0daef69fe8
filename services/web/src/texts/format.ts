// SPDX-License-Identifier: Apache-2.0
//
// Filling a catalogue's sentence. `{x}` is the value, `{x:이}` the value with the particle that fits it,
// `{x|tile|tiles}` one or many by the number (the number itself is not written). What people chose
// themselves (names) is isolated, so that no direction mark in it can turn the sentence around.
import { particle } from './particles';

export interface Name {
    name: string;
}
export type Param = string | number | Name;
export type Params = Record<string, Param>;
export type Part = { text: string; isName: boolean };

const SLOT = /\{(\w+)(?::([^}|]+))?(?:\|([^}|]*)\|([^}|]*))?\}/g;
const ISOLATE = '\u2068';
const POP = '\u2069';

export function parts(sentence: string, params: Params): Part[] {
    const out: Part[] = [];
    let at = 0;
    for (const match of sentence.matchAll(SLOT)) {
        const [slot, key = '', josa, one, many] = match;
        out.push({ text: sentence.slice(at, match.index), isName: false });
        at = match.index + slot.length;
        const value = params[key];
        if (value === undefined) {
            continue;
        }
        const text = typeof value === 'object' ? value.name : String(value);
        if (one !== undefined && many !== undefined) {
            out.push({ text: value === 1 ? one : many, isName: false });
            continue;
        }
        out.push({ text, isName: typeof value === 'object' });
        if (josa !== undefined) {
            out.push({ text: particle(text, josa), isName: false });
        }
    }
    out.push({ text: sentence.slice(at), isName: false });
    return out.filter((p) => p.text !== '');
}

export function plain(sentence: string, params: Params): string {
    return parts(sentence, params)
        .map((p) => (p.isName ? ISOLATE + p.text + POP : p.text))
        .join('');
}
