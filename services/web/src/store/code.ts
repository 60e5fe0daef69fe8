// SPDX-License-Identifier: Apache-2.0
//
// Room codes as people type them: six of 32 symbols (no I, L, O, U); what looks alike is forgiven.
export const CODE_LEN = 6;
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

// Upper case, I and L as 1, O as 0, everything else dropped; at most six symbols.
export function normaliseCode(typed: string): string {
    const upper = typed.normalize('NFKC').toUpperCase();
    const alike = upper.replace(/[IL]/g, '1').replace(/O/g, '0');
    return [...alike].filter((c) => SYMBOLS.includes(c)).join('').slice(0, CODE_LEN);
}

// Two groups of three are easier to read out loud.
export function showCode(code: string): string {
    return code.length === CODE_LEN ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}
