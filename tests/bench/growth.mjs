// SPDX-License-Identifier: Apache-2.0
//
// What a claim costs as rooms and connections grow, and a hundred thousand connections held at once.
import { ANYWHERE, few, measure, median, of, OF_CLAIMS } from './measure.mjs';

// Claims in flight, each in a room of its own, in one cluster that can hold the most of them. More rooms than that are
// between two games.
const ROOMS = [[10, 500], [1000, 2000], [10_000, 12_000]];
const WIDE = { gateways: 4, workers: 3 };
const LOADERS = 3; // processes of madang-load: each holds as many connections as it may open files
// The same claims, and beside them people who only sit there.
const RATE = 2000, PLAYING = 500, SEATS = 4, SITTING = [0, 12_000];
const HELD = Number(process.env.CONNECTIONS || 100_000), HELD_ROOMS = 100, HELD_SEATS = 8, HELD_RATE = 500;

function tellGrowth(measured) {
  const last = measured.at(-1);
  for (const from of measured.slice(0, -1)) {
    const times = (what) => few(median(last, what) / median(from, what));
    console.log(`  from ${from.name} to ${last.name}: ${times('CPU us a claim, whole cluster')} times the CPU of a claim, ` +
      `${times('user CPU us a claim, whole cluster')} times that of user space`);
  }
  return measured;
}

async function rooms() {
  const measured = [];
  for (const [in_flight, count] of ROOMS)
    measured.push(await measure(`rooms-${in_flight}`,
      [`--rooms=${count}`, `--in-flight=${in_flight}`, `--processes=${LOADERS}`], WIDE));
  return tellGrowth(measured);
}

async function connections() {
  const measured = [];
  for (const idle of SITTING)
    measured.push(await measure(`connections-${PLAYING * SEATS + idle}`,
      [`--rooms=${PLAYING}`, `--players=${SEATS}`, `--rate=${RATE}`, `--idle=${idle}`]));
  return tellGrowth(measured);
}

export const grown = { rooms, connections };

// On all processors: those who sit there ping, and so many pings are more than one processor's work beside the load.
export function held() {
  const sum = (result, field) => result.watched.reduce((all, each) => all + each[field], 0);
  const figures = {
    connections: () => HELD,
    'connections that broke': (r) => r.errors.lost,
    'KB of the gateways a connection': (r) => of(r, 'gateway').reduce((all, each) => all + each.memory_kb, 0) / HELD,
    '% of a core, whole cluster': (r) => 100 * sum(r, 'cores'),
    'claims a second': OF_CLAIMS['claims a second'],
    'own receipt, p50 ms': OF_CLAIMS['own receipt, p50 ms'],
    'own receipt, p99 ms': OF_CLAIMS['own receipt, p99 ms'],
    "last player's frame, p99 ms": OF_CLAIMS["last player's frame, p99 ms"],
  };
  return measure('held', [`--rooms=${HELD_ROOMS}`, `--players=${HELD_SEATS}`, `--rate=${HELD_RATE}`,
    `--idle=${HELD - HELD_ROOMS * HELD_SEATS}`, '--processes=6'], { gateways: 8, workers: 3, on: ANYWHERE, figures });
}
