// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROTOCOL_CURRENT } from './protocol';

describe('the protocol number', () => {
    it('is the one the servers are built with', () => {
        const wire = fileURLToPath(new URL('../../../../libs/wire/', import.meta.url));
        const headers = readdirSync(wire).filter((f) => f.endsWith('.h'));
        const found = headers
            .map((f) => /CLIENT_PROTOCOL\s*=?\s*(\d+)/.exec(readFileSync(wire + f, 'utf8'))?.[1])
            .filter((n) => n !== undefined);
        expect(found).toEqual([String(PROTOCOL_CURRENT)]);
    });
});
