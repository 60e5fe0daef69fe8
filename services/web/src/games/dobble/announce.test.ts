// SPDX-License-Identifier: Apache-2.0
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { beforeEach, describe, expect, it } from 'vitest';
import { RefusalSchema, RoomEventSchema } from '../../gen/client_pb';
import { DobbleReason, EventSchema, MineEventSchema } from '../../gen/dobble_pb';
import { setLang } from '../../texts/index.svelte';
import { announce } from './announce';
import { sayDobbleRefusal } from './words';

const player = (name: string) => ({ seat: 0, name, member: 1, connected: true, automatic: false, rttMs: 0 });
const players = [player('민수'), player('영희'), player('할머니')];
type Kind = MessageInitShape<typeof EventSchema>['kind'];

function say(kind: Kind, me = 0, art?: number): string {
    const event = create(RoomEventSchema, {
        shared: toBinary(EventSchema, create(EventSchema, { kind })),
        mine: art === undefined ? undefined : toBinary(MineEventSchema, create(MineEventSchema, { art })),
    });
    return announce(event, players, me)
        .join(' ')
        .replace(/[\u2068\u2069]/g, '');
}

describe('what is read out', () => {
    beforeEach(() => setLang('ko'));

    it('says who found what, with the particles that fit', () => {
        expect(say({ case: 'found', value: { seat: 1, art: 0 } })).toBe('영희 님이 사과를 찾았어요.');
        expect(say({ case: 'found', value: { seat: 1, art: 2 } })).toBe('영희 님이 달을 찾았어요.');
        expect(say({ case: 'found', value: { seat: 0, art: 2 } })).toBe('맞았어요! 달.');
    });
    it('says to whom it was passed', () => {
        expect(say({ case: 'found', value: { seat: 1, target: 3, art: 0 } })).toBe('영희 님이 사과를 찾아 할머니 님에게 넘겼어요.');
        expect(say({ case: 'found', value: { seat: 1, target: 1, art: 0 } })).toBe('영희 님이 사과를 찾아 나에게 넘겼어요.');
    });
    it('tells mistakes and defeats to those whose they are', () => {
        expect(say({ case: 'wrong', value: { seat: 0 } }, 0, 1)).toBe('해는 아니에요. 틀렸어요.');
        expect(say({ case: 'wrong', value: { seat: 0, gaveCard: true } }, 0, 1)).toBe('틀렸어요. 카드 한 장을 잃었어요.');
        expect(say({ case: 'wrong', value: { seat: 1 } })).toBe('');
        expect(say({ case: 'beaten', value: { seat: 0 } })).toBe('늦었어요');
        expect(say({ case: 'beaten', value: { seat: 1 } })).toBe('');
    });
    it('tells how a round ended', () => {
        const result = { round: 2, loser: 1, cards: 5 };
        expect(say({ case: 'roundEnded', value: { result } })).toBe('영희 님이 카드 5장을 벌점으로 받았어요.');
        expect(say({ case: 'roundEnded', value: { result: { ...result, isVoid: true } } })).toBe('이번 라운드는 아무도 지지 않았어요.');
    });
});

describe('a refusal', () => {
    it('tells the real seconds of a lock', () => {
        setLang('ko');
        const locked = create(RefusalSchema, { domain: 'dobble', code: DobbleReason.LOCKED, params: [740] });
        expect(sayDobbleRefusal(locked)).toBe('잠깐! 0.8초 뒤에 다시 눌러요');
        expect(sayDobbleRefusal(create(RefusalSchema, { domain: 'dobble', code: 999 }))).toBe('할 수 없었어요. 다시 해 주세요.');
    });
});
