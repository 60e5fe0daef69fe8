// SPDX-License-Identifier: Apache-2.0
//
// Holds every #include against the table in the Makefile that says which library may use which. Generated protobuf
// headers are for the code that turns bytes into structs alone.

// What a file belongs to: [row of the table, its own folder as it appears in includes].
function place(file) {
  const [, library] = /^libs\/([a-z0-9]+)\//.exec(file) ?? [];
  if (library) return [library, library];
  const [, service, name] = /^services\/([a-z0-9]+)\/([^/]+\.[ch])$/.exec(file) ?? [];
  if (service === undefined) return [];
  return [/^(main\.c|shell_.*)$/.test(name) ? 'shell' : 'core', service];
}

const mayDecode = (file) => /^libs\/wire\/.*\.[ch]$/.test(file) || /_wire\.[ch]$/.test(file);

export function layers(files, text, table) {
  const rows = new Map(table.split('\n').map((line) => line.split(': ')).map(([row, may]) => [row, may.split(' ')]));
  const problems = [];
  for (const file of files.filter((name) => /^(libs|services)\/.*\.[ch]$/.test(name))) {
    const [row, own] = place(file);
    if (row === undefined) continue;
    for (const [, included] of text(file).matchAll(/^#include "([^"]+)"/gm)) {
      if (/\.pb-c\.h$/.test(included)) {
        if (!mayDecode(file)) problems.push(`${file}: generated types (${included}) are for libs/wire and *_wire.c`);
        continue;
      }
      const [folder, rest] = included.split('/');
      if (rest === undefined || folder === own) continue;
      if (!rows.get(row)?.includes(folder)) problems.push(`${file}: ${row} may not use ${included}`);
    }
  }
  return problems;
}
