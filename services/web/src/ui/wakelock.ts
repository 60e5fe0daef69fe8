// SPDX-License-Identifier: Apache-2.0
//
// The screen does not sleep during a game. The lock falls by itself when the page is hidden, so it is
// asked for again when the page is seen. Returns the way to let go.
export function keepAwake(): () => void {
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const ask = (): void => {
        if (over || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) {
            return;
        }
        navigator.wakeLock.request('screen').then(
            (got) => {
                lock = got;
                if (over) {
                    void got.release();
                }
            },
            () => undefined, // refused (low battery): the game goes on all the same
        );
    };
    document.addEventListener('visibilitychange', ask);
    ask();
    return () => {
        over = true;
        document.removeEventListener('visibilitychange', ask);
        void lock?.release();
    };
}
