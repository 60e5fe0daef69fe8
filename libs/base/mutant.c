/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mutant.h"

#ifdef MADANG_MUTANTS

#include <stdio.h>
#include <string.h>

enum mutant mutant_planted;

static const char *const names[] = {"none",
#define X(name, broken, found_by, within_s, drawn_s) #name,
                                    MUTANTS(X)
#undef X
};
enum { NAMES = sizeof names / sizeof *names };

bool mutant_plant(const char *name)
{
    if (name == NULL) return true;
    for (int i = 0; i < NAMES; i++) {
        if (strcmp(names[i], name) != 0) continue;
        mutant_planted = (enum mutant)i;
        return true;
    }
    return false;
}

const char *mutant_script(void)
{
    static char line[64];
    snprintf(line, sizeof line, "local mutant = '%s'\n", names[mutant_planted]);
    return line;
}

#endif
