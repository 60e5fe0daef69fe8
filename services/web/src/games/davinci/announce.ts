// SPDX-License-Identifier: Apache-2.0
//
// Events as sentences, for the live region and the line that tells what happened last.
import { fromBinary } from '@bufbuild/protobuf';
import type { RoomEvent } from '../../gen/client_pb';
import { EventSchema, Face, MineEventSchema, type Event, type Guessed } from '../../gen/davinci_pb';
import { t, type Key } from '../../texts/index.svelte';
import type { Player } from '../screen';
import { colorWord, faceWord } from './words';

type Names = (seat: number) => { name: string };

// What the clock said for somebody is not told as their own word.
function saidKey({ correct, automatic }: Guessed): Key {
    if (automatic) {
        return correct ? 'dv.event.right.auto' : 'dv.event.wrong.auto';
    }
    return correct ? 'dv.event.right' : 'dv.event.wrong';
}

function tell(kind: Event['kind'], mine: Uint8Array, who: Names, me: number): string {
    switch (kind.case) {
        case 'picked':
            return t('dv.event.picked', { name: who(kind.value.seat) });
        case 'dealt':
            return t('dv.event.dealt');
        case 'drawn': {
            const color = colorWord(kind.value.color);
            const face = mine.length > 0 ? fromBinary(MineEventSchema, mine).face : Face.UNSPECIFIED;
            return face === Face.UNSPECIFIED
                ? t('dv.event.drawn', { name: who(kind.value.seat), color })
                : t('dv.event.drawn.mine', { color, face: faceWord(face) });
        }
        case 'guessed':
            return t(saidKey(kind.value), {
                name: who(kind.value.seat),
                target: who(kind.value.target),
                position: kind.value.position + 1,
                face: faceWord(kind.value.said),
            });
        case 'wentOn':
            return t('dv.event.went-on', { name: who(kind.value.seat) });
        case 'inserted': {
            const { seat, position, color, face } = kind.value;
            const open = face !== Face.UNSPECIFIED;
            return t(open ? 'dv.event.inserted.open' : 'dv.event.inserted.hidden', {
                name: who(seat),
                position: position + 1,
                color: colorWord(color),
                face: open ? faceWord(face) : '',
            });
        }
        case 'revealed':
            return t('dv.event.revealed', {
                name: who(kind.value.seat),
                position: kind.value.position + 1,
                face: faceWord(kind.value.face),
            });
        case 'eliminated':
            return t('dv.event.eliminated', { name: who(kind.value.seat) });
        case 'turnBegan':
            return kind.value.seat === me
                ? t('dv.event.turn.mine')
                : t('dv.event.turn', { name: who(kind.value.seat) });
        case 'finished':
            return t('dv.event.finished', { name: who(kind.value.winner) });
        case 'penaltySwitched':
            return t('dv.event.penalty');
        case 'jokerOpened':
            return t('dv.event.joker', { name: who(kind.value.seat) });
        default:
            return '';
    }
}

export function announce(event: RoomEvent, players: Player[], me: number): string[] {
    if (event.shared.length === 0) {
        return [];
    }
    const who: Names = (seat) => ({ name: players[seat]?.name ?? '' });
    const { kind } = fromBinary(EventSchema, event.shared);
    const sentence = tell(kind, event.mine, who, me);
    if (sentence === '') {
        return [];
    }
    const byItself = kind.case !== 'guessed' && kind.value !== undefined && 'automatic' in kind.value && kind.value.automatic;
    return [byItself ? `${t('dv.event.auto')} ${sentence}` : sentence];
}
