/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain text for golden transcripts and for tests that ask what somebody was told.
 */
#ifndef UNIT_GAMES_TEXT_H
#define UNIT_GAMES_TEXT_H

#include "base/buf.h"

/* Appends formatted text; a line of at most 1000 characters. */
__attribute__((format(printf, 2, 3))) void text_put(struct buf *out, const char *format, ...);

/* A line cut into its words; longer ones fail the test. */
enum { TEXT_LINE_BYTES_MAX = 400, TEXT_WORDS_MAX = 40 };
struct words {
    char text[TEXT_LINE_BYTES_MAX];
    char *word[TEXT_WORDS_MAX + 1]; /* ends at NULL */
    int count;
};
void words_split(struct words *words, const char *line);
/* False for NULL too. */
bool word_is(const char *word, const char *name);
int words_number(const struct words *words, int index);

#endif
