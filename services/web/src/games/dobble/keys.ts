// SPDX-License-Identifier: Apache-2.0
//
// Playing by keys: 1 to 8 choose the pictures of a card in reading order. Physical keys count, whatever the input
// method writes with them.
export const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8'];

function forUs(event: KeyboardEvent): boolean {
    const elsewhere = event.target instanceof Element && event.target.closest('input, textarea, dialog') !== null;
    return !elsewhere && !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey;
}

export function keyNumber(event: KeyboardEvent): number | null {
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
    return digit === undefined || !forUs(event) ? null : Number(digit);
}

export function chosenByKey<T>(event: KeyboardEvent, choices: T[]): T | null {
    const number = keyNumber(event);
    return number === null ? null : (choices[number - 1] ?? null);
}

// A second row for where the digits mean cards.
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

export function letterOf(event: KeyboardEvent): number | null {
    const at = LETTERS.findIndex((letter) => event.code === `Key${letter}`);
    return at < 0 || !forUs(event) ? null : at;
}
