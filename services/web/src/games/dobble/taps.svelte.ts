// SPDX-License-Identifier: Apache-2.0
//
// What became of my last tap. It is answered on the spot before the server is: the picture grows under the finger,
// then turns green, grey or red where it was tapped, whatever lies there by then.
import type { Item } from './model';

// Nobody finds a picture so soon: a tap that comes so shortly after a card was for what lay there before.
export const AIM_MS = 200;

export type Outcome = 'sent' | 'right' | 'late' | 'wrong';
export type Slot = 'upper' | 'lower';

export interface Mark {
    outcome: Outcome;
    slot: Slot;
    item: Item;
    label: string; // of the claim; empty when it was not sent
    number: number;
}

const STAYS_MS: Record<Outcome, number> = { sent: 4000, right: 700, late: 1100, wrong: 900 };

export class Taps {
    mark = $state.raw<Mark | null>(null);
    pushed = $state(0); // taps in vain while I was locked
    private timer: ReturnType<typeof setTimeout> | undefined;
    private key = '';
    private since = -Infinity;
    private count = 0;

    constructor(private readonly now: () => number = () => performance.now()) {}

    // These cards lie on the screen now.
    show(key: string): void {
        if (key !== this.key) {
            this.key = key;
            this.since = this.now();
        }
    }

    // Whether a tap can be meant for what lies there.
    aimed(): boolean {
        return this.now() - this.since >= AIM_MS;
    }

    set(outcome: Outcome, slot: Slot, item: Item, label = ''): void {
        this.put({ outcome, slot, item, label, number: ++this.count });
    }

    // The server has spoken of the claim with this label, or of the last one.
    settle(outcome: Outcome, label?: string): boolean {
        const mark = this.mark;
        if (mark === null || mark.outcome !== 'sent' || (label !== undefined && label !== mark.label)) {
            return false;
        }
        this.put({ ...mark, outcome });
        return true;
    }

    push(): void {
        this.pushed += 1;
    }

    clear(): void {
        this.mark = null;
        clearTimeout(this.timer);
    }

    private put(mark: Mark): void {
        this.mark = mark;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => (this.mark = null), STAYS_MS[mark.outcome]);
    }
}
