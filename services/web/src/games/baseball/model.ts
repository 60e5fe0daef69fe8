// SPDX-License-Identifier: Apache-2.0
//
// What the screen reads out of the two messages of a view, and what may be typed. Judging is the server's:
// nothing here knows a secret.
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
    ActionSchema,
    MineSchema,
    Phase,
    Standing,
    ViewSchema,
    type Log,
    type Mine,
    type Player,
    type View,
} from '../../gen/baseball_pb';

export interface Judged {
    code: string;
    strikes: number;
    balls: number;
}

export interface Model {
    view: View;
    mine: Mine;
    me: number; // game seat, -1 for a spectator
    digits: number;
    guessLimit: number; // 0: none
    hintsMost: number; // 0: hints are off
    log: Judged[]; // my guesses, oldest first
    my: Player | undefined;
    guessing: boolean; // the game waits for me
    practice: boolean; // alone: no ranks, no points
}

// A code of a list: 123 is 0123 where there are four digits.
export function codeText(code: number, digits: number): string {
    return String(code).padStart(digits, '0');
}

export function readLog(log: Log | undefined, digits: number): Judged[] {
    return (log?.codes ?? []).map((code, i) => {
        const judged = log?.judged[i] ?? 0;
        return { code: codeText(code, digits), strikes: Math.floor(judged / 10), balls: judged % 10 };
    });
}

export function readModel(shared: Uint8Array, mineBytes: Uint8Array, me: number): Model {
    const view = fromBinary(ViewSchema, shared);
    const mine = fromBinary(MineSchema, mineBytes);
    const digits = view.settings?.digits ?? 0;
    const my = me < 0 ? undefined : view.players[me];
    return {
        view,
        mine,
        me,
        digits,
        guessLimit: view.settings?.guessLimit ?? 0,
        hintsMost: view.settings?.hintsMost ?? 0,
        log: readLog(mine.log, digits),
        my,
        guessing: view.phase === Phase.PLAYING && my?.standing === Standing.PLAYING,
        practice: view.players.length === 1,
    };
}

export type ActionKind = NonNullable<MessageInitShape<typeof ActionSchema>['kind']>;

export function actionBytes(kind: ActionKind): Uint8Array {
    return toBinary(ActionSchema, create(ActionSchema, { kind }));
}

// The digit that I was shown for a position, or null.
export function hintAt(model: Model, position: number): number | null {
    return model.mine.hints.find((h) => h.position === position)?.digit ?? null;
}

// Which of my guesses this code was: 1, 2, ...; 0 when it is new.
export function guessedAs(log: Judged[], code: string): number {
    return log.findIndex((g) => g.code === code) + 1;
}

// ---- typing --------------------------------------------------------------------------------------------

export type Typed = { ok: true; typed: string } | { ok: false; why: 'char' | 'used' | 'full'; digit?: string };

// One more character at the end of the half-typed guess. Digits of other scripts, full-width ones among
// them, are no digits here.
export function typeOne(typed: string, character: string, digits: number): Typed {
    if (!/^[0-9]$/.test(character)) {
        return { ok: false, why: 'char' };
    }
    if (typed.includes(character)) {
        return { ok: false, why: 'used', digit: character };
    }
    return typed.length < digits ? { ok: true, typed: typed + character } : { ok: false, why: 'full' };
}

// A pasted guess replaces what was typed, whole or not at all; blanks around it are forgiven.
export function paste(text: string, digits: number): Typed {
    let result: Typed = { ok: true, typed: '' };
    for (const character of text.trim()) {
        if (!result.ok) {
            return result;
        }
        result = typeOne(result.typed, character, digits);
    }
    return result;
}

// What a half-typed guess may look like when it is read back.
export function isHalfTyped(text: unknown, digits: number): text is string {
    return (
        typeof text === 'string' &&
        /^[0-9]*$/.test(text) &&
        text.length <= digits &&
        new Set(text).size === text.length
    );
}

// ---- time ----------------------------------------------------------------------------------------------

// Tenths of a second as 0:07.3 or 12:40.0.
export function timeText(tenths: number): string {
    const seconds = Math.floor(tenths / 10);
    const rest = String(seconds % 60).padStart(2, '0');
    return `${Math.floor(seconds / 60)}:${rest}.${tenths % 10}`;
}

export const othersOf = (model: Model): number[] =>
    model.view.players.map((_, seat) => seat).filter((seat) => seat !== model.me);
