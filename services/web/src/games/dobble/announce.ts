// SPDX-License-Identifier: Apache-2.0
//
// Events as sentences for the live region. Short: the next may come within a second.
import { fromBinary } from '@bufbuild/protobuf';
import type { RoomEvent } from '../../gen/client_pb';
import { EventSchema, MineEventSchema, type Event, type Found } from '../../gen/dobble_pb';
import { t } from '../../texts/index.svelte';
import type { Player } from '../screen';
import { artName } from './art';

type Names = (seat: number) => { name: string };

function tellFound(found: Found, who: Names, me: number): string {
    const picture = artName(found.art);
    if (found.seat === me) {
        return t('db.event.found.mine', { picture });
    }
    const name = who(found.seat);
    if (found.target === 0) {
        return t('db.event.found', { name, picture });
    }
    const target = found.target - 1;
    return t(target === me ? 'db.event.found.to.me' : 'db.event.found.to', { name, picture, target: who(target) });
}

function tell(kind: Event['kind'], mine: Uint8Array, who: Names, me: number): string {
    switch (kind.case) {
        case 'shown':
            return t('db.event.shown');
        case 'found':
            return tellFound(kind.value, who, me);
        case 'wrong':
            if (kind.value.seat !== me) {
                return ''; // seen in the strip; nothing that anybody waits to hear
            }
            return kind.value.gaveCard || mine.length === 0
                ? t('db.event.wrong.gave')
                : t('db.event.wrong', { picture: artName(fromBinary(MineEventSchema, mine).art) });
        case 'beaten':
            return kind.value.seat === me ? t('db.late') : '';
        case 'escaped':
            return t('db.event.escaped', { name: who(kind.value.seat), place: kind.value.place });
        case 'emptied':
            return t('db.event.emptied', { name: who(kind.value.seat), place: kind.value.place });
        case 'roundEnded': {
            const round = kind.value.result;
            return round === undefined || round.isVoid
                ? t('db.round.void')
                : t('db.round.lost', { name: who(round.loser), count: round.cards });
        }
        case 'forfeited':
            return t('db.event.forfeited', { name: who(kind.value.seat) });
        case 'hintShown':
            return t('db.event.hint');
        case 'hintOver':
            return t('db.event.hint.over');
        case 'paused':
            return t('db.event.paused');
        case 'countdownBegan':
            return t('db.event.countdown');
        case 'finished':
            return t('db.event.finished');
        default:
            return '';
    }
}

export function announce(event: RoomEvent, players: Player[], me: number): string[] {
    if (event.shared.length === 0) {
        return [];
    }
    const who: Names = (seat) => ({ name: players[seat]?.name ?? '' });
    const sentence = tell(fromBinary(EventSchema, event.shared).kind, event.mine, who, me);
    return sentence === '' ? [] : [sentence];
}
