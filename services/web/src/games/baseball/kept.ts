// SPDX-License-Identifier: Apache-2.0
//
// What this device keeps of a running game: the memo and the half-typed guess, by room and game. Anybody can
// edit a browser's storage, and formats change: what is read back is checked, and what does not fit is as if
// it had never been written. One entry of the storage holds the last few games, newest first.
import { local, recall, remember } from '../../store/memory';
import { isHalfTyped } from './model';

export const DIGITS = 10;
export const KEPT_MAX = 8;
const ENTRY = 'madang.number-baseball';

export enum Note {
    UNKNOWN = 0,
    EXCLUDED = 1,
    CONFIRMED = 2,
}
export type Memo = Note[]; // by digit

export interface Kept {
    memo: Memo;
    typed: string;
}
type Entry = [key: string, memo: string, typed: string];

export function freshMemo(): Memo {
    return Array.from({ length: DIGITS }, () => Note.UNKNOWN);
}

// Unknown, excluded, confirmed, and back to unknown; what is none of them begins anew.
export function cycleNote(note: unknown): Note {
    return note === Note.UNKNOWN ? Note.EXCLUDED : note === Note.EXCLUDED ? Note.CONFIRMED : Note.UNKNOWN;
}

// The entries that have the right shape, at most KEPT_MAX of them.
function entriesOf(raw: string | null): Entry[] {
    try {
        const list: unknown = JSON.parse(raw ?? '[]');
        return Array.isArray(list) ? list.filter(isEntry).slice(0, KEPT_MAX) : [];
    } catch {
        return [];
    }
}

function isEntry(item: unknown): item is Entry {
    return Array.isArray(item) && item.length === 3 && item.every((part) => typeof part === 'string');
}

export function readKept(raw: string | null, key: string, digits: number): Kept {
    const [, memo = '', typed = ''] = entriesOf(raw).find(([of]) => of === key) ?? [];
    return {
        memo: new RegExp(`^[012]{${DIGITS}}$`).test(memo) ? [...memo].map(Number) : freshMemo(),
        typed: isHalfTyped(typed, digits) ? typed : '',
    };
}

export function writeKept(raw: string | null, key: string, kept: Kept): string {
    const others = entriesOf(raw).filter(([of]) => of !== key);
    const entry: Entry = [key, kept.memo.join(''), kept.typed];
    return JSON.stringify([entry, ...others].slice(0, KEPT_MAX));
}

export function loadKept(key: string, digits: number): Kept {
    return readKept(recall(local, ENTRY), key, digits);
}

export function saveKept(key: string, kept: Kept): void {
    remember(local, ENTRY, writeKept(recall(local, ENTRY), key, kept));
}
