// SPDX-License-Identifier: Apache-2.0
//
// The client's whole conversation with the cluster, without a socket, a timer or a page: frames, ticks and
// what the player wants go in; frames to send and a new snapshot come out through `Ports`. Screens are
// functions of the snapshot. The line itself is line.ts, the views fold.ts, the acts acts.ts.
import {
    Detached_Why,
    Notice_Kind,
    Reason,
    type Found,
    type Refused,
    type RoomFrame,
    type SeatGranted,
    type ServerFrame,
    type Welcome,
} from '../gen/client_pb';
import {
    actsAnswer,
    actsForget,
    actsGranted,
    actsNext,
    actsOffer,
    actsRepeat,
    newActs,
    type What,
} from './acts';
import { Asking, returnFrame } from './asking';
import { clockFrame, clockRoundTrip, newClock } from './clock';
import { fold } from './fold';
import { Line } from './line';
import { linkDeadline } from './link';
import { PROTOCOL_CURRENT } from './protocol';
import {
    newState,
    type AskKind,
    type Frame,
    type Gone,
    type Ports,
    type Snapshot,
    type State,
    type Stay,
} from './state';

export class Client extends Line {
    private readonly acts = newActs();
    private actAgainAt = 0;
    private readonly ask = new Asking((frame) => this.post(frame));
    private wantsRooms = false;
    private readonly state: State;
    private parting: Stay | null = null; // a seat that is to be given back when there is a line
    private unwanted = false; // a match that was cancelled may still come
    private granted = -1; // the seat of the last SeatGranted, for the first frame after it

    constructor(ports: Ports, stay: Stay | null) {
        super(ports);
        this.state = newState(stay);
    }

    snapshot(): Snapshot {
        const pending = [...(this.acts.flight ? [this.acts.flight] : []), ...this.acts.waiting];
        return {
            ...this.state,
            link: this.link.phase,
            downSince: this.link.downSince,
            asking: this.ask.current?.kind ?? null,
            returning: this.ask.current?.kind === 'return',
            pending: pending.map((i) => i.label),
        };
    }

    // ---- what the shell reports ------------------------------------------------------------------------

    tick(): void {
        const now = this.ports.now();
        const deadline = linkDeadline(this.link);
        if (deadline !== null && now >= deadline) {
            this.linkEvent({ kind: 'tick' });
        }
        this.ask.tick(now);
        if (this.actAgainAt !== 0 && now >= this.actAgainAt) {
            this.actAgainAt = 0;
            this.repeatAct();
        }
    }

    // When tick() is due, or null.
    deadline(): number | null {
        const times = [linkDeadline(this.link), this.ask.deadline(), this.actAgainAt || null];
        const due = times.filter((t): t is number => t !== null);
        return due.length === 0 ? null : Math.min(...due);
    }

    // ---- what the player wants -------------------------------------------------------------------------

    createRoom(game: string, name: string, isPublic: boolean): void {
        this.begin('create', { case: 'create', value: { game, name, isPublic } });
    }

    join(code: string, name: string, spectate: boolean, takeOver: boolean): void {
        const window = takeOver ? this.newestWindow() : 0n;
        this.begin('join', { case: 'join', value: { code, name, spectate, takeOver, window } });
    }

    // Not asked from within a room: the gateway would refuse it, and going in answers the same.
    lookUp(code: string): void {
        this.state.found = null;
        if (!this.attached()) {
            this.begin('lookUp', { case: 'lookUp', value: { code } });
        }
    }

    // The same once more while somebody reads the answer, which stays until there is a newer one. Never in the way
    // of anything else.
    lookAgain(code: string): void {
        if (this.link.phase === 'open' && this.state.stay === null && this.ask.current === null) {
            this.ask.begin('lookAgain', { case: 'lookUp', value: { code } });
        }
    }

    quickMatch(game: string, name: string): void {
        this.begin('quick', { case: 'quick', value: { game, name } });
    }

    // A match may have been found in the same moment: then its seat is given back.
    cancelQuick(): void {
        this.ask.drop();
        this.unwanted = true;
        this.state.quick = null;
        this.post({ case: 'cancelQuick', value: {} });
        this.ports.changed();
    }

    watchRooms(on: boolean): void {
        this.wantsRooms = on;
        this.post({ case: 'watchRooms', value: { on } });
    }

    // Without a line the seat is given back as soon as there is one.
    leave(): void {
        if (this.attached()) {
            this.sendLeave();
        } else {
            this.parting = this.state.gone === null ? this.state.stay : null;
        }
        this.forgetRoom(null);
        this.ports.changed();
    }

    // "Play here" on the window that lost its seat.
    takeOver(): void {
        const stay = this.state.stay;
        if (stay !== null) {
            this.join(stay.code, stay.name, stay.spectate, true);
        }
    }

    // False when it is under way already. `madeFor` is the version of the screen the player saw.
    act(what: What, madeFor: bigint, label: string): boolean {
        if (!actsOffer(this.acts, what, madeFor, label)) {
            return false;
        }
        this.pump();
        this.ports.changed();
        return true;
    }

    dismiss(): void {
        this.state.refused = null;
        this.state.gone = this.state.gone === 'otherWindow' ? this.state.gone : null;
        this.ports.changed();
    }

    // ---- inside ----------------------------------------------------------------------------------------

    private attached(): boolean {
        return this.link.phase === 'open' && this.state.room !== null && this.state.gone === null;
    }

    // The room lets go with a Detached; until then nothing else may be asked.
    private sendLeave(): void {
        this.post({ case: 'leave', value: {} });
        this.ask.hold();
    }

    private begin(kind: AskKind, frame: Frame): void {
        if (this.attached()) {
            this.sendLeave();
            this.forgetRoom(null);
        }
        this.state.refused = null;
        this.unwanted = false;
        this.ask.begin(kind, frame);
        this.ports.changed();
    }

    protected onReady(): void {
        if (this.wantsRooms) {
            this.post({ case: 'watchRooms', value: { on: true } });
        }
        const { room, stay, gone } = this.state;
        if (this.parting !== null) {
            this.ask.drop();
            this.ask.begin('return', returnFrame(this.parting, null));
        } else if (this.ask.current?.kind !== 'return' && this.ask.again()) {
            return;
        } else if (stay !== null && gone !== 'otherWindow') {
            this.ask.drop();
            this.ask.release();
            this.ask.begin('return', returnFrame(stay, room));
        }
    }

    protected onFrame(frame: ServerFrame): void {
        const kind = frame.kind;
        switch (kind.case) {
            case 'welcome':
                return this.onWelcome(kind.value);
            case 'refused':
                return this.onRefused(kind.value);
            case 'rooms':
                this.state.publicRooms = kind.value.rooms;
                return;
            case 'quick':
                // One that crossed the giving up is nobody's any more.
                if (this.ask.current?.kind === 'quick') {
                    this.state.quick = kind.value;
                    this.state.quickUntil = this.ports.now() + kind.value.leftMs;
                }
                return;
            case 'seat':
                return this.onSeat(kind.value);
            case 'room':
                return this.onRoom(kind.value);
            case 'answer': {
                const settled = actsAnswer(this.acts, kind.value);
                if (settled.kind === 'again') {
                    this.actAgainAt = this.ports.now() + settled.afterMs;
                } else if (settled.kind === 'refused') {
                    this.ports.actRefused(settled.why, settled.item.label);
                } else if (settled.kind === 'otherWindow') {
                    this.state.gone = 'otherWindow';
                }
                return this.pump();
            }
            case 'detached':
                return this.onDetached(kind.value.why);
            case 'notice':
                return this.onNotice(kind.value.kind);
            case 'ping':
                this.pinged(kind.value);
                return this.roundTrip(kind.value.rttMs);
            case 'pong':
                return this.roundTrip(this.ports.now() - Number(kind.value.clientMs));
            case 'found':
                return this.onFound(kind.value);
        }
    }

    private roundTrip(ms: number): void {
        if (ms > 0) {
            this.state.clock = clockRoundTrip(this.state.clock, ms);
        }
    }

    private onWelcome(welcome: Welcome): void {
        if (welcome.token.length > 0) {
            this.ports.saveToken(welcome.token);
        }
        this.state.games = welcome.games;
        this.linkEvent({ kind: 'welcomed', ours: welcome.protocol === PROTOCOL_CURRENT });
    }

    private onRefused(refused: Refused): void {
        const code = refused.why?.domain === '' ? (refused.why.code as Reason) : undefined;
        if (code === Reason.PROTOCOL) {
            return this.linkEvent({ kind: 'welcomed', ours: false });
        }
        if (refused.retry && this.ask.later(this.ports.now(), this.ports.random())) {
            return;
        }
        const ask = this.ask.end();
        this.parting = null;
        if (code === Reason.OTHER_WINDOW) {
            this.state.gone = 'otherWindow';
            return;
        }
        if (ask?.kind === 'lookAgain' && code !== Reason.NO_SUCH_ROOM && code !== Reason.ROOM_CLOSED) {
            return; // nobody asked for it: what is shown stays
        }
        this.state.refused = refused.why ?? null;
        if (ask?.kind === 'quick') {
            this.state.quick = null;
        } else if (ask?.kind === 'return') {
            this.forgetRoom(code === Reason.KICKED ? 'kicked' : 'closed');
        }
    }

    // Newer than a refusal for want of a seat.
    private onFound(found: Found): void {
        const code = this.state.refused?.domain === '' ? (this.state.refused.code as Reason) : undefined;
        if (code === Reason.ROOM_FULL || code === Reason.GAME_RUNS) {
            this.state.refused = null;
        }
        this.state.found = found;
        this.ask.end();
    }

    private onSeat(seat: SeatGranted): void {
        if (this.parting !== null || this.unwanted) {
            this.parting = null;
            this.unwanted = false;
            this.ask.end();
            return this.sendLeave();
        }
        const asked = this.ask.current?.frame;
        const name = this.ask.name() ?? this.state.stay?.name ?? '';
        const spectate = asked?.case === 'join' ? (asked.value.spectate ?? false) : seat.seat < 0;
        if (this.state.room?.code !== seat.code) {
            this.state.room = null;
            actsForget(this.acts);
        } else {
            this.state.room = { ...this.state.room, seat: seat.seat };
        }
        this.ask.end();
        Object.assign(this.state, { quick: null, gone: null, refused: null, found: null });
        this.state.stay = { code: seat.code, name, spectate, generation: seat.generation };
        this.granted = seat.seat;
        this.ports.saveStay(this.state.stay);
        actsGranted(this.acts, seat.generation, seat.counter);
        this.repeatAct();
        this.pump();
    }

    private onRoom(frame: RoomFrame): void {
        const stay = this.state.stay;
        if (stay === null || this.state.gone === 'otherWindow') {
            return;
        }
        const outcome = fold(this.state.room, frame);
        if (outcome.kind === 'resync') {
            this.post({ case: 'resync', value: {} });
        } else if (outcome.kind === 'applied') {
            const seat = this.state.room?.seat ?? this.granted;
            this.state.room = { ...outcome.next, code: stay.code, seat };
            this.state.clock = clockFrame(this.state.clock, outcome.next.roomTime, this.ports.now());
            this.state.unreachable = false;
            if (outcome.events.length > 0) {
                this.ports.happened(outcome.events);
            }
        }
    }

    private onDetached(why: Detached_Why): void {
        this.ask.release();
        if (why === Detached_Why.OTHER_WINDOW) {
            this.state.gone = 'otherWindow';
            actsForget(this.acts);
        } else if (why === Detached_Why.LEFT) {
            return; // ours: it was forgotten when it was asked for
        } else {
            this.forgetRoom(why === Detached_Why.KICKED ? 'kicked' : 'closed');
        }
    }

    private onNotice(kind: Notice_Kind): void {
        if (kind === Notice_Kind.ROOM_UNREACHABLE) {
            this.state.unreachable = true;
        } else if (kind === Notice_Kind.ROOM_BACK) {
            this.state.unreachable = false;
        } else if (kind === Notice_Kind.GATEWAY_LEAVING) {
            this.linkEvent({ kind: 'move' });
        }
    }

    private forgetRoom(gone: Gone | null): void {
        Object.assign(this.state, { room: null, stay: null, gone, unreachable: false });
        this.state.clock = { ...newClock(), rtt: this.state.clock.rtt };
        actsForget(this.acts);
        this.ports.saveStay(null);
    }

    private repeatAct(): void {
        const frame = actsRepeat(this.acts);
        if (frame !== null) {
            this.post({ case: 'act', value: frame });
        }
    }

    // What is in flight when the line is down is sent by repeatAct() once the seat is granted again.
    private pump(): void {
        if (this.link.phase === 'open' && this.ask.current?.kind !== 'return') {
            const frame = actsNext(this.acts);
            if (frame !== null) {
                this.post({ case: 'act', value: frame });
            }
        }
    }
}
