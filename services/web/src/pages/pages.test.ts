// SPDX-License-Identifier: Apache-2.0
//
// What is on a screen for a given state, without a browser: components rendered to text.
import { create } from '@bufbuild/protobuf';
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MineSchema as BaseballMineSchema, ViewSchema as BaseballViewSchema } from '../gen/baseball_pb';
import { QuickStatusSchema, Reason, RefusalSchema } from '../gen/client_pb';
import { Face, ResultSchema as DavinciResultSchema, ViewSchema as DavinciViewSchema } from '../gen/davinci_pb';
import { ResultSchema as DobbleResultSchema, ViewSchema as DobbleViewSchema } from '../gen/dobble_pb';
import Dock from '../games/baseball/Dock.svelte';
import { Hand } from '../games/baseball/hand.svelte';
import LastGuess from '../games/davinci/LastGuess.svelte';
import DavinciResult from '../games/davinci/Result.svelte';
import DobbleResult from '../games/dobble/Result.svelte';
import Rtt from '../games/dobble/Rtt.svelte';
import { setLang } from '../texts/index.svelte';
import Gone from './Gone.svelte';
import NameField from './NameField.svelte';
import Quick from './Quick.svelte';

const snapshot = vi.hoisted(() => ({ s: {} as Record<string, unknown> }));
vi.mock('../store/app.svelte', () => ({
    app: {
        get s() {
            return snapshot.s;
        },
        isPending: () => false,
    },
}));

const player = (name: string, seat: number) => ({ seat, name, member: 1, connected: true, automatic: false, rttMs: 0 });
const players = [player('졸린 호랑이', 0), player('영희', 1)];

function draw(component: unknown, props: object = {}): string {
    const { body } = render(component as Component<Record<string, unknown>>, { props: props as Record<string, unknown> });
    return body.replace(/<!--.*?-->|[\u2066-\u2069]/gs, '');
}

beforeEach(() => {
    setLang('ko');
    snapshot.s = { games: [], refused: null, asking: null, quick: null, quickUntil: 0 };
});

describe('the nickname', () => {
    it('is missed only while it is not there', () => {
        const field = (value: string, asked: boolean) => draw(NameField, { value, asked, onenter: () => undefined });
        expect(field(' ', true)).toContain('별명을 먼저 적어 주세요');
        expect(field('토끼', true)).not.toContain('별명을 먼저 적어 주세요');
        expect(field('토끼', true)).toContain('aria-invalid="false"');
        expect(field('', false)).not.toContain('별명을 먼저 적어 주세요');
    });
});

describe('who is out of the room', () => {
    it('reads of a refusal only where the seat can be asked for', () => {
        snapshot.s = { ...snapshot.s, refused: create(RefusalSchema, { code: Reason.OUT_OF_PLACE }) };
        expect(draw(Gone, { why: 'otherWindow' })).toContain('지금은 그렇게 할 수 없어요');
        for (const why of ['kicked', 'closed', 'outdated']) {
            expect(draw(Gone, { why })).not.toContain('지금은 그렇게 할 수 없어요');
        }
    });
});

describe('a quick match', () => {
    const wait = (waiting: number, needed: number) => {
        snapshot.s = { ...snapshot.s, quick: create(QuickStatusSchema, { waiting, needed, game: 'davinci-code' }) };
        return draw(Quick);
    };
    it('promises no start to too few', () => {
        expect(wait(1, 2)).toContain('공개 방에서 기다려요');
        expect(wait(1, 2)).not.toContain('시작해요<');
        expect(wait(2, 2)).toContain('모인 사람끼리 시작해요');
        expect(wait(1, 1)).toContain('아무도 없으면 혼자 시작해요');
    });
});

describe('숫자 암호', () => {
    it('does not put into a mouth what the clock has said', () => {
        const line = (automatic: boolean) => {
            const history = [{ by: 0, target: 1, position: 1, entry: 1, said: Face.N3, correct: false, automatic }];
            return draw(LastGuess, { model: { view: create(DavinciViewSchema, { turn: 1, history }), me: 0 }, players });
        };
        expect(line(true)).toContain('틀림, 시간이 다 되어 자동');
        expect(line(false)).not.toContain('자동');
    });
    it('marks the own row of the ranking', () => {
        const ranking = [{ seat: 1, rank: 1 }, { seat: 0, rank: 2 }];
        const result = create(DavinciResultSchema, { winner: 1, ranking });
        const html = draw(DavinciResult, { model: { view: create(DavinciViewSchema, { result }), me: 0 }, players });
        const own = [...html.matchAll(/<tr[^>]*data-testid="rank-(\d)"[^>]*>/g)].filter(([row]) => /\bme\b/.test(row));
        expect(own.map(([, rank]) => rank)).toEqual(['2']);
    });
});

describe('짝꿍 그림', () => {
    it('gives the round trip its unit and its name', () => {
        expect(draw(Rtt, { ms: 49 })).toContain('aria-label="신호가 오가는 시간 49 ms"');
        expect(draw(Rtt, { ms: 49 })).toContain('>49 ms<');
    });
    it('ranks nobody who practised', () => {
        const result = create(DobbleResultSchema, { ranking: [{ seat: 0, rank: 1, correct: 56 }] });
        const end = (practice: boolean) =>
            draw(DobbleResult, { model: { view: create(DobbleViewSchema, { result }), me: 0, practice }, players });
        expect(end(true)).toContain('56번 찾았어요');
        expect(end(true)).not.toContain('data-testid="ranking"');
        expect(end(false)).toContain('data-testid="ranking"');
    });
});

describe('숫자 야구', () => {
    it('explains the memo whatever else there is to say', () => {
        const hand = new Hand('test', 4, []);
        hand.write(true);
        hand.refuse(() => '다 찼어요.');
        const model = {
            view: create(BaseballViewSchema, {}),
            mine: create(BaseballMineSchema, {}),
            log: [],
            digits: 4,
            hintsMost: 0,
        };
        const html = draw(Dock, { model, hand, act: () => true, onRefused: () => () => undefined });
        expect(html).toContain('누를 때마다 모름 → 제외 → 확정');
        expect(html).toContain('다 찼어요.');
        expect(html).toContain('메모 닫기');
    });
});
