// SPDX-License-Identifier: Apache-2.0
//
// Korean particles follow the sound before them: 민수가 but 영훈이, 7을 but 2를, 서울로 but 부산으로.
// A catalogue writes `{name:이}`; the pair is found by its first form.

// Whether the reading of each digit ends in a consonant: 영 일 이 삼 사 오 육 칠 팔 구.
const DIGIT_FINAL = [21, 8, 0, 16, 0, 0, 1, 8, 8, 0];
const RIEUL = 8;
// Latin letters whose usual Korean reading ends in a consonant (엘, 엠, 엔, 알).
const LETTER_FINAL: Record<string, number> = { l: RIEUL, m: 16, n: 4, r: RIEUL };

// The final consonant of the last syllable as its number in the Hangul block; 0 for none.
export function finalConsonant(text: string): number {
    const last = [...text.normalize('NFC')].filter((c) => /[\p{L}\p{N}]/u.test(c)).pop();
    if (last === undefined) {
        return 0;
    }
    const code = last.codePointAt(0) ?? 0;
    if (code >= 0xac00 && code <= 0xd7a3) {
        return (code - 0xac00) % 28;
    }
    if (last >= '0' && last <= '9') {
        return DIGIT_FINAL[Number(last)] ?? 0;
    }
    return LETTER_FINAL[last.toLowerCase()] ?? 0;
}

const PAIRS: Record<string, string> = {
    이: '가',
    을: '를',
    은: '는',
    과: '와',
    아: '야',
    이라고: '라고',
    이에요: '예요',
    이나: '나',
    으로: '로',
};

// The particle that follows `text`: particle('민수', '이') is '가'. Unknown particles stay as written.
export function particle(text: string, afterConsonant: string): string {
    const other = PAIRS[afterConsonant];
    if (other === undefined) {
        return afterConsonant;
    }
    const final = finalConsonant(text);
    if (afterConsonant === '으로') {
        return final === 0 || final === RIEUL ? other : afterConsonant;
    }
    return final === 0 ? other : afterConsonant;
}
