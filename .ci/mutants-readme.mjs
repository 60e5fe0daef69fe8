#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// The planted faults as the README lists them, from libs/base/mutant.h and from nowhere else.
//   .ci/mutants-readme.mjs    writes the list anew
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants } from './mutants.mjs';

const README = 'README.md', LIST = 'libs/base/mutant.h';
const BETWEEN = /(<!-- mutants: .*-->\n)[^]*?(<!-- \/mutants -->)/;

const finders = ({ tests, drawn_s }) =>
  [...new Set(tests.map(({ program }) => program)), ...(drawn_s ? [`drawn runs, ${drawn_s} s`] : [])].join(', ');

function written(rows) {
  const lines = rows.map((row) => `| ${row.broken} | ${finders(row)} | ${row.within_s} s |\n`);
  return `<details><summary>All ${rows.length} of them, and what must find each</summary>\n\n` +
    `| planted | must be found by each of | within |\n| --- | --- | --: |\n${lines.join('')}\n</details>\n`;
}

export function inReadme(readme, rows) {
  if (!BETWEEN.test(readme)) throw new Error(`${README} has no place for the planted faults`);
  return readme.replace(BETWEEN, (_, begin, end) => begin + written(rows) + end);
}

// For lint: whether the README lists those that there are.
export function mutantsListed(text) {
  if (inReadme(text(README), mutants(text(LIST))) === text(README)) return [];
  return [`${README}: its planted faults are not those of ${LIST} (.ci/mutants-readme.mjs writes them)`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(resolve(import.meta.dirname, '..'));
  writeFileSync(README, inReadme(readFileSync(README, 'utf8'), mutants()));
}
