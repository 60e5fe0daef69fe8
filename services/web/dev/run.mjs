// SPDX-License-Identifier: Apache-2.0
//
// The mock gateway on PORT (8099), over dist: `npm run build` first, then open /r/G4VESS and the like.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = await createServer({ root, server: { middlewareMode: true }, appType: 'custom', logLevel: 'error' });
const { startMock } = await vite.ssrLoadModule('/dev/mock-server.ts');
const { scenes } = await vite.ssrLoadModule('/dev/scenes.ts');
const port = Number(process.env.PORT ?? 8099);
await startMock(`${root}dist`, port);
console.log(`http://127.0.0.1:${port}/ and, behind /r/: ${Object.keys(scenes).join(' ')}`);
