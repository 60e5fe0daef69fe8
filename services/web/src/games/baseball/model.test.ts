// SPDX-License-Identifier: Apache-2.0
import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { LogSchema, MineSchema, Phase, Standing, ViewSchema } from '../../gen/baseball_pb';
import { codeText, guessedAs, hintAt, isHalfTyped, othersOf, paste, readLog, readModel, timeText, typeOne } from './model';
import { figuresOf } from './result';

const S = Standing;
const view = {
    phase: Phase.PLAYING,
    players: [
        { standing: S.PLAYING, guesses: 2, hints: 1 },
        { standing: S.SOLVED, guesses: 3, timeTenths: 655 },
    ],
    settings: { digits: 4, guessLimit: 10, guessesMost: 10, timeLimitS: 300, hintsMost: 2 },
};
const mine = { log: { codes: [123, 3720], judged: [4, 22] }, hints: [{ position: 2, digit: 0 }] };
const read = (me: number, change = {}) =>
    readModel(
        toBinary(ViewSchema, create(ViewSchema, { ...view, ...change })),
        me < 0 ? new Uint8Array() : toBinary(MineSchema, create(MineSchema, mine)),
        me,
    );

describe('a view of number baseball', () => {
    it('writes codes with the zeroes they begin with', () => {
        expect(codeText(123, 4)).toBe('0123');
        expect(codeText(0, 3)).toBe('000');
        expect(readLog(create(LogSchema, { codes: [123, 45678], judged: [4, 50] }), 5)).toEqual([
            { code: '00123', strikes: 0, balls: 4 },
            { code: '45678', strikes: 5, balls: 0 },
        ]);
    });

    it('knows whether the game waits for me, and what a hint has shown', () => {
        const model = read(0);
        expect(model.guessing).toBe(true);
        expect(model.log).toEqual([
            { code: '0123', strikes: 0, balls: 4 },
            { code: '3720', strikes: 2, balls: 2 },
        ]);
        expect([0, 1, 2, 3].map((i) => hintAt(model, i))).toEqual([null, null, 0, null]);
        expect(guessedAs(model.log, '3720')).toBe(2);
        expect(guessedAs(model.log, '3721')).toBe(0);
        expect(othersOf(model)).toEqual([1]);
    });

    it('does not wait for who has solved it, who watches, or before the start', () => {
        expect(read(1).guessing).toBe(false);
        expect(read(-1).guessing).toBe(false);
        expect(othersOf(read(-1))).toEqual([0, 1]);
        expect(read(0, { phase: Phase.COUNTDOWN }).guessing).toBe(false);
    });

    it('is practice for one player alone', () => {
        expect(read(0).practice).toBe(false);
        expect(read(0, { players: [view.players[0]] }).practice).toBe(true);
    });
});

describe('typing a guess', () => {
    it('takes the ten digits, each once, and no more than there are places', () => {
        expect(typeOne('', '0', 3)).toEqual({ ok: true, typed: '0' });
        expect(typeOne('0', '9', 3)).toEqual({ ok: true, typed: '09' });
        expect(typeOne('09', '0', 3)).toEqual({ ok: false, why: 'used', digit: '0' });
        expect(typeOne('091', '2', 3)).toEqual({ ok: false, why: 'full' });
    });

    it.each(['３', '٣', '३', '三', 'a', ' ', '', '12', '½', '①'])('does not take %j for a digit', (character) => {
        expect(typeOne('', character, 4)).toEqual({ ok: false, why: 'char' });
    });

    it('pastes a guess whole or not at all', () => {
        expect(paste('0123', 4)).toEqual({ ok: true, typed: '0123' });
        expect(paste(' 37\n', 4)).toEqual({ ok: true, typed: '37' });
        expect(paste('３７０２', 4)).toEqual({ ok: false, why: 'char' });
        expect(paste('37a2', 4)).toEqual({ ok: false, why: 'char' });
        expect(paste('3733', 4)).toEqual({ ok: false, why: 'used', digit: '3' });
        expect(paste('37024', 4)).toEqual({ ok: false, why: 'full' });
    });

    it('reads back only what could have been typed', () => {
        for (const good of ['', '0', '37', '0123']) {
            expect(isHalfTyped(good, 4), good).toBe(true);
        }
        for (const bad of ['33', '01234', '３', '3a', ' 3', null, 37, ['3'], undefined]) {
            expect(isHalfTyped(bad, 4), String(bad)).toBe(false);
        }
    });
});

describe('times and figures', () => {
    it('are told in minutes, seconds and tenths', () => {
        expect(timeText(0)).toBe('0:00.0');
        expect(timeText(73)).toBe('0:07.3');
        expect(timeText(7600)).toBe('12:40.0');
    });

    it('count everybody, and find the nearest miss', () => {
        const model = read(0, {
            phase: Phase.FINISHED,
            players: [
                { standing: S.SOLVED, guesses: 2, hints: 1, timeTenths: 700 },
                { standing: S.SOLVED, guesses: 1, hints: 0, timeTenths: 655 },
                { standing: S.EXHAUSTED, guesses: 2, hints: 2, timeTenths: 900 },
            ],
            result: {
                secret: '3702',
                logs: [
                    { codes: [3720, 3702], judged: [22, 40] },
                    { codes: [3702], judged: [40] },
                    { codes: [3082, 2037], judged: [21, 4] },
                ],
            },
        });
        expect(figuresOf(model)).toEqual({
            solved: 2,
            guesses: 5,
            hints: 3,
            fastest: 655,
            near: { seat: 0, judged: { code: '3720', strikes: 2, balls: 2 }, i: 0 },
        });
    });

    it('have no fastest and no nearest where there is none', () => {
        const model = read(0, {
            players: [{ standing: S.GAVE_UP, guesses: 1 }],
            result: { secret: '123', logs: [{ codes: [4567], judged: [0] }] },
        });
        expect(figuresOf(model)).toMatchObject({ solved: 0, fastest: null, near: null });
    });
});
