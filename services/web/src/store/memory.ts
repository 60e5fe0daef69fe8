// SPDX-License-Identifier: Apache-2.0
//
// What the browser keeps for us. Storage may be forbidden (private windows): then it lives as long as the
// page, and what is not remembered is asked again.
export function remember(store: () => Storage, key: string, value: string | null): void {
    try {
        if (value === null) {
            store().removeItem(key);
        } else {
            store().setItem(key, value);
        }
    } catch {
        // forbidden or full: as if it had never been kept
    }
}

export function recall(store: () => Storage, key: string): string | null {
    try {
        return store().getItem(key);
    } catch {
        return null;
    }
}

export const local = (): Storage => window.localStorage;
export const tab = (): Storage => window.sessionStorage;
