// SPDX-License-Identifier: Apache-2.0
//
// Holds every #include against the table in the Makefile that says which library may use which. Generated protobuf
// headers are for the code that turns bytes into structs alone.

const INCLUDE = /^#include "([^"]+)"/gm;
const isShell = (file) => /^services\/[a-z0-9]+\/(main\.c|shell[_.].*)$/.test(file);
const mayDecode = (file) => /^libs\/wire\/.*\.[ch]$/.test(file) || /_wire\.[ch]$/.test(file);

const includesOf = (file, text) => [...text(file).matchAll(INCLUDE)].map(([, included]) => included);

// The headers of services that cores see, directly or through others; the rest are the shells'.
function seenByCores(files, text) {
  const seen = new Set(files.filter((file) => /^services\/.*\.c$/.test(file) && !isShell(file)));
  for (const file of seen)
    for (const included of includesOf(file, text)) {
      const header = included.includes('/') ? `services/${included}` : file.replace(/[^/]+$/, included);
      if (files.includes(header)) seen.add(header); // a Set walks on over what is added
    }
  return seen;
}

// What a file belongs to: [row of the table, its own folder as it appears in includes].
function place(file, core) {
  const [, library] = /^libs\/([a-z0-9]+)\//.exec(file) ?? [];
  if (library) return [library, library];
  return [core.has(file) ? 'core' : 'shell', file.split('/')[1]];
}

export function layers(files, text, table) {
  const rows = new Map(table.split('\n').map((line) => line.split(': ')).map(([row, may]) => [row, may.split(' ')]));
  const sources = files.filter((name) => /^(libs|services)\/.*\.[ch]$/.test(name));
  const core = seenByCores(sources, text);
  const problems = [];
  for (const file of sources) {
    const [row, own] = place(file, core);
    for (const included of includesOf(file, text)) {
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
