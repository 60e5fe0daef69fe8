// SPDX-License-Identifier: Apache-2.0
//
// The one store: the last snapshot of the conversation, and the few things that concern the page alone
// (a passing message, what is read out). Screens read it and call its verbs; they keep no copy.
import { Reason, RoomState, type RoomCommandSchema, type RoomEvent } from '../gen/client_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RefusalListener } from '../games/screen';
import type { Client } from '../net/client';
import { openClient, recallStay } from '../net/socket';
import type { RoomModel, Snapshot } from '../net/state';
import { sayRefusal, setLang, type Lang } from '../texts/index.svelte';
import { clockLeft, clockNow } from '../net/clock';
import { gameKey, hasBegun, isNewcomer } from './around';
import { Hold } from './hold';
import { leftBehind } from './left';
import { local, recall, remember } from './memory';
import { go, route } from './route.svelte';
import { settings } from './settings.svelte';

export type Command = MessageInitShape<typeof RoomCommandSchema>['kind'];
type EventListener = (events: RoomEvent[]) => void;

const TOAST_MS = 4000;
const LEFT_KEY = 'madang.left';

let left = $state(recall(local, LEFT_KEY)); // the room in which a game was left, while the seat is held
let seen = $state(''); // the game that was last seen being played
let snapshot = $state.raw<Snapshot>(null as unknown as Snapshot);
let toast = $state<{ text: string; bad: boolean; number: number } | null>(null);
let spoken = $state<{ text: string; number: number }>({ text: '', number: 0 });
let client: Client;
let toastTimer: ReturnType<typeof setTimeout> | undefined;
let listeners: EventListener[] = [];
let refusalListeners: RefusalListener[] = [];
let heldEvents: RoomEvent[] = [];

function publish(): void {
    const before = snapshot;
    snapshot = client.snapshot();
    noteRoom(before.room);
    if (leftBehind(before, snapshot)) {
        app.hush();
    }
    const events = heldEvents;
    heldEvents = [];
    if (events.length > 0) {
        listeners.forEach((listen) => listen(events));
    }
    followRoom();
}

function keepLeft(code: string | null): void {
    left = code;
    remember(local, LEFT_KEY, code);
}

// What the rest of this page's life has to know of the room.
function noteRoom(before: RoomModel | null): void {
    const { room, refused, found } = snapshot;
    if (room !== null && [RoomState.PLAYING, RoomState.PAUSED].includes(room.view.state)) {
        seen = gameKey(room);
    }
    // Rules that were opened between two games make way for the next one.
    if (room !== null && route().page === 'rules' && hasBegun(before, room)) {
        go({ page: 'room', code: room.code }, true);
    }
    const back = room !== null && room.code === left;
    const over = found !== null && found.code === left && !found.playing;
    const closed = lookedFor !== '' && lookedFor === left && refused?.domain === '' && NO_SEAT.includes(refused.code);
    if (back || over || closed) {
        keepLeft(null);
    }
}
// The room that was asked about last, and the answers after which no seat is held there.
let lookedFor = '';
const NO_SEAT = [Reason.NO_SUCH_ROOM, Reason.ROOM_CLOSED, Reason.KICKED, Reason.GAME_RUNS];

// A finger that is down presses what it saw: a view that arrives meanwhile waits for it to lift.
const hold = new Hold(publish);

// The address shows the room we are in, and leaves it when the room is gone.
function followRoom(): void {
    const here = route();
    const code = snapshot.room?.code;
    if (code !== undefined && snapshot.stay !== null && here.page !== 'room' && entering) {
        entering = false;
        go({ page: 'room', code });
    }
    if (code !== undefined && here.page === 'room' && here.code !== code && !snapshot.asking) {
        go({ page: 'room', code }, true);
    }
}
let entering = false;

export const app = {
    get s(): Snapshot {
        return snapshot;
    },
    get toast() {
        return toast;
    },
    get spoken() {
        return spoken;
    },

    start(): void {
        const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
        const here = route();
        const stay = recallStay();
        // The tab returns by itself to the room its address names or whose rules are read, and to no other.
        const same =
            stay !== null && (here.page === 'rules' || (here.page === 'room' && here.code === stay.code));
        client = openClient(`${scheme}://${location.host}/ws`, same ? stay : null, {
            changed: () => hold.soon(),
            happened: (events) => heldEvents.push(...events),
            actRefused: (why, label) => {
                if (!refusalListeners.some((shows) => shows(label, why))) {
                    app.say(sayRefusal(why), true);
                }
            },
        });
        snapshot = client.snapshot();
        hold.watch(window);
        client.linkEvent({ kind: 'start' });
    },

    retry(): void {
        client.linkEvent({ kind: 'wake' });
    },

    // ---- asking ----------------------------------------------------------------------------------------
    createRoom(game: string, name: string, isPublic: boolean): void {
        entering = true;
        client.createRoom(game, name, isPublic);
    },
    join(code: string, name: string, spectate: boolean, takeOver: boolean): void {
        lookedFor = code;
        client.join(code, name, spectate, takeOver);
    },
    quickMatch(game: string, name: string): void {
        entering = true;
        client.quickMatch(game, name);
    },
    cancelQuick(): void {
        client.cancelQuick();
    },
    lookUp(code: string): void {
        lookedFor = code;
        client.lookUp(code);
    },
    lookAgain(code: string): void {
        client.lookAgain(code);
    },
    watchRooms(on: boolean): void {
        client.watchRooms(on);
    },
    takeOver(): void {
        client.takeOver();
    },
    leave(): void {
        // Leaving a game is not losing it: this device offers the way back to its seat.
        const seated = snapshot.room !== null && snapshot.room.seat >= 0;
        const state = snapshot.room?.view.state;
        const running = state === RoomState.PLAYING || state === RoomState.PAUSED;
        if (seated && running) {
            keepLeft(snapshot.room?.code ?? null);
        }
        client.leave();
        go({ page: 'home' }, true);
    },
    // Whether this device left a game in the room of this code.
    leftSeatIn(code: string): boolean {
        return left === code;
    },
    get leftRoom(): string | null {
        return left;
    },
    // Whether what the room shows is the end of a game that was over before this person came.
    isNewcomer(room: RoomModel): boolean {
        return isNewcomer(room, seen);
    },
    dismiss(): void {
        client.dismiss();
    },

    // ---- acting ----------------------------------------------------------------------------------------
    command(kind: Command, label: string): boolean {
        return client.act({ case: 'room', value: { kind } }, 0n, label);
    },
    // Made for the screen the player sees: the published snapshot, not a newer view that waits behind it.
    play(action: Uint8Array, label: string): boolean {
        const madeFor = snapshot.room?.gameVersion ?? 0n;
        return client.act({ case: 'game', value: action }, madeFor, label);
    },
    isPending(label: string): boolean {
        return snapshot.pending.includes(label);
    },

    // ---- time ------------------------------------------------------------------------------------------
    left(deadline: number): number {
        return clockLeft(snapshot.clock, deadline, performance.now());
    },
    roomNow(): number {
        return clockNow(snapshot.clock, performance.now());
    },

    // ---- the page --------------------------------------------------------------------------------------
    say(text: string, bad = false): void {
        toast = { text, bad, number: (toast?.number ?? 0) + 1 };
        clearTimeout(toastTimer);
        toastTimer = setTimeout(() => (toast = null), TOAST_MS);
        app.speak(text);
    },
    speak(text: string): void {
        spoken = { text, number: spoken.number + 1 };
    },
    // What was said is no longer so: nobody shall come upon it in the live region.
    hush(): void {
        app.speak('');
    },
    changeLang(next: Lang): void {
        setLang(next);
        toast = null;
        app.hush();
    },
    onEvents(listen: EventListener): () => void {
        listeners = [...listeners, listen];
        return () => {
            listeners = listeners.filter((l) => l !== listen);
        };
    },
    onRefused(listen: RefusalListener): () => void {
        refusalListeners = [...refusalListeners, listen];
        return () => {
            refusalListeners = refusalListeners.filter((l) => l !== listen);
        };
    },
    buzz(pattern: number | number[]): void {
        if (settings.vibration) {
            navigator.vibrate?.(pattern);
        }
    },
};
