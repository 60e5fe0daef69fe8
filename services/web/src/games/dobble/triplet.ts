// SPDX-License-Identifier: Apache-2.0
//
// What is chosen in the mini-game of three cards: up to three cards, in order, and a picture.
export interface Choice {
    cards: number[];
    art: number | null;
}

export const NOTHING: Choice = { cards: [], art: null };

// The same once more takes it back; a fourth card takes the place of the first.
export function choose(choice: Choice, tapped: { card: number } | { art: number }): Choice {
    if ('art' in tapped) {
        return { ...choice, art: choice.art === tapped.art ? null : tapped.art };
    }
    const without = choice.cards.filter((card) => card !== tapped.card);
    const cards = without.length < choice.cards.length ? without : [...without, tapped.card].slice(-3);
    // A picture was seen on a card: with no card left there is none.
    return { cards, art: cards.length === 0 ? null : choice.art };
}

export function stillThere(choice: Choice, open: number[]): Choice {
    const cards = choice.cards.filter((card) => open.includes(card));
    return { cards, art: cards.length === 0 ? null : choice.art };
}
