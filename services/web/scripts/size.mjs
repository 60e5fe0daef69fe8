// SPDX-License-Identifier: Apache-2.0
//
// The first load: index.html, the entry and all that it needs before the home screen can be used, as gzip
// sends it. Fails above the limit, and when anything inline would need a weaker Content-Security-Policy.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const FIRST_LOAD_BYTES_MAX = 120 * 1024;
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'));
const files = new Set(['index.html', 'icon.svg', 'manifest.webmanifest']);

function need(key) {
    const chunk = manifest[key];
    if (files.has(chunk.file)) {
        return;
    }
    files.add(chunk.file);
    chunk.css?.forEach((f) => files.add(f));
    chunk.imports?.forEach(need);
}
need('index.html');

let total = 0;
for (const file of files) {
    const size = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
    total += size;
    console.log(`${String(size).padStart(8)}  ${file}`);
}
console.log(`${String(total).padStart(8)}  first load, at most ${FIRST_LOAD_BYTES_MAX}`);

const html = readFileSync(join(dist, 'index.html'), 'utf8');
if (/<style|style="|<script(?![^>]*\ssrc=)/.test(html)) {
    console.error('index.html has something inline');
    process.exit(1);
}
if (total > FIRST_LOAD_BYTES_MAX) {
    console.error('the first load is too large');
    process.exit(1);
}
