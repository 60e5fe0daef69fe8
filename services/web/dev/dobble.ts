// SPDX-License-Identifier: Apache-2.0
//
// Situations of 짝꿍 그림. The deck is the real one, and cards lie as they do in games.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { OptionKind, RoomState } from '../src/gen/client_pb';
import { Ending, MineSchema, MiniGame, Part, Phase, ViewSchema, type CardSchema, type SeatSchema } from '../src/gen/dobble_pb';
import { choice, makePresence, makeRoom, SCENE_TIME as T0, type GameScenes, type Scene } from './scene';

type ViewInit = MessageInitShape<typeof ViewSchema>;
type MineInit = MessageInitShape<typeof MineSchema>;
type CardInit = MessageInitShape<typeof CardSchema>;
type SeatInit = MessageInitShape<typeof SeatSchema>;

const info: GameScenes['info'] = {
    id: 'dobble',
    seatsMin: 2,
    seatsMax: 8,
    soloKey: 'practice',
    rulesVersion: 2,
    options: [
        choice('miniGame', [[1, 'tower'], [2, 'well'], [3, 'hotPotato'], [4, 'poisonedGift'], [5, 'triplet']], 1),
        choice('deckSize', [[57, '57'], [55, '55']], 57),
        { ...choice('hotPotatoRounds', [[3, '3'], [5, '5'], [7, '7']], 5), dependsKey: 'miniGame', dependsValue: 3 },
        choice('wrongLockoutMs', [[0, '0'], [1000, '1000'], [2000, '2000']], 1000),
        choice('latencyComp', [[0, 'off'], [1, 'light']], 0),
        choice('symbolStyle', [[0, 'classic'], [1, 'easy']], 0),
        { key: 'showRtt', kind: OptionKind.SWITCH, defaultValue: 1 },
        { key: 'wellEndAtFirst', kind: OptionKind.SWITCH, dependsKey: 'miniGame', dependsValue: 2 },
        { key: 'wrongGivesCard', kind: OptionKind.SWITCH, dependsKey: 'miniGame', dependsValue: 1 },
        { key: 'practice', kind: OptionKind.SWITCH },
    ],
};
const options = {
    miniGame: 1, deckSize: 57, hotPotatoRounds: 5, wrongLockoutMs: 1000, latencyComp: 0, symbolStyle: 0,
    showRtt: 1, wellEndAtFirst: 0, wrongGivesCard: 0, practice: 0,
};

const N = 7;
const deck: number[][] = [Array.from({ length: N + 1 }, (_, i) => i)];
for (let j = 0; j < N; j++) {
    deck.push([0, ...Array.from({ length: N }, (_, k) => N + 1 + N * j + k)]);
}
for (let i = 0; i < N; i++) {
    for (let j = 0; j < N; j++) {
        deck.push([i + 1, ...Array.from({ length: N }, (_, k) => N + 1 + N * k + ((i * k + j) % N))]);
    }
}

function card(id: number): CardInit {
    const pictures = (deck[(id * 23) % deck.length] ?? []).map((mark) => (mark * 20 + 7) % 57);
    return { all: Uint8Array.from([id, ...pictures, id * 37, id * 101, id * 13]) };
}

const counts = [12, 9, 15, 7, 3, 10, 6, 8];
const seats = (people: number, change: (seat: number) => SeatInit = () => ({})): SeatInit[] =>
    Array.from({ length: people }, (_, i) => ({
        top: card(i + 2), cards: counts[i], role: Part.IN, correct: i, wrong: 1, ...change(i),
    })) as SeatInit[];

const escaped: SeatInit = { role: Part.ESCAPED, place: 1, cards: 0, top: undefined };
const hidden = (people: number): SeatInit[] => seats(people, () => ({ top: undefined }));

const settings = { deckSize: 57, wrongLockoutMs: 1000, showRtt: true };
const view = (people: number, miniGame: MiniGame, change: ViewInit = {}): ViewInit =>
    ({
        miniGame,
        phase: Phase.PLAYING,
        phaseStarted: BigInt(T0),
        round: 1,
        rounds: 1,
        centre: miniGame === MiniGame.HOT_POTATO || miniGame === MiniGame.TRIPLET ? undefined : card(1),
        inCentre: 1,
        drawCount: 32,
        seats: seats(people),
        settings,
        ...change,
    }) as ViewInit;

function scene(people: number, game: ViewInit, mine: MineInit = {}, change: Partial<Scene> = {}): Scene {
    const seat = change.seat ?? 0;
    const presence = makePresence(info, people);
    presence.seats?.forEach((each, i) => ((each as { rttMs: number }).rttMs = [18, 34, 120, 260, 45, 81, 7, 199][i] ?? 0));
    return {
        seat,
        room: makeRoom(info, people, RoomState.PLAYING, options),
        presence,
        game: toBinary(ViewSchema, create(ViewSchema, game)),
        mine: seat < 0 ? undefined : toBinary(MineSchema, create(MineSchema, mine)),
        ...change,
    };
}
const over = (people: number, change = {}) =>
    makeRoom(info, people, RoomState.RESULT, options, { starter: 0, gameNumber: 3, ...change });
const nine = Array.from({ length: 9 }, (_, i) => card(i + 20));
const others = (people: number) => Array.from({ length: people - 1 }, (_, i) => i + 1);
const ranked = (seat: number, rank: number, cards: number, points: number, more = {}) => ({
    seat, rank, cards, points, correct: cards, wrong: seat, ...more,
});

export const dobble: GameScenes = {
    info,
    scenes: {
        D0BBY1: { seat: 0, room: makeRoom(info, 1, RoomState.LOBBY, options), presence: makePresence(info, 1) },
        DC0VNT: scene(2, view(2, MiniGame.TOWER, {
            phase: Phase.COUNTDOWN, phaseEnds: BigInt(T0 + 3000), centre: undefined, seats: hidden(2),
        })),
        DT0WR2: scene(2, view(2, MiniGame.TOWER)),
        DT0WR8: scene(8, view(8, MiniGame.TOWER, {
            seats: seats(8, (i) => (i === 3 ? { lockedUntil: BigInt(T0 + 60_000) } : {})),
        }), { suspects: [2] }),
        D10CKD: scene(3, view(3, MiniGame.TOWER, {
            seats: seats(3, (i) => (i === 0 ? { lockedUntil: BigInt(T0 + 60_000) } : {})),
        })),
        DEASY3: scene(3, view(3, MiniGame.WELL, { settings: { ...settings, easy: true } as ViewInit['settings'] })),
        DP0TA5: scene(5, view(5, MiniGame.HOT_POTATO, {
            round: 2,
            rounds: 5,
            drawCount: 0,
            seats: seats(5, (i) => (i === 3 ? escaped : { cards: i + 1 })),
        }), { targets: [1, 2, 4] }),
        DP0TA8: scene(8, view(8, MiniGame.HOT_POTATO, {
            round: 2,
            rounds: 5,
            drawCount: 0,
            seats: seats(8, () => ({ cards: 1 })),
        }), { targets: others(8) }),
        DG1FT2: scene(2, view(2, MiniGame.POISONED_GIFT), { targets: [1] }),
        DG1FT4: scene(4, view(4, MiniGame.POISONED_GIFT), { targets: others(4) }),
        DTR1P4: scene(4, view(4, MiniGame.TRIPLET, { places: nine, seats: hidden(4) })),
        DH1NT2: scene(2, view(2, MiniGame.TOWER, {
            phase: Phase.HINT,
            phaseEnds: BigInt(T0 + 600_000),
        }), { hints: [{ art: 7 }] }),
        DR0VND: scene(5, view(5, MiniGame.HOT_POTATO, {
            phase: Phase.ROUND_END, phaseEnds: BigInt(T0 + 3000), round: 2, rounds: 5,
            lastRound: { round: 2, loser: 2, cards: 5 }, seats: seats(5, (i) => ({ penalty: [0, 5, 5, 0, 0][i] })),
        })),
        DESCAP: scene(5, view(5, MiniGame.HOT_POTATO, {
            round: 2, rounds: 5, seats: seats(5, (i) => (i === 0 ? escaped : { cards: i })),
        })),
        DPAVSE: scene(2, view(2, MiniGame.TOWER, {
            phase: Phase.PAUSED,
            phaseStarted: BigInt(T0 - 10_000),
            phaseEnds: BigInt(T0 + 50_000),
            centre: undefined,
            seats: hidden(2),
        }), {}, { presence: makePresence(info, 2, [1]) }),
        DWATCH: scene(4, view(4, MiniGame.TOWER), {}, { seat: -1 }),
        DWATC3: scene(4, view(4, MiniGame.TRIPLET, { places: nine }), {}, { seat: -1 }),
        DPRACT: scene(1, view(1, MiniGame.TOWER, { settings: { ...settings, practice: true } as ViewInit['settings'] })),
        DEND22: scene(4, view(4, MiniGame.TOWER, {
            phase: Phase.FINISHED,
            result: {
                ending: Ending.PLAYED,
                ranking: [ranked(0, 1, 21, 3), ranked(2, 2, 15, 2), ranked(3, 3, 11, 1), ranked(1, 4, 10, 0)],
            },
        }), {}, { room: over(4) }),
        DENDP0: scene(4, view(4, MiniGame.HOT_POTATO, {
            phase: Phase.FINISHED,
            result: {
                ending: Ending.TOO_FEW,
                ranking: [
                    ranked(1, 1, 0, 3, { penalty: 2 }), ranked(2, 1, 0, 3, { penalty: 2 }),
                    ranked(0, 3, 0, 1, { penalty: 8 }), ranked(3, 4, 0, 0, { penalty: 4, forfeited: true }),
                ],
            },
        }), {}, { room: over(4) }),
        DENDPR: scene(1, view(1, MiniGame.TOWER, {
            phase: Phase.FINISHED, settings: { ...settings, practice: true } as ViewInit['settings'],
            result: { ending: Ending.PLAYED, ranking: [ranked(0, 0, 56, 0, { wrong: 3 })] },
        }), {}, { room: over(1) }),
    },
};
