// SPDX-License-Identifier: Apache-2.0
//
// Which processes descend from the programs that were started here, also those that went to the background: looked
// for by parent, by session and by a mark in the environment, four times a second. A process is named by its id and
// the moment it started, so that an id used again is not taken for it.
import { readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

const LOOK_MS = 250;
const PATIENCE_MS = 3000;

// The fields of /proc/<pid>/stat that matter; null when it is gone or a zombie.
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return { pid, parent: Number(fields[1]), session: Number(fields[3]), started: fields[19] };
  } catch {
    return null;
  }
}

function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

export class Watch {
  #mark = `TEST_RUN_MARK=${randomUUID()}`;
  #roots = new Set();
  #seen = new Map(); // pid -> {pid, started, root}

  constructor() {
    setInterval(() => this.#look(), LOOK_MS).unref();
  }

  // What the programs are started with.
  get environment() {
    const [name, value] = this.#mark.split('=');
    return { [name]: value };
  }

  // A program that was started as the leader of its session.
  add(pid) {
    if (pid === undefined) return;
    this.#roots.add(pid);
    const own = stat(pid);
    if (own) this.#seen.set(pid, { ...own, root: pid });
  }

  #look() {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((name) => stat(Number(name)));
    const living = new Map(all.filter(Boolean).map((entry) => [entry.pid, entry]));
    for (const [pid, entry] of this.#seen)
      if (living.get(pid)?.started !== entry.started) this.#seen.delete(pid);
    // Parents may have higher ids than their children: repeat until nothing is added.
    for (let added = true; added;) {
      added = false;
      for (const entry of living.values()) {
        if (this.#seen.has(entry.pid) || entry.pid === process.pid) continue;
        const root = this.#roots.has(entry.session) ? entry.session : this.#seen.get(entry.parent)?.root;
        if (root === undefined) continue;
        this.#seen.set(entry.pid, { ...entry, root });
        added = true;
      }
    }
    return living;
  }

  // Those that hid from both parent and session.
  #marked(living) {
    for (const entry of living.values()) {
      if (this.#seen.has(entry.pid) || entry.parent === process.pid || entry.pid === process.pid) continue;
      if (read(`/proc/${entry.pid}/environ`).split('\0').includes(this.#mark))
        this.#seen.set(entry.pid, { ...entry, root: undefined });
    }
  }

  // What still runs of the program with that id, or of all, after a moment of patience: a line for each.
  async leftovers(root) {
    const mine = () => {
      const living = this.#look();
      if (root === undefined) this.#marked(living);
      return [...this.#seen.values()].filter((entry) => root === undefined || entry.root === root);
    };
    for (let waited = 0; waited < PATIENCE_MS && mine().length; waited += LOOK_MS) await pause(LOOK_MS);
    return mine().map(({ pid }) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
      return `${pid} ${command || read(`/proc/${pid}/comm`).trim()}`;
    });
  }

  // Ends what the program with that id started, and itself. Only what was seen to descend from it is touched.
  kill(root) {
    this.#look();
    for (const entry of this.#seen.values()) {
      if (root !== undefined && entry.root !== root) continue;
      if (stat(entry.pid)?.started !== entry.started) continue;
      try {
        process.kill(entry.pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  killAll() {
    this.kill(undefined);
  }
}
