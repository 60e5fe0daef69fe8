// SPDX-License-Identifier: Apache-2.0
//
// "Nothing moves under the finger": between pointerdown and the click that follows it, changes to the page
// wait; then they come at once. A finger that rests does not stop the game: after HOLD_MOST_MS they come anyway.
export const HOLD_MOST_MS = 600;

interface Page {
    addEventListener(type: string, listen: () => void, capture: boolean): void;
}

export class Hold {
    private down = false;
    private waits = false;
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly publish: () => void) {}

    watch(page: Page): void {
        page.addEventListener('pointerdown', () => this.press(), true);
        for (const type of ['pointerup', 'pointercancel']) {
            // The click comes right after the pointer lifts, and is for what was there.
            page.addEventListener(type, () => setTimeout(() => this.lift(), 0), true);
        }
    }

    soon(): void {
        if (this.down) {
            this.waits = true;
        } else {
            this.publish();
        }
    }

    press(): void {
        this.down = true;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.lift(), HOLD_MOST_MS);
    }

    lift(): void {
        clearTimeout(this.timer);
        this.down = false;
        if (this.waits) {
            this.waits = false;
            this.publish();
        }
    }
}
