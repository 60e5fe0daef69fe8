// SPDX-License-Identifier: Apache-2.0
//
// Holds what the programs note against libs/ops/log_events.h, both ways: an event that is not listed there is logged
// without its numbers and at no level that anybody chose, and one that nobody notes is a promise to whoever alerts by it.
// A number that has no name there is refused as well: nothing gets near the logs that the table does not allow.
// An event's name is a literal at the call: `note(core, "room.created", ...)`.

const LISTED = /X\(PROGRAM_(\w+), "([^"]+)", \w+, "(\w*)", "(\w*)", "(\w*)"/g;
const CALL = /\b(?:\w*note|log_text)\(([^;]*);/g;
const NAME = /"([a-z]+\.[a-z_]+)"/g;

const programOf = (file) => (file.startsWith('libs/') ? 'ALL' : file.split('/')[1].toUpperCase());

// The arguments behind the name(s) of a call, split at the commas that are the call's own.
function numbersOf(args) {
  const behind = args.slice(args.lastIndexOf('"') + 1).replace(/\)\s*$/, '');
  const list = [''];
  let depth = 0;
  for (const char of behind) {
    if ('([{'.includes(char)) depth++;
    if (')]}'.includes(char)) depth--;
    if (char === ',' && depth === 0) list.push('');
    else list[list.length - 1] += char;
  }
  return list.slice(1).map((number) => number.trim());
}

export function notes(files, text, list = 'libs/ops/log_events.h') {
  const listed = [...text(list).matchAll(LISTED)].map(([, program, name, ...fields]) => ({ program, name, fields, used: false }));
  const problems = [];
  for (const file of files.filter((name) => /^(libs|services)\/.*\.c$/.test(name))) {
    const program = programOf(file);
    for (const [, args] of text(file).matchAll(CALL))
      for (const [, name] of args.matchAll(NAME)) {
        const found = listed.filter((event) => event.name === name && ['ALL', program].includes(event.program));
        if (!found.length) problems.push(`${file}: notes "${name}", which is not in ${list}`);
        for (const event of found) {
          event.used = true;
          numbersOf(args).forEach((number, i) => {
            if (event.fields[i] === '' && !['0', 'NULL'].includes(number))
              problems.push(`${file}: "${name}" has no field for ${number} in ${list}`);
          });
        }
      }
  }
  for (const { program, name, used } of listed)
    if (!used) problems.push(`${list}: nobody notes "${name}" of PROGRAM_${program}`);
  return problems;
}
