// SPDX-License-Identifier: Apache-2.0
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { GameInfoSchema, PresenceSchema, RoomState, RoomViewSchema } from '../gen/client_pb';
import type { RoomModel } from '../net/state';
import { soloOf } from '../pages/room/solo';
import { aroundOf, gameKey, hasBegun, isNewcomer } from './around';

// A room in which members 1 and 2 sit, and `players` played the game that is on or over.
function roomOf(state: RoomState, gameNumber = 1, players = [1, 2], seat = 0, solo = 0): RoomModel {
    const view = create(RoomViewSchema, {
        code: 'ABCDEF',
        game: 'dobble',
        state,
        gameNumber,
        seats: [{ taken: true, member: 1 }, { taken: true, member: 2 }, { taken: false }],
        players: players.map((member) => ({ member })),
        options: [{ key: 'practice', value: solo }],
    });
    const bytes = new Uint8Array();
    return {
        epoch: 1n, seq: 1n, gameVersion: 1n, roomTime: 0, lastEvent: 0n, view, seat, code: 'ABCDEF',
        presence: create(PresenceSchema, {}), game: bytes, mine: bytes,
        sent: { room: bytes, presence: bytes, game: bytes, mine: bytes },
    };
}

describe('who reads the rules in a room', () => {
    it('is told that the game waits, and only its players are', () => {
        expect(aroundOf(roomOf(RoomState.PLAYING), true)).toBe('mine');
        expect(aroundOf(roomOf(RoomState.PLAYING), false)).toBe('playing');
        expect(aroundOf(roomOf(RoomState.PLAYING, 1, [1, 2], -1), true)).toBe('playing');
        expect(aroundOf(roomOf(RoomState.PAUSED), true)).toBe('paused');
        expect(aroundOf(roomOf(RoomState.RESULT), true)).toBe('over');
        expect(aroundOf(roomOf(RoomState.LOBBY, 0), true)).toBe('lobby');
    });
    it('is called to a game that begins, from the lobby and from a result', () => {
        const playing = roomOf(RoomState.PLAYING, 2);
        expect(hasBegun(roomOf(RoomState.LOBBY, 1), playing)).toBe(true);
        expect(hasBegun(roomOf(RoomState.RESULT, 1), playing)).toBe(true);
    });
    it('is left to read while the same game goes on', () => {
        const playing = roomOf(RoomState.PLAYING, 2);
        expect(hasBegun(playing, playing)).toBe(false);
        expect(hasBegun(roomOf(RoomState.PAUSED, 2), playing)).toBe(false);
        expect(hasBegun(null, playing)).toBe(false);
        expect(hasBegun(playing, null)).toBe(false);
    });
});

describe('a result', () => {
    it('is not for who came after that game', () => {
        const room = roomOf(RoomState.RESULT, 3, [2], 0);
        expect(isNewcomer(room, '')).toBe(true);
        expect(isNewcomer(room, 'ABCDEF-2')).toBe(true);
    });
    it('is for who played it or saw it played', () => {
        expect(isNewcomer(roomOf(RoomState.RESULT, 3, [1, 2], 0), '')).toBe(false);
        const room = roomOf(RoomState.RESULT, 3, [2], 0);
        expect(isNewcomer(room, gameKey(room))).toBe(false);
        expect(isNewcomer(roomOf(RoomState.PLAYING, 3, [2], 0), '')).toBe(false);
    });
});

describe('practice for one', () => {
    const games = [create(GameInfoSchema, { id: 'dobble', soloKey: 'practice' })];
    it('is in the way when somebody else has sat down', () => {
        const room = roomOf(RoomState.RESULT, 1, [1], 0, 1);
        expect(soloOf(room, games)).toEqual({ key: 'practice', alone: false, offered: true, stuck: true });
    });
    it('is offered to who is alone', () => {
        const room = roomOf(RoomState.LOBBY, 0, []);
        room.view.seats.splice(1);
        expect(soloOf(room, games)).toEqual({ key: 'practice', alone: true, offered: true, stuck: false });
    });
    it('is nowhere in a game without it', () => {
        const room = roomOf(RoomState.LOBBY, 0, [], 0, 1);
        expect(soloOf(room, [])).toEqual({ key: '', alone: false, offered: false, stuck: false });
    });
});
