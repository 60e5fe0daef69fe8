// SPDX-License-Identifier: Apache-2.0
//
// What happens around a game, as sentences: people come and go, the host changes, the game pauses.
import { fromBinary } from '@bufbuild/protobuf';
import { RoomHappened_Kind, RoomHappenedSchema, type RoomEvent } from '../../gen/client_pb';
import { tData } from '../../texts/index.svelte';

// Shown as a passing message too; the rest is only read out, because the screen shows it anyway.
const SHOWN = new Set([
    RoomHappened_Kind.LEFT,
    RoomHappened_Kind.KICKED,
    RoomHappened_Kind.HOST,
    RoomHappened_Kind.RESUMED,
]);

export interface Happened {
    text: string;
    shown: boolean;
}

export function roomHappened(event: RoomEvent): Happened | null {
    if (event.room.length === 0) {
        return null;
    }
    const { kind, name } = fromBinary(RoomHappenedSchema, event.room);
    const text = tData(`happened.${RoomHappened_Kind[kind] ?? ''}`, '', { name: { name } });
    return text === '' ? null : { text, shown: SHOWN.has(kind) };
}
