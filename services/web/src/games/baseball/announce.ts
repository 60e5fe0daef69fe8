// SPDX-License-Identifier: Apache-2.0
//
// Events as sentences, for the live region. Who is thinking is not told of each guess of the others: with
// twelve players that would never end; who only watches is.
import { fromBinary } from '@bufbuild/protobuf';
import { Cause, EventSchema, MineEventSchema, Standing, type Event, type MineEvent } from '../../gen/baseball_pb';
import type { RoomEvent } from '../../gen/client_pb';
import { t, type Key } from '../../texts/index.svelte';
import type { Player } from '../screen';
import { causeWords, judgedWords, timeWords } from './words';

const endings: Partial<Record<Standing, [mine: Key, other: Key]>> = {
    [Standing.SOLVED]: ['nb.event.solved.mine', 'nb.event.solved'],
    [Standing.EXHAUSTED]: ['nb.event.exhausted.mine', 'nb.event.exhausted'],
    [Standing.GAVE_UP]: ['nb.event.gave-up.mine', 'nb.event.gave-up'],
};

function tellMine(kind: MineEvent['kind']): string {
    if (kind.case === 'judged') {
        return t('nb.event.judged', { code: [...kind.value.code].join(' '), judged: judgedWords(kind.value) });
    }
    return kind.case === 'revealed'
        ? t('nb.event.hint.mine', { position: kind.value.position + 1, digit: kind.value.digit })
        : '';
}

function tell(kind: Event['kind'], name: string, me: number): string {
    const who = { name: { name } };
    switch (kind.case) {
        case 'started':
            return t('nb.event.started');
        case 'guessed':
            return me < 0 ? t('nb.event.guessed', { ...who, number: kind.value.guesses }) : '';
        case 'hinted':
            return t('nb.event.hint', { ...who, number: kind.value.hints });
        case 'ended': {
            const [mine, other] = endings[kind.value.standing] ?? [];
            const key = kind.value.seat === me ? mine : other;
            return key === undefined ? '' : t(key, { ...who, time: timeWords(kind.value.timeTenths) });
        }
        case 'finished':
            return `${kind.value.cause === Cause.ALL_ENDED ? '' : causeWords(kind.value.cause)} ${t('nb.event.finished')}`.trim();
        default:
            return '';
    }
}

export function announce(event: RoomEvent, players: Player[], me: number): string[] {
    if (event.shared.length === 0) {
        return [];
    }
    const { kind } = fromBinary(EventSchema, event.shared);
    const seat = kind.case === 'guessed' || kind.case === 'hinted' || kind.case === 'ended' ? kind.value.seat : -1;
    const own = event.mine.length > 0 ? tellMine(fromBinary(MineEventSchema, event.mine).kind) : '';
    const sentence = own !== '' ? own : tell(kind, players[seat]?.name ?? '', me);
    return sentence === '' ? [] : [sentence];
}
