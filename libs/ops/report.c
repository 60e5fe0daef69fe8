/* SPDX-License-Identifier: Apache-2.0
 *
 * What is in force, for operators.
 */
#include "ops/config.h"

static void put_text(struct buf *out, const char *text)
{
    buf_put_slice(out, slice_text(text));
}

const char *config_source_name(enum config_source source)
{
    switch (source) {
    case CONFIG_DEFAULT: return "default";
    case CONFIG_FILE: return "file";
    case CONFIG_ENVIRONMENT: return "environment";
    case CONFIG_FLAG: return "flag";
    }
    return "";
}

/* Whether the setting `flag`-file names a file. */
static bool in_file(const struct config *config, const char *flag)
{
    static const char end[] = "-file";
    size_t len = strlen(flag);
    for (int i = 0; i < config->count; i++) {
        const char *other = config->items[i].flag;
        if (strncmp(other, flag, len) == 0 && strcmp(other + len, end) == 0)
            return config->values[i].text[0] != '\0';
    }
    return false;
}

/* How much of what follows "://" is user and password: up to an @ before the next end of its host.
 * A comma may stand in a password, and parts hosts as well: the last @ counts. */
static size_t credentials_len(const char *text)
{
    size_t end = strcspn(text, "/ \t\n");
    while (end > 0 && text[end - 1] != '@') end--;
    return end;
}

/* Nothing that parts a report's lines and columns, and nothing secret. */
static void put_value(struct buf *out, const char *text)
{
    static const char behind[] = "sentinel=";
    while (*text) {
        if (strncmp(text, "://", 3) == 0) {
            size_t secret = credentials_len(text + 3);
            put_text(out, secret ? "://***@" : "://");
            text += 3 + secret;
        } else if (strncmp(text, behind, sizeof behind - 1) == 0) {
            put_text(out, "sentinel=***");
            text += strcspn(text, ", \t\n");
        } else {
            unsigned char byte = (unsigned char)*text++;
            buf_put_u8(out, byte < ' ' || byte == 0x7f ? ' ' : byte);
        }
    }
}

void config_report(const struct config *config, struct buf *out)
{
    for (int i = 0; i < config->count; i++) {
        const struct config_item *item = &config->items[i];
        const struct config_value *value = &config->values[i];
        bool secret = item->kind == CONFIG_SECRET, file = secret && in_file(config, item->flag);
        put_text(out, item->flag);
        put_text(out, "\t");
        put_text(out, config_source_name(file ? CONFIG_FILE : value->source));
        put_text(out, "\t");
        if (!secret)
            put_value(out, value->text);
        else if (file || value->text[0])
            put_text(out, "(set)");
        put_text(out, "\n");
    }
}
