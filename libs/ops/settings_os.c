/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_WRONG = 2 };

static _Noreturn void show_help(const struct settings *settings, enum program program)
{
    struct buf text = {0};
    settings_help(settings, program, &text);
    fwrite(text.at, 1, text.len, stdout);
    buf_fini(&text);
    exit(0);
}

void settings_read(struct settings *settings, enum program program, char *const *argv)
{
    switch (settings_parse(settings, program, argv, environ)) {
    case CONFIG_READY: return;
    case CONFIG_HELP: show_help(settings, program);
    case CONFIG_VERSION: printf("madang-%s %s\n", program_name(program), MADANG_VERSION); exit(0);
    case CONFIG_WRONG: break;
    }
    fprintf(stderr, "madang-%s: %s\nmadang-%s --help lists all settings.\n", program_name(program),
            settings->config.error, program_name(program));
    exit(EXIT_WRONG);
}
