// SPDX-License-Identifier: Apache-2.0
//
// Judgements, standings, times and refusals of this game as words.
import { BaseballReason, Cause, Standing, type Player } from '../../gen/baseball_pb';
import type { Refusal } from '../../gen/client_pb';
import { t, tData, type Key } from '../../texts/index.svelte';
import type { Judged } from './model';

export function judgedWords({ strikes, balls }: Judged): string {
    const said = [
        strikes > 0 ? t('nb.strikes', { count: strikes }) : '',
        balls > 0 ? t('nb.balls', { count: balls }) : '',
    ].filter((word) => word !== '');
    return said.length > 0 ? said.join(' ') : t('nb.out');
}

const standings: Record<Standing, Key> = {
    [Standing.UNSPECIFIED]: 'nb.standing.PLAYING',
    [Standing.PLAYING]: 'nb.standing.PLAYING',
    [Standing.SOLVED]: 'nb.standing.SOLVED',
    [Standing.EXHAUSTED]: 'nb.standing.EXHAUSTED',
    [Standing.GAVE_UP]: 'nb.standing.GAVE_UP',
    [Standing.TIME_OVER]: 'nb.standing.TIME_OVER',
};
export function standingWord(standing: Standing): string {
    return t(standings[standing]);
}

const causes: Partial<Record<Cause, Key>> = {
    [Cause.TIME_LIMIT]: 'nb.cause.TIME_LIMIT',
    [Cause.ABSENCE]: 'nb.cause.ABSENCE',
};
// Why the game ended, where that is not plain from how everybody ended.
export function causeWords(cause: Cause): string {
    const key = causes[cause];
    return key === undefined ? '' : t(key);
}

export function usedParts(player: Player): string[] {
    const guesses = t('nb.used.guesses', { count: player.guesses });
    return player.hints > 0 ? [guesses, t('nb.used.hints', { count: player.hints })] : [guesses];
}
export function usedWords(player: Player): string {
    return usedParts(player).join(' · ');
}

// "2분 13.4초", for sentences.
export function timeWords(tenths: number): string {
    const minutes = Math.floor(tenths / 600);
    const seconds = `${Math.floor((tenths % 600) / 10)}.${tenths % 10}`;
    return minutes > 0 ? t('nb.time', { minutes, seconds }) : t('nb.time.short', { seconds });
}

export function sayBaseballRefusal(why: Refusal): string {
    const params = Object.fromEntries(why.params.map((p, i) => [`p${i}`, p]));
    return tData(`nb.reason.${BaseballReason[why.code] ?? ''}`, t('nb.reason.UNSPECIFIED'), params);
}
