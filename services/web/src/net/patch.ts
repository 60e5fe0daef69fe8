// SPDX-License-Identifier: Apache-2.0
//
// Applies a patch: a row of copies from the old bytes and of bytes that are new. libs/wire/patch.h has the format;
// both are held against tests/unit/wire/patches.txt.
const VARINT_BYTES_MAX = 4;
const MADE_BYTES_MAX = 1 << 14; // no section has more

// Null: not a patch of these bytes.
export function applyPatch(old: Uint8Array, patch: Uint8Array): Uint8Array | null {
    const made: Uint8Array[] = [];
    let at = 0;
    let cursor = 0;
    let length = 0;

    const varint = (): number | null => {
        let value = 0;
        for (let i = 0; i < VARINT_BYTES_MAX; i++) {
            const byte = patch[at++];
            if (byte === undefined) {
                return null;
            }
            value |= (byte & 0x7f) << (7 * i);
            if (byte < 0x80) {
                return value;
            }
        }
        return null;
    };

    const add = (bytes: Uint8Array): boolean => {
        made.push(bytes);
        length += bytes.length;
        return length <= MADE_BYTES_MAX;
    };

    while (at < patch.length) {
        const n = varint();
        const copies = n !== null && (n & 1) === 1;
        const moves = n !== null && (n & 3) === 3;
        const m = moves ? varint() : 0;
        if (n === null || m === null) {
            return null;
        }
        const stays = !moves || (m & 1) === 1;
        const len = copies ? n >> 2 : n >> 1;
        const source = copies ? old : patch;
        const begin = copies ? cursor + ((m >> 2) ^ -((m >> 1) & 1)) : at;
        if ((len === 0 && stays) || begin < 0 || begin + len > source.length) {
            return null;
        }
        if (!add(source.subarray(begin, begin + len))) {
            return null;
        }
        cursor = (stays ? cursor : begin) + len;
        at += copies ? 0 : len;
    }
    if (!add(old.subarray(cursor))) {
        return null;
    }

    const bytes = new Uint8Array(length);
    let end = 0;
    for (const piece of made) {
        bytes.set(piece, end);
        end += piece.length;
    }
    return bytes;
}
