// SPDX-License-Identifier: Apache-2.0
//
// Holds .github/SECURITY.md against the sources: the tests and fuzz targets that it names are there and are run, its limits
// have the values that it says, its settings, metrics and rights exist.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const page = readFileSync('.github/SECURITY.md', 'utf8');

function sources(folders, pattern) {
  return folders.flatMap((folder) => readdirSync(folder, { recursive: true })
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))).join('\n');
}

const tests = sources(['tests'], /_test\.c$/);
const titles = sources(['tests'], /\.test\.mjs$/);
const product = sources(['libs', 'services'], /\.[ch]$/);
const settings = readFileSync('libs/ops/settings.h', 'utf8');

// The cells of the rows of the table under that heading.
function rows(heading) {
  const section = page.slice(page.indexOf(`## ${heading}`)).split('\n## ')[0] || '';
  return section.split('\n').filter((line) => line.startsWith('| ')).slice(1)
    .map((line) => line.slice(1, -1).split(' | ').map((cell) => cell.trim()));
}

const quoted = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

// It is defined, and named once more where tests are run.
function isTest(name) {
  if (name.endsWith('_fuzz')) return existsSync(`tests/fuzz/${name}.c`);
  if (name.includes(' ')) return titles.includes(`test('${name}'`);
  return new RegExp(`static void\\s+${name}\\(\\s*void \\*\\*`).test(tests) &&
    tests.match(new RegExp(`\\b${name}\\b`, 'g')).length > 1;
}

test('each threat and each limit is shown by tests that are there and are run', () => {
  let named = 0;
  for (const heading of ['Threats', 'Limits, on by default'])
    for (const row of rows(heading)) {
      const shown = row.at(-1);
      if (shown === 'the same') continue;
      const names = quoted(shown);
      assert.ok(names.length, `nothing shows it: ${row[0]}`);
      for (const name of names) assert.ok(isTest(name), `there is no test ${name}`);
      named += names.length;
    }
  assert.ok(named > 50, `${named} tests`);
  assert.ok(!isTest('a_test_that_nobody_wrote') && !isTest('nothing_fuzz') && !isTest('a title of nothing'));
});

// "64 << 10", "10 * 1000", "4096"
function evaluate(text) {
  const [, left, operator, right] = /^(\d+)(?: (<<|\*) (\d+))?/.exec(text);
  if (operator === '<<') return left * 2 ** right;
  return operator === '*' ? left * right : Number(left);
}

function valueOf(name) {
  if (name.startsWith('--')) return Number(new RegExp(`"${name.slice(2)}", CONFIG_INT, "(\\d+)"`).exec(settings)?.[1]);
  const [field, part] = name.split('.');
  const found = part ? new RegExp(`\\.${field} = \\{\\.${part} = ([^,}]+)`).exec(product)
    : new RegExp(`(?<![A-Z_.])\\.?${field} =\\s+(\\d[^,/]*)`).exec(product);
  return found ? evaluate(found[1]) : NaN;
}

test('each limit has the value that the page says', () => {
  const limits = rows('Limits, on by default');
  assert.ok(limits.length >= 20);
  for (const [what, value] of limits) {
    const [, name, number] = /^`([^`]+)` (\d+)$/.exec(value) ?? [];
    assert.ok(name, `${what}: "${value}" is no name and number`);
    assert.equal(Number(number), valueOf(name), `${what}: ${name}`);
  }
});

test('settings and metrics that the page names are there', () => {
  const flags = new Set([...settings.matchAll(/SETTINGS_\w+(?: \| SETTINGS_\w+)*, "([a-z-]+)"/g)].map(([, flag]) => flag));
  for (const [, flag] of page.matchAll(/`--([a-z-]+)/g)) assert.ok(flags.has(flag), `--${flag}`);
  for (const [, name] of page.matchAll(/MADANG_([A-Z_]+)/g))
    assert.ok(flags.has(name.toLowerCase().replaceAll('_', '-')), `MADANG_${name}`);
  const metrics = readFileSync('docker/prometheus/README.md', 'utf8');
  for (const name of quoted(page).filter((text) => text.startsWith('madang_'))) assert.ok(metrics.includes(`\`${name}\``), name);
});

test("the rights of Redis' user are those that tests give it", () => {
  const [rights] = /~\* resetchannels .*/.exec(page);
  assert.ok(readFileSync('tests/observability/cluster.mjs', 'utf8').includes(`'${rights}'`));
  const given = [...tests.replaceAll(/"\s+"/g, '').matchAll(/~\* resetchannels [^"]*/g)].map(([text]) => text.trim());
  assert.deepEqual(given, given.map(() => rights));
  assert.ok(given.length >= 2);
});
