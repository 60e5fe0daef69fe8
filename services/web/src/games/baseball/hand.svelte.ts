// SPDX-License-Identifier: Apache-2.0
//
// What a player holds in hand: the half-typed guess, the memo, and the word on a key that could not be taken.
// It is this device's alone; the game never changes the memo.
import { t } from '../../texts/index.svelte';
import { cycleNote, loadKept, saveKept, type Memo } from './kept';
import { guessedAs, paste, typeOne, type Judged, type Typed } from './model';

export class Hand {
    typed = $state('');
    memo = $state<Memo>([]);
    writing = $state(false); // keys write the memo instead of the guess
    word = $state<(() => string) | null>(null);
    shakes = $state(0); // rises when the slots are to shake
    private sent = '';

    constructor(
        private readonly key: string,
        private readonly digits: number,
        log: Judged[],
    ) {
        const kept = loadKept(key, digits);
        this.memo = kept.memo;
        this.typed = kept.typed;
        // The guess was on its way when the page went, and has arrived.
        this.sent = this.typed.length === digits ? this.typed : '';
        this.settle(log);
    }

    get full(): boolean {
        return this.typed.length === this.digits;
    }

    press(character: string): void {
        if (this.writing) {
            this.mark(character);
        } else {
            this.take(typeOne(this.typed, character, this.digits));
        }
    }
    paste(text: string): void {
        this.take(paste(text, this.digits));
    }
    back(): void {
        this.put(this.typed.slice(0, -1));
    }
    // The memo opens and closes; what was said of the guess is over then.
    write(on: boolean): void {
        this.writing = on;
        this.word = null;
    }
    mark(character: string): void {
        if (/^[0-9]$/.test(character)) {
            const digit = Number(character);
            this.memo = this.memo.map((note, i) => (i === digit ? cycleNote(note) : note));
            this.keep();
        }
    }

    // The guess to send, or null with a word on why there is none.
    submit(log: Judged[]): string | null {
        if (!this.full) {
            this.say(() => t('nb.no.short', { digits: this.digits }));
            return null;
        }
        const number = guessedAs(log, this.typed);
        if (number > 0) {
            this.refuse(() => t('nb.no.repeat', { number }));
            return null;
        }
        this.sent = this.typed;
        return this.typed;
    }
    // A guess that does not count: the slots shake, and say why.
    refuse(word: () => string): void {
        this.shakes += 1;
        this.sent = '';
        this.say(word);
    }
    // A guess that was sent and is in the log has left the hand.
    settle(log: Judged[]): void {
        if (this.sent !== '' && guessedAs(log, this.sent) > 0) {
            if (this.typed === this.sent) {
                this.put('');
            }
            this.sent = '';
        }
    }

    private take(result: Typed): void {
        if (result.ok) {
            this.put(result.typed);
        } else if (result.why === 'char') {
            this.say(() => t('nb.no.char'));
        } else if (result.why === 'used') {
            this.say(() => t('nb.no.used', { digit: result.digit ?? '' }));
        } else {
            this.say(() => t('nb.no.full'));
        }
    }
    private put(typed: string): void {
        this.typed = typed;
        this.word = null;
        this.keep();
    }
    private say(word: () => string): void {
        this.word = word;
    }
    private keep(): void {
        saveKept(this.key, { memo: this.memo, typed: this.typed });
    }
}
