// SPDX-License-Identifier: Apache-2.0
import { create } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RoomState, RoomViewSchema } from '../gen/client_pb';
import { app } from './app.svelte';
import { normaliseCode, showCode } from './code';
import { Hold, HOLD_MOST_MS } from './hold';
import { leftBehind } from './left';
import { parseRoute, routePath } from './route.svelte';

describe('room codes', () => {
    it('forgives case, blanks and what looks alike', () => {
        expect(normaliseCode(' k7m-3qd ')).toBe('K7M3QD');
        expect(normaliseCode('oil0ab')).toBe('0110AB');
        expect(normaliseCode('Ｋ７Ｍ３ＱＤ')).toBe('K7M3QD');
        expect(normaliseCode('UUUU')).toBe('');
        expect(normaliseCode('ABCDEFGHJK')).toBe('ABCDEF');
    });
    it('are shown in two groups', () => {
        expect(showCode('K7M3QD')).toBe('K7M 3QD');
    });
});

describe('addresses', () => {
    it('name the screens, and back', () => {
        expect(parseRoute('/')).toEqual({ page: 'home' });
        expect(parseRoute('/r/k7m3qd')).toEqual({ page: 'room', code: 'K7M3QD' });
        expect(parseRoute('/rules/davinci-code')).toEqual({ page: 'rules', game: 'davinci-code' });
        expect(parseRoute('/nowhere')).toEqual({ page: 'home' });
        for (const path of ['/', '/code', '/r/K7M3QD', '/rules/davinci-code']) {
            expect(routePath(parseRoute(path))).toBe(path);
        }
    });
});

describe('a finger that is down', () => {
    afterEach(() => vi.useRealTimers());

    it('holds changes back until it lifts', () => {
        const publish = vi.fn();
        const hold = new Hold(publish);
        hold.soon();
        expect(publish).toHaveBeenCalledTimes(1);
        hold.press();
        hold.soon();
        hold.soon();
        expect(publish).toHaveBeenCalledTimes(1);
        hold.lift();
        expect(publish).toHaveBeenCalledTimes(2);
    });

    it('does not stop the game when it rests', () => {
        vi.useFakeTimers();
        const publish = vi.fn();
        const hold = new Hold(publish);
        hold.press();
        hold.soon();
        vi.advanceTimersByTime(HOLD_MOST_MS);
        expect(publish).toHaveBeenCalledTimes(1);
    });
});

describe('what was read out', () => {
    const room = (code: string, state: RoomState) => ({ room: { code, view: create(RoomViewSchema, { state }) } });
    const nowhere = { room: null };

    it('is over with the room, and with the game', () => {
        expect(leftBehind(room('ABCDEF', RoomState.PLAYING), nowhere)).toBe(true);
        expect(leftBehind(room('ABCDEF', RoomState.LOBBY), room('BCDEFG', RoomState.LOBBY))).toBe(true);
        expect(leftBehind(room('ABCDEF', RoomState.PLAYING), room('ABCDEF', RoomState.LOBBY))).toBe(true);
    });
    it('stays while one stays, and when one comes', () => {
        expect(leftBehind(nowhere, room('ABCDEF', RoomState.LOBBY))).toBe(false);
        expect(leftBehind(room('ABCDEF', RoomState.LOBBY), room('ABCDEF', RoomState.PLAYING))).toBe(false);
        expect(leftBehind(room('ABCDEF', RoomState.PLAYING), room('ABCDEF', RoomState.PLAYING))).toBe(false);
    });
    it('is not left in the language that was', () => {
        app.say('안녕');
        expect(app.spoken.text).toBe('안녕');
        app.changeLang('en');
        expect([app.spoken.text, app.toast]).toEqual(['', null]);
        app.changeLang('ko');
    });
});
