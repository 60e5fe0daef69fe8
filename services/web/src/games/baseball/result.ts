// SPDX-License-Identifier: Apache-2.0
//
// The figures of a finished game, out of the view that then shows everything.
import { Standing } from '../../gen/baseball_pb';
import { readLog, type Judged, type Model } from './model';

export interface Figures {
    solved: number;
    guesses: number;
    hints: number;
    fastest: number | null; // tenths of a second
    near: { seat: number; judged: Judged } | null; // the best throw that was not it; the earliest of equals
}

export function logsOf(model: Model): Judged[][] {
    return (model.view.result?.logs ?? []).map((log) => readLog(log, model.digits));
}

const worth = (judged: Judged): number => 10 * judged.strikes + judged.balls;

export function figuresOf(model: Model): Figures {
    const { players } = model.view;
    const solved = players.filter((p) => p.standing === Standing.SOLVED);
    const misses = logsOf(model)
        .flatMap((log, seat) => log.map((judged, i) => ({ seat, judged, i })))
        .filter(({ judged }) => judged.strikes < model.digits && worth(judged) > 0)
        .sort((a, b) => worth(b.judged) - worth(a.judged) || a.i - b.i || a.seat - b.seat);
    return {
        solved: solved.length,
        guesses: players.reduce((sum, p) => sum + p.guesses, 0),
        hints: players.reduce((sum, p) => sum + p.hints, 0),
        fastest: solved.length > 0 ? Math.min(...solved.map((p) => p.timeTenths)) : null,
        near: misses[0] ?? null,
    };
}
