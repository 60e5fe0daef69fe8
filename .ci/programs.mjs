// SPDX-License-Identifier: Apache-2.0
//
// Runs single programs, each in a session of its own and within its time, and judges what came of them.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { count } from './count.mjs';
import { Watch } from './processes.mjs';

export const watch = new Watch();

// What goes on in the background gets only what others leave of the processors. Where the kernel weighs sessions before
// it weighs processes, it is the session that has to be nice; its file takes a word from somebody every tenth of a
// second.
const IN_BACKGROUND = ['sh', '-c', `
  tries=5
  while [ -w /proc/self/autogroup ] && [ $tries -gt 0 ] && ! { echo 19 > /proc/self/autogroup; } 2>/dev/null; do
    tries=$((tries - 1))
    sleep 0.15
  done
  exec nice -n 19 "$@"`, 'sh'];

export const behind = (argv, background) => (background ? [...IN_BACKGROUND, ...argv] : argv);

// Runs a command to its end or until `until`; what it prints goes to the file `log`, not into a pipe: what it leaves
// behind could hold a pipe open. Resolves to { said, seconds, passed, failed, skipped, faults }.
export function runProgram({ argv, environment, log, until, background }) {
  return new Promise((done) => {
    const started = Date.now();
    const file = openSync(log, 'w');
    const [command, ...words] = behind(argv, background);
    const child = spawn(command, words, { env: environment, detached: true, stdio: ['ignore', file, file] });
    closeSync(file);
    watch.add(child.pid);
    let late = false;
    const timer = setTimeout(() => { late = true; watch.kill(child.pid); }, Math.max(1, until - started));
    const finish = (code, signal, left) => {
      clearTimeout(timer);
      const said = readFileSync(log, 'utf8');
      const seconds = (Date.now() - started) / 1000;
      done({ said, seconds, ...judge({ said, code, signal, left, late_s: late && seconds }) });
    };
    child.on('error', (error) => { appendFileSync(log, `${error.message}\n`); finish(127, null, []); });
    child.on('exit', async (code, signal) => {
      const left = late ? [] : await watch.leftovers(child.pid);
      watch.kill(child.pid);
      finish(code, signal, left);
    });
  });
}

// A program that was cut short has failed at least one test; what it leaves behind is a failure of its own.
function judge({ said, code, signal, left, late_s }) {
  const result = { ...count(said), faults: [] };
  const ran = result.passed + result.failed + result.skipped;
  if (late_s) result.faults.push(`was not done in ${late_s.toFixed(0)} s`);
  else if (signal) result.faults.push(`died of ${signal}`);
  else if (code !== 0) result.faults.push(`ended with status ${code}`);
  else if (ran === 0) result.faults.push('printed no result of any test');
  if (result.faults.length && result.failed === 0) result.failed = 1;
  for (const process of left) result.faults.push(`left a process behind: ${process}`);
  result.failed += left.length;
  return result;
}
