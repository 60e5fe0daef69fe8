// SPDX-License-Identifier: Apache-2.0
//
// Holds what the programs note against libs/ops/log_events.h, both ways: an event that is not listed there is logged
// without its numbers and at no level that anybody chose, and one that nobody notes is a promise to whoever alerts by it.
// An event's name is a literal at the call: `note(core, "room.created", ...)`.

const LISTED = /X\(PROGRAM_(\w+), "([^"]+)"/g;
const CALL = /\b(?:\w*note|log_text)\(([^;]*);/g;
const NAME = /"([a-z]+\.[a-z_]+)"/g;

const programOf = (file) => (file.startsWith('libs/') ? 'ALL' : file.split('/')[1].toUpperCase());

export function notes(files, text, list = 'libs/ops/log_events.h') {
  const listed = [...text(list).matchAll(LISTED)].map(([, program, name]) => ({ program, name, used: false }));
  const problems = [];
  for (const file of files.filter((name) => /^(libs|services)\/.*\.c$/.test(name))) {
    const program = programOf(file);
    for (const [, args] of text(file).matchAll(CALL))
      for (const [, name] of args.matchAll(NAME)) {
        const found = listed.filter((event) => event.name === name && ['ALL', program].includes(event.program));
        if (!found.length) problems.push(`${file}: notes "${name}", which is not in ${list}`);
        for (const event of found) event.used = true;
      }
  }
  for (const { program, name, used } of listed)
    if (!used) problems.push(`${list}: nobody notes "${name}" of PROGRAM_${program}`);
  return problems;
}
