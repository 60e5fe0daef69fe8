// SPDX-License-Identifier: Apache-2.0
//
// The language in use and the only two ways to a sentence: t() for plain strings (titles, labels,
// announcements) and <T> for text with names in it.
import { Reason, type Refusal } from '../gen/client_pb';
import { local, recall, remember } from '../store/memory';
import { en } from './en';
import { parts, plain, type Params, type Part } from './format';
import { ko } from './ko';

export type Key = keyof typeof ko;
export type Lang = 'ko' | 'en';
export type Catalogue = Record<Key, string>;

const catalogues: Record<Lang, Catalogue> = { ko, en };
const LANG_KEY = 'madang.lang';

function firstLang(): Lang {
    const kept = recall(local, LANG_KEY);
    if (kept === 'ko' || kept === 'en') {
        return kept;
    }
    const wanted = typeof navigator === 'undefined' ? ['ko'] : navigator.languages;
    return wanted.some((l) => l.startsWith('ko')) || !wanted.some((l) => l.startsWith('en'))
        ? 'ko'
        : 'en';
}

let current = $state<Lang>(firstLang());

export function lang(): Lang {
    return current;
}

export function setLang(next: Lang): void {
    current = next;
    remember(local, LANG_KEY, next);
    if (typeof document !== 'undefined') {
        document.documentElement.lang = next;
    }
}

export function t(key: Key, params: Params = {}): string {
    return plain(catalogues[current][key], params);
}

export function tParts(key: Key, params: Params): Part[] {
    return parts(catalogues[current][key], params);
}

export function hasText(key: string): key is Key {
    return key in ko;
}

// For keys that arrive as data (options, notes): the sentence, or what the caller falls back to.
export function tData(key: string, fallback: string, params: Params = {}): string {
    return hasText(key) ? t(key, params) : fallback;
}

const refusals: Record<string, (why: Refusal) => string> = {};

// A game's screen says here how its own reasons read.
export function registerReasons(domain: string, say: (why: Refusal) => string): void {
    refusals[domain] = say;
}

function numbered(why: Refusal): Params {
    return Object.fromEntries(why.params.map((p, i) => [`p${i}`, p]));
}

export function sayRefusal(why: Refusal | null | undefined): string {
    if (why === null || why === undefined) {
        return t('reason.UNSPECIFIED');
    }
    if (why.domain !== '') {
        return refusals[why.domain]?.(why) ?? t('reason.UNSPECIFIED');
    }
    if (why.code === Reason.BAD_NAME) {
        const fault = why.params[0] ?? 0;
        return tData(`name.fault.${fault}`, t('reason.BAD_NAME'));
    }
    return tData(`reason.${Reason[why.code] ?? 'UNSPECIFIED'}`, t('reason.UNSPECIFIED'), numbered(why));
}
