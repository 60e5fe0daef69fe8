// SPDX-License-Identifier: Apache-2.0
//
// Generates src/gen from ../../proto, the same files the servers are built from. The folder is
// ignored by git: what is generated is built, not kept. Does nothing when it is newer than its sources.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const protoDir = join(root, '..', '..', 'proto');
const outDir = join(root, 'src', 'gen');
// Only what a browser sees: the client protocol and each game's own file.
const serversOnly = new Set(['cluster.proto', 'room.proto', 'storage.proto']);
const sources = readdirSync(protoDir).filter((f) => f.endsWith('.proto') && !serversOnly.has(f));
const outputOf = (file) => join(outDir, file.replace(/\.proto$/, '_pb.ts'));
const stale = sources.some(
    (f) => !existsSync(outputOf(f)) || statSync(outputOf(f)).mtimeMs < statSync(join(protoDir, f)).mtimeMs,
);

if (stale) {
    mkdirSync(outDir, { recursive: true });
    execFileSync(
        'protoc',
        [
            `--plugin=protoc-gen-es=${join(root, 'node_modules', '.bin', 'protoc-gen-es')}`,
            `--es_out=${outDir}`,
            '--es_opt=target=ts,import_extension=none',
            `--proto_path=${protoDir}`,
            ...sources,
        ],
        { stdio: 'inherit' },
    );
}
