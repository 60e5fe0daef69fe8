// SPDX-License-Identifier: Apache-2.0
//
// What a game's screen gets, and what it gives. It sees bytes of its own messages and nothing of the
// connection; it acts through `act` and asks for nothing else.
import type { Component } from 'svelte';
import type { Refusal, RoomEvent } from '../gen/client_pb';

export interface Player {
    seat: number; // room seat
    name: string; // as shown, with its number where names look alike
    member: number;
    connected: boolean;
    automatic: boolean;
    rttMs: number; // to the cluster and back, as measured there; 0 while unknown
}

export type RefusalListener = (label: string, why: Refusal | undefined) => boolean;

export interface PlayProps {
    shared: Uint8Array; // the game's View
    mine: Uint8Array; // the game's Mine; empty for spectators
    me: number; // game seat, -1 for a spectator
    players: Player[]; // by game seat
    host: boolean; // whether I am the room's host
    paused: boolean;
    // Names this game of this room: what a screen remembers on this device, it keeps under it.
    key: string;
    behind: number; // ms: an instant in the game's view plus this is room time
    act: (action: Uint8Array, label: string) => boolean;
    // What happens, as it happens, for movement and sound; returns the way to stop listening.
    onEvents: (listen: (events: RoomEvent[]) => void) => () => void;
    // Acts of mine that were refused, by their label. A screen that shows one where it happened says true, and the
    // passing message for it does not come.
    onRefused: (listen: RefusalListener) => () => void;
}

export interface GameModule {
    Play: Component<PlayProps>;
    Rules: Component;
    // Whether the game waits for this player now: told where its screen is out of sight.
    waits: (shared: Uint8Array, mine: Uint8Array, me: number) => boolean;
    // Events as sentences for the live region, in the order they happened.
    announce: (event: RoomEvent, players: Player[], me: number) => string[];
}
