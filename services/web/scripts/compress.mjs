// SPDX-License-Identifier: Apache-2.0
//
// Writes .gz and .br beside every file of dist that gets smaller by it, at the highest level: the gateway
// serves them as they are and compresses nothing itself.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const worthIt = /\.(html|js|css|svg|json|webmanifest|txt)$/;

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !worthIt.test(entry.name)) {
        continue;
    }
    const bytes = readFileSync(path);
    const versions = {
        gz: gzipSync(bytes, { level: 9 }),
        br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    };
    for (const [ending, packed] of Object.entries(versions)) {
        if (packed.length < bytes.length) {
            writeFileSync(`${path}.${ending}`, packed);
        }
    }
}
