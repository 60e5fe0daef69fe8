// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { claims, codeOf, known } from '../../.ci/claims.mjs';

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\0').filter((file) => file && existsSync(file));
const text = (file) => (existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : '');
// What is said of a page with this text beside the real sources.
const judge = (page) => claims([...files.filter((file) => !file.endsWith('.md') || file === 'README.md'), 'page.md'],
  (file) => (file === 'page.md' ? page : file === 'README.md' ? '## What it costs, measured\n' : text(file)))
  .map((problem) => problem.replace('page.md: ', ''));

test('what can be known is found in the sources', () => {
  const is = known(files, text);
  assert.equal(is.settings.size + 1, text('libs/ops/settings.h').match(/^ {4}X\(/gm).length); // two are called `control`
  assert.equal(is.settings.get('connections-max'), '15000');
  assert.ok(is.metrics.size > 80 && is.alerts.size > 20 && is.events.size > 50 && is.faults > 50 && is.goals.size > 30);
  assert.ok(is.flags.has('reveal') && is.flags.has('fsync') && is.goals.has('drill-timers') && !is.goals.has('packaging'));
});

const FINE = `\`make drill FAULT=worker-kill ROOMS=10000\`, \`HOURS=\`, \`make build-unit && build/tests/unit/base/buf_test\`,
\`PORT=9000 make run\`, \`libs/ops/config.c\`, \`tests/sim/check_*.c\`, \`--rooms-max\` 5000,
\`MADANG_GRACE\`, 30 s, MADANG_TLS_*,
\`madang_store_append_seconds_bucket\`, \`MadangTimersLate\`, \`room.set_aside\`, [there](README.md#what-it-costs-measured),
\`madangctl room 7K39QX --reveal\`, \`npm --prefix tests/shipping run alerts\`

\`\`\`
make run          # starts nothing that is a goal
kubectl apply --whatever
\`\`\`
`;

test('what is so is passed over', () => assert.deepEqual(judge(FINE), []));

const WRONG = {
  '`make everything`': 'make knows no everything',
  '`make drill KILS=3`': 'make knows no KILS=',
  '`WORKRS=2 make run`': 'make knows no WORKRS=',
  '```\nmake tests  # all\n```\n': 'make knows no tests',
  '`npm --prefix tests/shipping run alarms`': 'tests/shipping/package.json has no script alarms',
  '`libs/ops/configuration.c`': 'there is no libs/ops/configuration.c',
  'MADANG_ROOMS_MOST': 'no program knows MADANG_ROOMS_MOST',
  'MADANG_SSL_*': 'no program knows MADANG_SSL_*',
  '`--rooms-most=3`': 'nobody knows --rooms-most',
  '`madang-worker --redis=x --colour`': 'nobody knows --colour',
  '`--rooms-max` 6000': '`--rooms-max` 6000: by default it is 5000',
  '(`MADANG_GRACE`, 60 s; longer)': '`MADANG_GRACE`, 60 s: by default it is 30s',
  '`madang_worker_romms`': 'there is no metric madang_worker_romms',
  '`MadangTimersSlow`': 'there is no alert MadangTimersSlow',
  '`room.vanished`': 'there is no event room.vanished',
  '[there](missing.md)': 'the link to missing.md leads nowhere',
  '[there](README.md#elsewhere)': 'the link to README.md#elsewhere: there is no such heading',
  'It plants faults in the real code and scripts, 3 of them.': /^it says 3 faults, and there are \d+$/,
};

for (const [page, problem] of Object.entries(WRONG))
  test(`it is found: ${page.replaceAll('\n', ' ')}`, () => {
    const said = judge(`${page}\n`);
    assert.equal(said.length, 1, said.join('; '));
    if (problem instanceof RegExp) assert.match(said[0], problem);
    else assert.equal(said[0], problem);
  });

test('code is told from prose', () => {
  assert.deepEqual(codeOf('a `b\nc` d\n```\ne  # f\n```\n'), { code: ['e', 'b c'], prose: 'a `b\nc` d\n\n' });
});
