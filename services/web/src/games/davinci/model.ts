// SPDX-License-Identifier: Apache-2.0
//
// What the screen reads out of the two messages of a view: pure functions, no rule of play beyond what may
// be tapped.
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import {
    ActionSchema,
    DavinciReason,
    Face,
    MineSchema,
    Phase,
    ViewSchema,
    type HistoryEntry,
    type Mine,
    type View,
} from '../../gen/davinci_pb';
import type { Refusal } from '../../gen/client_pb';
import type { Sight } from './candidates';

export interface Model {
    view: View;
    mine: Mine;
    me: number; // game seat, -1 for a spectator
    myTurn: boolean; // the game waits for me, and for nobody else
}

export function readModel(shared: Uint8Array, mine: Uint8Array, me: number): Model {
    const view = fromBinary(ViewSchema, shared);
    const turnPhase = view.phase !== Phase.CHOOSE_START && view.phase !== Phase.FINISHED;
    return {
        view,
        mine: fromBinary(MineSchema, mine),
        me,
        myTurn: turnPhase && me >= 0 && view.current === me,
    };
}

// Nobody is on turn while all choose their first tiles.
export function waitsForMe(model: Model): boolean {
    const choosing = model.view.phase === Phase.CHOOSE_START && model.view.rows[model.me]?.picked === false;
    return model.myTurn || choosing;
}

export type ActionKind = NonNullable<MessageInitShape<typeof ActionSchema>['kind']>;

export function actionBytes(kind: ActionKind): Uint8Array {
    return toBinary(ActionSchema, create(ActionSchema, { kind }));
}

// The face of a tile as this viewer knows it: open, or my own.
export function knownFace(model: Model, seat: number, index: number): Face {
    const open = model.view.rows[seat]?.tiles[index]?.face ?? Face.UNSPECIFIED;
    if (open !== Face.UNSPECIFIED || seat !== model.me) {
        return open;
    }
    return model.mine.faces[index] ?? Face.UNSPECIFIED;
}

export function knownTurnFace(model: Model): Face {
    if (model.view.turnFace !== Face.UNSPECIFIED) {
        return model.view.turnFace;
    }
    return model.view.current === model.me ? model.mine.turnFace : Face.UNSPECIFIED;
}

export function sightOf(model: Model): Sight {
    return {
        rows: model.view.rows.map((row, seat) =>
            row.tiles.map((tile, i) => ({
                color: tile.color,
                face: knownFace(model, seat, i),
                refuted: tile.refuted,
            })),
        ),
        turnColor: model.view.turnTile,
        turnFace: knownTurnFace(model),
        jokers: model.view.settings?.jokers ?? false,
        whiteLeft: model.view.settings?.whiteLeft ?? false,
    };
}

// Only hidden tiles of living opponents may be guessed; tiles are named by entry, which never shifts.
export function mayGuess(model: Model, seat: number, index: number): boolean {
    const row = model.view.rows[seat];
    return (
        model.myTurn &&
        model.view.phase === Phase.GUESS &&
        seat !== model.me &&
        row !== undefined &&
        row.alive &&
        row.tiles[index]?.face === Face.UNSPECIFIED
    );
}

export function indexOfEntry(model: Model, seat: number, entry: number): number {
    return model.view.rows[seat]?.tiles.findIndex((tile) => tile.entry === entry) ?? -1;
}

export function hiddenCount(model: Model, seat: number): number {
    return model.view.rows[seat]?.tiles.filter((t) => t.face === Face.UNSPECIFIED).length ?? 0;
}

// Seats in the order in which I meet them: after me, around the table; a spectator sees all from the first.
export function othersInOrder(model: Model): number[] {
    const count = model.view.rows.length;
    const from = model.me < 0 ? 0 : model.me + 1;
    const around = Array.from({ length: count }, (_, i) => (from + i) % count);
    return around.filter((seat) => seat !== model.me);
}

// Where the tile of a history entry stands today; -1 when it cannot be found.
export function positionToday(model: Model, entry: HistoryEntry): number {
    return indexOfEntry(model, entry.target, entry.entry);
}

export interface Pick {
    black: number;
    white: number;
    possible: boolean;
}
type Most = { black: number; white: number };

// The picks of chooseStart, from all black to all white. What is still possible nobody knows before a refusal tells.
export function startPicks(total: number, most: Most | null): Pick[] {
    return Array.from({ length: total + 1 }, (_, white) => {
        const black = total - white;
        return { black, white, possible: most === null || (black <= most.black && white <= most.white) };
    });
}

// How many black ones to offer: as many as wanted, or the nearest possible.
export function nearestPick(picks: Pick[], wanted: number): number {
    const far = (pick: Pick): number => Math.abs(pick.black - wanted);
    const able = picks.filter((pick) => pick.possible).sort((a, b) => far(a) - far(b) || b.black - a.black);
    return able[0]?.black ?? wanted;
}

// What a refusal of a pick tells of the piles; null when it is another refusal.
export function pickLimits(why: Refusal | undefined): Most | null {
    const told = why?.domain === 'davinci-code' && why.code === (DavinciReason.TOO_MANY as number);
    return told ? { black: why.params[0] ?? 0, white: why.params[1] ?? 0 } : null;
}
