/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/games/text.h"

#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>

void text_put(struct buf *out, const char *format, ...)
{
    char text[1000];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    assert_true(len >= 0 && (size_t)len < sizeof text);
    buf_put(out, text, (size_t)len);
}

void words_split(struct words *words, const char *line)
{
    assert_true(strlen(line) < sizeof words->text);
    snprintf(words->text, sizeof words->text, "%s", line);
    words->count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(words->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        assert_true(words->count < TEXT_WORDS_MAX);
        words->word[words->count++] = word;
    }
    words->word[words->count] = NULL;
}

bool word_is(const char *word, const char *name)
{
    return word && strcmp(word, name) == 0;
}

int words_number(const struct words *words, int index)
{
    assert_true(index < words->count);
    return atoi(words->word[index]);
}
