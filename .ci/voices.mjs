// SPDX-License-Identifier: Apache-2.0
//
// Suites that run beside each other tell what they have to say one after the other: the first that said something goes
// on as it comes; what the others say is kept until it has ended.
export class Voices {
  #speakers = [];
  #tell;

  constructor(tell) {
    this.#tell = tell;
  }

  // Returns what says a line, and what ends.
  open() {
    const speaker = { kept: [], ended: false };
    return {
      say: (line) => {
        if (!this.#speakers.includes(speaker)) this.#speakers.push(speaker);
        if (this.#speakers[0] === speaker) this.#tell(line);
        else speaker.kept.push(line);
      },
      end: () => {
        speaker.ended = true;
        this.#next();
      },
    };
  }

  #next() {
    while (this.#speakers[0]?.ended) {
      this.#speakers.shift();
      for (const line of this.#speakers[0]?.kept.splice(0) ?? []) this.#tell(line);
    }
  }
}
