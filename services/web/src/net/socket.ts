// SPDX-License-Identifier: Apache-2.0
//
// The only place that holds a WebSocket, timers and window events. It carries out what the client asks
// through its ports and reports what happens; it decides nothing.
import type { RoomEvent, Refusal } from '../gen/client_pb';
import { local, recall, remember, tab } from '../store/memory';
import { Client } from './client';
import type { Stay } from './state';

const TOKEN_KEY = 'madang.token';
const STAY_KEY = 'madang.stay';
const LAST_KEY = 'madang.last';

function toText(bytes: Uint8Array): string {
    return btoa(String.fromCharCode(...bytes));
}

function fromText(text: string): Uint8Array {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

function recallToken(): Uint8Array {
    try {
        return fromText(recall(local, TOKEN_KEY) ?? '');
    } catch {
        return new Uint8Array();
    }
}

function isStay(value: unknown): value is Stay {
    const v = value as Stay | null;
    return (
        typeof v === 'object' &&
        v !== null &&
        typeof v.code === 'string' &&
        typeof v.name === 'string' &&
        typeof v.spectate === 'boolean' &&
        typeof v.generation === 'number'
    );
}

export function recallStay(): Stay | null {
    try {
        const value: unknown = JSON.parse(recall(tab, STAY_KEY) ?? 'null');
        return isStay(value) ? value : null;
    } catch {
        return null;
    }
}

// The last room of this device: a window without a memory of its own (a link opened anew) goes straight back.
export function recallLast(): { code: string; name: string } | null {
    try {
        const value: unknown = JSON.parse(recall(local, LAST_KEY) ?? 'null');
        return isStay(value) ? { code: value.code, name: value.name } : null;
    } catch {
        return null;
    }
}

export interface Listener {
    changed(): void;
    happened(events: RoomEvent[]): void;
    actRefused(why: Refusal | undefined, label: string): void;
}

export function openClient(url: string, stay: Stay | null, listener: Listener): Client {
    let socket: WebSocket | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let token = recallToken();

    function drop(): void {
        const old = socket;
        socket = null;
        old?.close();
    }

    function arm(): void {
        clearTimeout(timer);
        const due = client.deadline();
        if (due !== null) {
            timer = setTimeout(() => client.tick(), Math.max(0, due - performance.now()) + 1);
        }
    }

    function dial(): void {
        drop();
        let next: WebSocket;
        try {
            next = new WebSocket(url);
        } catch {
            setTimeout(() => client.linkEvent({ kind: 'closed' }), 0);
            return;
        }
        next.binaryType = 'arraybuffer';
        next.onopen = () => socket === next && client.linkEvent({ kind: 'opened' });
        next.onclose = () => {
            if (socket === next) {
                socket = null;
                client.linkEvent({ kind: 'closed' });
            }
        };
        next.onmessage = (message: MessageEvent<ArrayBuffer>) => {
            if (socket === next) {
                client.received(new Uint8Array(message.data));
            }
        };
        socket = next;
    }

    const client = new Client(
        {
            now: () => performance.now(),
            date: () => Date.now(),
            random: Math.random,
            open: dial,
            close: drop,
            send: (bytes) => {
                if (socket?.readyState === WebSocket.OPEN) {
                    socket.send(bytes as Uint8Array<ArrayBuffer>);
                }
            },
            token: () => token,
            saveToken: (next) => {
                token = next;
                remember(local, TOKEN_KEY, toText(next));
            },
            saveStay: (next) => {
                const text = next === null ? null : JSON.stringify(next);
                remember(tab, STAY_KEY, text);
                remember(local, LAST_KEY, text);
            },
            changed: () => {
                arm();
                listener.changed();
            },
            happened: listener.happened,
            actRefused: listener.actRefused,
        },
        stay,
    );

    const wake = (): void => {
        if (document.visibilityState === 'visible') {
            client.linkEvent({ kind: 'wake' });
        }
    };
    window.addEventListener('online', wake);
    window.addEventListener('pageshow', wake);
    document.addEventListener('visibilitychange', wake);
    return client;
}
