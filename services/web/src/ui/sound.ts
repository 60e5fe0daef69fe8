// SPDX-License-Identifier: Apache-2.0
//
// A few sounds made on the spot: no files. Off until switched on.
import { settings } from '../store/settings.svelte';

export type Sound = 'tile' | 'turn' | 'right' | 'wrong' | 'win';

// Frequency in Hz, start and length in s.
const notes: Record<Sound, [number, number, number][]> = {
    tile: [[190, 0, 0.07]],
    turn: [
        [523, 0, 0.14],
        [784, 0.13, 0.22],
    ],
    right: [
        [659, 0, 0.12],
        [880, 0.1, 0.2],
    ],
    wrong: [
        [247, 0, 0.16],
        [196, 0.14, 0.24],
    ],
    win: [
        [523, 0, 0.16],
        [659, 0.14, 0.16],
        [784, 0.28, 0.16],
        [1047, 0.42, 0.4],
    ],
};

let context: AudioContext | null = null;

function play(audio: AudioContext, hz: number, start: number, length: number, type: OscillatorType): void {
    const from = audio.currentTime + start;
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.type = type;
    tone.frequency.value = hz;
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(0.16, from + 0.012);
    loud.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(loud).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
}

export function chime(sound: Sound): void {
    if (!settings.sound) {
        return;
    }
    context ??= new AudioContext();
    const audio = context;
    // Browsers start a context only after a tap; until then it stays silent, which is fine.
    void audio.resume();
    for (const [hz, start, length] of notes[sound]) {
        play(audio, hz, start, length, sound === 'tile' ? 'square' : 'triangle');
    }
}
