// SPDX-License-Identifier: Apache-2.0
//
// Reads the names of all pictures of a card out loud, in the order in which they stand there; which of them another
// card bears too, it does not know.
import { lang } from '../../texts/index.svelte';

export function canSpeak(): boolean {
    return typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined';
}

export function speakNames(names: string[]): void {
    if (!canSpeak()) {
        return;
    }
    const words = new SpeechSynthesisUtterance(names.join(', '));
    words.lang = lang() === 'ko' ? 'ko-KR' : 'en-US';
    words.rate = 1.1;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
}

export function hush(): void {
    if (canSpeak()) {
        speechSynthesis.cancel();
    }
}
