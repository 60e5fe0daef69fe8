// SPDX-License-Identifier: Apache-2.0
//
// Situations of 숫자 암호.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { OptionKind, RoomState } from '../src/gen/client_pb';
import { Color, Face, MineSchema, Phase, ViewSchema } from '../src/gen/davinci_pb';
import { choice, makePresence, makeRoom, SCENE_TIME, type GameScenes, type RoomInit, type Scene } from './scene';

const T0 = SCENE_TIME;
const info: GameScenes['info'] = {
    id: 'davinci-code',
    seatsMin: 2,
    seatsMax: 4,
    rulesVersion: 1,
    options: [
        { key: 'jokers', kind: OptionKind.SWITCH },
        choice('tieOrder', [[0, 'black-left'], [1, 'white-left']], 0),
        choice('startTiles', [[0, 'auto'], [3, '3'], [4, '4'], [5, '5']], 0),
        { key: 'chooseColors', kind: OptionKind.SWITCH, defaultValue: 1 },
        choice('emptyPoolPenalty', [[1, 'reveal-own'], [0, 'none']], 1),
        choice('turnSeconds', [[20, '20'], [30, '30'], [45, '45'], [60, '60']], 30),
        { key: 'deductionHelper', kind: OptionKind.SWITCH },
        { key: 'history', kind: OptionKind.SWITCH, defaultValue: 1 },
    ],
};

type View = MessageInitShape<typeof ViewSchema>;
type Mine = MessageInitShape<typeof MineSchema>;
interface Drawn extends Omit<Scene, 'game' | 'mine'> {
    game?: View;
    mine?: Mine;
}
type TileInit = { color: Color; face: Face; entry: number; refuted?: number; newest?: boolean };

const options = {
    jokers: 0,
    tieOrder: 0,
    startTiles: 0,
    chooseColors: 1,
    emptyPoolPenalty: 1,
    turnSeconds: 30,
    deductionHelper: 0,
    history: 1,
};
const room = (people: number, state: RoomState, change: RoomInit = {}): RoomInit =>
    makeRoom(info, people, state, options, change);
const presence = (people: number, away: number[] = [], watchers: string[] = []) =>
    makePresence(info, people, away, watchers);

const b = (face: number | null, entry: number, more: Partial<TileInit> = {}): TileInit => ({
    color: Color.BLACK,
    face: face === null ? Face.UNSPECIFIED : Face.N0 + face,
    entry,
    ...more,
});
const w = (face: number | null, entry: number, more: Partial<TileInit> = {}): TileInit => ({
    ...b(face, entry, more),
    color: Color.WHITE,
});

const settings = {
    jokers: false,
    whiteLeft: false,
    chooseColors: true,
    revealOwn: true,
    turnSeconds: 30,
    helper: true,
    history: true,
};

const history = [
    { by: 1, target: 0, position: 1, entry: 2, color: Color.WHITE, said: Face.N7, correct: false, turn: 1 },
    { by: 2, target: 1, position: 1, entry: 3, color: Color.WHITE, said: Face.N3, correct: true, turn: 2 },
    { by: 2, target: 1, position: 2, entry: 2, color: Color.BLACK, said: Face.N8, correct: false, turn: 2 },
    { by: 3, target: 1, position: 2, entry: 2, color: Color.BLACK, said: Face.N6, correct: false, automatic: true, turn: 3 },
];

function game(people: number, phase: Phase, change: Partial<View> = {}): View {
    const rows = [
        [b(null, 1), w(null, 2), b(9, 4), w(null, 3)],
        [b(null, 1), w(3, 3), b(null, 2, { refuted: (1 << Face.N8) | (1 << Face.N6) }), w(null, 4, { newest: true })],
        [w(1, 1), b(null, 2), w(8, 4), b(null, 3)],
        [b(null, 3), w(null, 1), w(null, 2)],
    ].slice(0, people);
    return {
        phase,
        current: 0,
        deadline: BigInt(T0 + 24_000),
        phaseStarted: BigInt(T0),
        phaseEndsFull: 30_000n,
        poolBlack: 5,
        poolWhite: 4,
        rows: rows.map((tiles, i) => ({ tiles, alive: true, guesses: i, correct: i > 1 ? 1 : 0 })),
        turnTile: Color.WHITE,
        history: history.filter((h) => h.by < people && h.target < people),
        settings,
        turn: 5,
        startTiles: people > 3 ? 3 : 4,
        ...change,
    } as View;
}

const mineFaces = { faces: [Face.N2, Face.N4, Face.N9, Face.N10], turnFace: Face.N5 };

const finishedRows = [
    [b(2, 1), w(4, 2), w(5, 5), b(9, 4), w(10, 3)],
    [b(1, 1), w(3, 3), b(7, 2), w(11, 4)],
    [w(1, 1), b(3, 2), w(8, 4), b(10, 3)],
    [b(0, 3), w(0, 1), w(7, 2)],
];

const result: View['result'] = {
    winner: 0,
    ranking: [
        { seat: 0, rank: 1, hiddenLeft: 3, guesses: 9, correct: 6 },
        { seat: 2, rank: 2, hiddenLeft: 0, guesses: 7, correct: 3 },
        { seat: 3, rank: 3, hiddenLeft: 0, guesses: 5, correct: 2, left: true },
        { seat: 1, rank: 4, hiddenLeft: 0, guesses: 4, correct: 0 },
    ],
    rows: finishedRows.map((tiles, seat) => ({
        tiles: tiles.map((t, i) => ({ color: t.color, face: t.face, wasHidden: seat === 0 && i < 3 })),
    })),
    turnTileSeat: 0,
    turnTile: { color: Color.BLACK, face: Face.N11, wasHidden: true },
};

const P = RoomState.PLAYING;
const long = (count: number): TileInit[] =>
    Array.from({ length: count }, (_, i) => (i % 2 ? w(i % 3 ? null : i, i + 1) : b(i % 3 ? null : i, i + 1)));

const drawn: Record<string, Drawn> = {
    '10BBY1': { seat: 0, room: room(1, RoomState.LOBBY), presence: presence(1) },
    '10BBY2': {
        seat: 1,
        room: room(2, RoomState.LOBBY, { host: 0, verdict: 'note.davinci-code.short' }),
        presence: presence(2, [0]),
    },
    '10BBY4': {
        seat: 0,
        room: room(4, RoomState.LOBBY, { isPublic: true }),
        presence: presence(4, [], ['구경꾼', '이모']),
    },
    WATCH1: { seat: -1, room: room(2, RoomState.LOBBY), presence: presence(2, [], ['구경꾼']) },
    CH00SE: {
        seat: 0,
        room: room(3, P),
        presence: presence(3),
        game: {
            ...(game(3, Phase.CHOOSE_START) as object),
            rows: [{ alive: true }, { alive: true, picked: true }, { alive: true }] as NonNullable<View['rows']>,
            turnTile: Color.UNSPECIFIED,
            history: [],
            turn: 0,
            poolBlack: 12,
            poolWhite: 12,
        },
        mine: {},
    },
    DRAWME: {
        seat: 0,
        room: room(4, P),
        presence: presence(4, [3]),
        game: game(4, Phase.DRAW, { turnTile: Color.UNSPECIFIED }),
        mine: { faces: mineFaces.faces },
    },
    G4VESS: { seat: 0, room: room(4, P), presence: presence(4), game: game(4, Phase.GUESS), mine: mineFaces },
    G2VESS: { seat: 0, room: room(2, P), presence: presence(2), game: game(2, Phase.GUESS), mine: mineFaces },
    AFTER3: { seat: 0, room: room(3, P), presence: presence(3), game: game(3, Phase.AFTER_CORRECT), mine: mineFaces },
    J0KER1: {
        seat: 0,
        room: room(2, P),
        presence: presence(2),
        game: game(2, Phase.AFTER_CORRECT, { settings: { ...settings, jokers: true } as View['settings'] }),
        mine: { ...mineFaces, turnFace: Face.JOKER, jokerPlaceNeeded: true },
    },
    J0KER2: {
        seat: 0,
        room: room(2, P),
        presence: presence(2),
        game: game(2, Phase.GUESS, { settings: { ...settings, jokers: true } as View['settings'] }),
        mine: { ...mineFaces, turnFace: Face.JOKER, jokerPlaceNeeded: true },
    },
    P1ACEJ: {
        seat: 0,
        room: room(3, P),
        presence: presence(3),
        game: game(3, Phase.PLACE_JOKER, { turnFace: Face.JOKER, settings: { ...settings, jokers: true } as View['settings'] }),
        mine: { faces: mineFaces.faces },
    },
    REVEA1: {
        seat: 0,
        room: room(3, P),
        presence: presence(3),
        game: game(3, Phase.REVEAL_OWN, { turnTile: Color.UNSPECIFIED, poolBlack: 0, poolWhite: 0 }),
        mine: { faces: mineFaces.faces },
    },
    WA1TER: {
        seat: 0,
        room: room(4, P),
        presence: presence(4),
        game: game(4, Phase.GUESS, { current: 1 }),
        mine: { faces: mineFaces.faces },
    },
    SPECT8: { seat: -1, room: room(3, P), presence: presence(3, [], ['나']), game: game(3, Phase.GUESS, { current: 1 }) },
    MANY12: {
        seat: 0,
        room: room(2, P),
        presence: presence(2),
        game: game(2, Phase.GUESS, {
            rows: [
                { tiles: long(12), alive: true },
                { tiles: long(11), alive: true },
            ] as View['rows'],
            poolBlack: 0,
            poolWhite: 1,
        }),
        mine: { faces: long(12).map((_, i) => Face.N0 + i), turnFace: Face.N5 },
    },
    END111: {
        seat: 0,
        room: room(4, RoomState.RESULT, { starter: 0, gameNumber: 3 }),
        presence: presence(4),
        game: game(4, Phase.FINISHED, { result, deadline: 0n, turnTile: Color.UNSPECIFIED }),
        mine: mineFaces,
    },
    END222: {
        seat: 1,
        room: room(4, RoomState.RESULT, { starter: 0, gameNumber: 3 }),
        presence: presence(4),
        game: game(4, Phase.FINISHED, { result, deadline: 0n, turnTile: Color.UNSPECIFIED }),
        mine: {},
    },
    PAVSED: {
        seat: 0,
        room: room(3, RoomState.PAUSED, { closesAt: BigInt(T0 + 280_000) }),
        presence: presence(3, [1, 2]),
        game: game(3, Phase.GUESS),
        mine: mineFaces,
    },
    RETVRN: { seat: 0, room: room(3, P), presence: presence(3), game: game(3, Phase.GUESS), mine: mineFaces, cut: true },
    '0THER1': { seat: 0, room: room(3, P), presence: presence(3), game: game(3, Phase.GUESS), mine: mineFaces, detached: true },
};

export const davinci: GameScenes = {
    info,
    scenes: Object.fromEntries(
        Object.entries(drawn).map(([code, { game: view, mine, ...scene }]) => [
            code,
            {
                ...scene,
                game: view && toBinary(ViewSchema, create(ViewSchema, view)),
                mine: mine && toBinary(MineSchema, create(MineSchema, mine)),
            },
        ]),
    ),
};
