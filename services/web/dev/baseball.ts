// SPDX-License-Identifier: Apache-2.0
//
// Situations of 숫자 야구. The secret of all of them is 4097.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { Cause, MineSchema, Phase, Standing, ViewSchema } from '../src/gen/baseball_pb';
import { OptionKind, RoomState } from '../src/gen/client_pb';
import { choice, makePresence, makeRoom, SCENE_TIME, type GameScenes, type RoomInit, type Scene } from './scene';

type View = MessageInitShape<typeof ViewSchema>;
type Mine = MessageInitShape<typeof MineSchema>;
type Settings = NonNullable<View['settings']>;

const info: GameScenes['info'] = {
    id: 'number-baseball',
    seatsMin: 1,
    seatsMax: 12,
    rulesVersion: 1,
    options: [
        choice('digits', [[3, '3'], [4, '4'], [5, '5']], 4),
        { key: 'guessLimit', kind: OptionKind.SWITCH, defaultValue: 1 },
        { key: 'guesses', kind: OptionKind.NUMBER, min: 5, max: 20, defaultValue: 10, dependsKey: 'guessLimit', dependsValue: 1 },
        choice('timeLimit', [[3, '3'], [5, '5'], [10, '10'], [0, 'none']], 5),
        { key: 'hints', kind: OptionKind.SWITCH, defaultValue: 1 },
    ],
};
const room = (people: number, state: RoomState, change: RoomInit = {}): RoomInit =>
    makeRoom(info, people, state, { digits: 4, guessLimit: 1, guesses: 10, timeLimit: 5, hints: 1 }, change);
const presence = (people: number, away: number[] = [], watchers: string[] = []) =>
    makePresence(info, people, away, watchers);

const T0 = BigInt(SCENE_TIME);
const settings: Settings = { digits: 4, guessLimit: 10, guessesMost: 10, timeLimitS: 300, hintsMost: 2 };
const log = { codes: [123, 4567, 4820, 7409, 4079], judged: [1, 11, 11, 12, 22] };
const P = RoomState.PLAYING;
const S = Standing;

// What each of up to twelve has done, by seat.
const doings: [guesses: number, hints: number, standing: Standing, tenths: number][] = [
    [5, 1, S.PLAYING, 0],
    [3, 0, S.PLAYING, 0],
    [7, 2, S.SOLVED, 1334],
    [4, 0, S.GAVE_UP, 900],
    [10, 2, S.EXHAUSTED, 2101],
    [6, 0, S.PLAYING, 0],
    [6, 1, S.SOLVED, 1502],
    [1, 0, S.PLAYING, 0],
    [8, 1, S.PLAYING, 0],
    [2, 0, S.PLAYING, 0],
    [9, 2, S.PLAYING, 0],
    [5, 0, S.PLAYING, 0],
];
function view(people: number, change: View = {}): View {
    return {
        phase: Phase.PLAYING,
        starts: T0 - 68_000n,
        ends: T0 + 232_000n,
        players: doings
            .slice(0, people)
            .map(([guesses, hints, standing, timeTenths]) => ({ guesses, hints, standing, timeTenths })),
        settings,
        ...change,
    } as View;
}
const mine = (change: Mine = {}): Mine =>
    ({ log, hints: [{ position: 2, digit: 9 }], guessesLeft: 5, hintsLeft: 1, ...change }) as Mine;
const fresh: Mine = { log: {}, guessesLeft: 10, hintsLeft: 2 } as Mine;
const me = (guesses: number, hints: number, standing: Standing, timeTenths = 0) => ({ guesses, hints, standing, timeTenths });
const others = (people: number) => view(people).players?.slice(1) ?? [];

const ended: View = {
    phase: Phase.FINISHED,
    players: [
        me(6, 1, S.SOLVED, 1402),
        me(7, 0, S.SOLVED, 2011),
        me(7, 2, S.SOLVED, 1334),
        me(4, 0, S.GAVE_UP, 900),
        me(10, 2, S.EXHAUSTED, 2101),
        me(8, 0, S.TIME_OVER, 3000),
    ],
    result: {
        secret: '4097',
        hints: [{ position: 2, digit: 9 }, { position: 0, digit: 4 }],
        ranking: [
            { seat: 0, rank: 1, points: 3 },
            { seat: 1, rank: 2, points: 2 },
            { seat: 2, rank: 3, points: 1 },
            { seat: 4, rank: 0 },
            { seat: 3, rank: 0, left: true },
            { seat: 5, rank: 0 },
        ],
        logs: [
            { codes: [...log.codes, 4097], judged: [...log.judged, 40] },
            { codes: [1234, 5678, 4097], judged: [1, 1, 40] },
            { codes: [9876, 4097], judged: [2, 40] },
            { codes: [123, 4567], judged: [1, 11] },
            { codes: [4096, 4098], judged: [30, 30] },
            { codes: [5862], judged: [0] },
        ],
        cause: Cause.TIME_LIMIT,
    },
} as View;
const alone: View = {
    phase: Phase.FINISHED,
    players: [me(6, 1, S.SOLVED, 1402)],
    result: { secret: '4097', ranking: [{ seat: 0 }],
        logs: [{ codes: [...log.codes, 4097], judged: [...log.judged, 40] }], cause: Cause.ALL_ENDED },
} as View;

interface Drawn extends Omit<Scene, 'game' | 'mine'> {
    game?: View;
    mine?: Mine;
}
const drawn: Record<string, Drawn> = {
    BASEB1: { seat: 0, room: room(1, RoomState.LOBBY), presence: presence(1) },
    BASEB7: { seat: 0, room: room(7, RoomState.LOBBY, { isPublic: true }), presence: presence(7, [3], ['구경꾼']) },
    BAC0VN: { seat: 0, room: room(5, P), presence: presence(5),
        game: view(5, { phase: Phase.COUNTDOWN, starts: T0 + 2600n,
        players: doings.slice(0, 5).map(() => me(0, 0, S.PLAYING)) } as View), mine: fresh },
    BAF1RS: { seat: 0, room: room(3, P), presence: presence(3),
        game: view(3, { players: [me(0, 0, S.PLAYING), ...others(3)] } as View), mine: fresh },
    BAP1AY: { seat: 0, room: room(3, P), presence: presence(3, [1]), game: view(3), mine: mine() },
    BAF1VE: {
        seat: 0,
        room: room(12, P),
        presence: presence(12),
        game: view(12, { settings: { ...settings, digits: 5, guessLimit: 12, guessesMost: 12, hintsMost: 3 } as Settings }),
        mine: mine({
            log: { codes: [1234, 56789, 40972, 49076, 7946, 94027, 90472], judged: [11, 3, 41, 23, 14, 14, 32] },
            hints: [{ position: 0, digit: 4 }, { position: 4, digit: 2 }],
            guessesLeft: 1,
        } as Mine),
    },
    BAS010: { seat: 0, room: room(1, P), presence: presence(1), game: view(1), mine: mine() },
    BAFREE: {
        seat: 0,
        room: room(1, P),
        presence: presence(1),
        game: view(1, { settings: { ...settings, digits: 3, guessLimit: 0, guessesMost: 120, hintsMost: 0 } as Settings }),
        mine: mine({ log: { codes: [12, 345, 678], judged: [1, 11, 0] }, hints: [], hintsLeft: 0, guessesLeft: 117 } as Mine),
    },
    BAD0NE: {
        seat: 0,
        room: room(6, P),
        presence: presence(6, [5]),
        game: view(6, { players: [me(6, 1, S.SOLVED, 1402), ...others(6)] } as View),
        mine: mine({ log: { codes: [...log.codes, 4097], judged: [...log.judged, 40] } } as Mine),
    },
    BAGAVE: {
        seat: 0,
        room: room(3, P),
        presence: presence(3, [1]),
        game: view(3, { players: [me(5, 1, S.GAVE_UP, 700), ...others(3)], absenceEnds: T0 + 42_000n } as View),
        mine: mine(),
    },
    BAWATC: { seat: -1, room: room(12, P), presence: presence(12, [], ['나']), game: view(12) },
    BAEND1: { seat: 0, room: room(6, RoomState.RESULT, { starter: 0, gameNumber: 2 }), presence: presence(6),
        game: view(6, ended), mine: mine() },
    BAEND2: { seat: 5, room: room(6, RoomState.RESULT, { starter: 0, gameNumber: 2 }), presence: presence(6),
        game: view(6, ended), mine: mine() },
    BAEND3: { seat: 0, room: room(1, RoomState.RESULT, { gameNumber: 1 }), presence: presence(1), game: view(1, alone),
        mine: mine() },
};

export const baseball: GameScenes = {
    info,
    scenes: Object.fromEntries(
        Object.entries(drawn).map(([code, { game, mine: own, ...scene }]) => [
            code,
            {
                ...scene,
                game: game && toBinary(ViewSchema, create(ViewSchema, game)),
                mine: own && toBinary(MineSchema, create(MineSchema, own)),
            },
        ]),
    ),
};
