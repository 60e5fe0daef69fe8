// SPDX-License-Identifier: Apache-2.0
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { RefusalSchema, RoomEventSchema } from '../../gen/client_pb';
import {
    ActionSchema,
    Color,
    DavinciReason,
    EventSchema,
    Face,
    MineEventSchema,
    MineSchema,
    Phase,
    ViewSchema,
} from '../../gen/davinci_pb';
import { fromBinary } from '@bufbuild/protobuf';
import { setLang } from '../../texts/index.svelte';
import { announce } from './announce';
import {
    actionBytes,
    knownFace,
    mayGuess,
    nearestPick,
    othersInOrder,
    pickLimits,
    positionToday,
    readModel,
    startPicks,
} from './model';

const tile = (entry: number, face = Face.UNSPECIFIED) => ({ color: Color.BLACK, entry, face });
const view: MessageInitShape<typeof ViewSchema> = {
    phase: Phase.GUESS,
    current: 1,
    rows: [
        { alive: true, tiles: [tile(2), tile(1, Face.N4)] },
        { alive: true, tiles: [tile(1), tile(2)] },
        { alive: false, tiles: [tile(1, Face.N1)] },
    ],
    history: [{ by: 1, target: 0, position: 0, entry: 1, said: Face.N3 }],
};
const model = (me: number, change: MessageInitShape<typeof ViewSchema> = {}) =>
    readModel(
        toBinary(ViewSchema, create(ViewSchema, { ...view, ...change } as typeof view)),
        toBinary(MineSchema, create(MineSchema, { faces: [Face.N7, Face.N9] })),
        me,
    );

describe('what may be tapped', () => {
    it('is a hidden tile of a living opponent, by whose turn it is', () => {
        const mine = model(1);
        expect(mayGuess(mine, 0, 0)).toBe(true);
        expect(mayGuess(mine, 0, 1)).toBe(false);
        expect(mayGuess(mine, 1, 0)).toBe(false);
        expect(mayGuess(mine, 2, 0)).toBe(false);
        expect(mayGuess(mine, 9, 0)).toBe(false);
        expect(mayGuess(model(0), 1, 0)).toBe(false);
        expect(mayGuess(model(-1), 0, 0)).toBe(false);
        expect(mayGuess(model(1, { phase: Phase.AFTER_CORRECT }), 0, 0)).toBe(false);
    });
});

describe('the view', () => {
    it('shows my own numbers to me alone', () => {
        expect(knownFace(model(1), 1, 1)).toBe(Face.N9);
        expect(knownFace(model(-1), 1, 1)).toBe(Face.UNSPECIFIED);
        expect(knownFace(model(1), 0, 1)).toBe(Face.N4);
    });
    it('shows the others in the order of play after me', () => {
        expect(othersInOrder(model(1))).toEqual([2, 0]);
        expect(othersInOrder(model(-1))).toEqual([0, 1, 2]);
    });
    it('finds a tile of the history where it stands today', () => {
        const now = model(1);
        expect(now.view.history.map((h) => positionToday(now, h))).toEqual([1]);
    });
    it('offers every mix of colours to start with', () => {
        expect(startPicks(3, null)).toEqual([
            { black: 3, white: 0, possible: true },
            { black: 2, white: 1, possible: true },
            { black: 1, white: 2, possible: true },
            { black: 0, white: 3, possible: true },
        ]);
    });
    it('offers no mix that a refusal has told to be too many', () => {
        const why = create(RefusalSchema, { domain: 'davinci-code', code: DavinciReason.TOO_MANY, params: [1, 12] });
        const picks = startPicks(3, pickLimits(why));
        expect(picks.filter((pick) => pick.possible).map((pick) => pick.black)).toEqual([1, 0]);
        expect(nearestPick(picks, 2)).toBe(1);
        expect(nearestPick(picks, 0)).toBe(0);
    });
    it('learns nothing of the piles from other refusals', () => {
        const other = create(RefusalSchema, { domain: 'davinci-code', code: DavinciReason.SUM, params: [3] });
        expect([pickLimits(other), pickLimits(undefined)]).toEqual([null, null]);
    });
    it('acts in the bytes of the game', () => {
        const bytes = actionBytes({ case: 'guess', value: { target: 2, index: 1, face: Face.N7 } });
        expect(fromBinary(ActionSchema, bytes).kind).toMatchObject({
            case: 'guess',
            value: { target: 2, index: 1, face: Face.N7 },
        });
    });
});

describe('what is read out', () => {
    const player = (name: string) => ({ seat: 0, name, member: 1, connected: true, automatic: false, rttMs: 0 });
    const players = [player('민수'), player('영희')];
    type Kind = MessageInitShape<typeof EventSchema>['kind'];
    const say = (kind: Kind, mine?: Face): string =>
        announce(
            create(RoomEventSchema, {
                shared: toBinary(EventSchema, create(EventSchema, { kind })),
                mine: mine === undefined ? undefined : toBinary(MineEventSchema, create(MineEventSchema, { face: mine })),
            }),
            players,
            0,
        )
            .join(' ')
            .replace(/[\u2068\u2069]/g, '');

    it('is a sentence, with the particles that fit', () => {
        setLang('ko');
        const guess = { seat: 0, target: 1, position: 2, said: Face.N7, correct: false };
        expect(say({ case: 'guessed', value: guess })).toBe('민수 님이 영희 님의 3번째 타일을 7이라고 했어요. 틀렸어요.');
        expect(say({ case: 'guessed', value: { ...guess, said: Face.JOKER, correct: true } })).toBe(
            '민수 님이 영희 님의 3번째 타일을 조커라고 했어요. 맞았어요!',
        );
        expect(say({ case: 'turnBegan', value: { seat: 0 } })).toBe('내 차례예요.');
        expect(say({ case: 'turnBegan', value: { seat: 1 } })).toBe('영희 님 차례예요.');
    });

    it('is not told as somebody’s word or deed when the clock has done it', () => {
        setLang('ko');
        const guess = { seat: 0, target: 1, position: 2, said: Face.N7, automatic: true };
        expect(say({ case: 'guessed', value: { ...guess, correct: false } })).toBe(
            '민수 님의 시간이 다 되어, 자동으로 영희 님의 3번째 타일을 7이라고 했어요. 틀렸어요.',
        );
        expect(say({ case: 'guessed', value: { ...guess, correct: true } })).toContain('자동으로');
        expect(say({ case: 'picked', value: { seat: 1, automatic: true } })).toBe(
            '자동 진행: 영희 님이 시작 색을 골랐어요.',
        );
        expect(say({ case: 'picked', value: { seat: 1 } })).not.toContain('자동');
    });

    it('tells my own number to me and only the colour of others', () => {
        setLang('ko');
        const drawn: Kind = { case: 'drawn', value: { seat: 0, color: Color.WHITE } };
        expect(say(drawn, Face.N9)).toBe('흰색 9를 가져왔어요.');
        expect(say({ case: 'drawn', value: { seat: 1, color: Color.WHITE } })).toBe('영희 님이 흰색 타일을 가져왔어요.');
    });
});
