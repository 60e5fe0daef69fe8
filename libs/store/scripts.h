/* SPDX-License-Identifier: Apache-2.0
 *
 * The scripts of libs/store/scripts, one for each kind of op; each text is common.lua followed by
 * the script's own. The build turns the files into the strings named here.
 */
#ifndef STORE_SCRIPTS_H
#define STORE_SCRIPTS_H

#include "wire/storage.h"

/*        kind            file */
#define STORE_SCRIPTS(X)        \
    X(STORE_CREATE, create)     \
    X(STORE_TAKE, take)         \
    X(STORE_APPEND, append)     \
    X(STORE_SNAPSHOT, snapshot) \
    X(STORE_FINISH, finish)     \
    X(STORE_RELEASE, release)   \
    X(STORE_DELETE, delete)     \
    X(STORE_LEASE, lease)       \
    X(STORE_TAIL, tail)         \
    X(STORE_OWNED, owned)       \
    X(STORE_FIND, find)         \
    X(STORE_PUBLIC, public)     \
    X(STORE_DUE, due)           \
    X(STORE_CLAIM, claim)       \
    X(STORE_CLAIMED, claimed)   \
    X(STORE_RESTORE, restore)   \
    X(STORE_ASIDE, aside)       \
    X(STORE_SILENT, silent)

enum { STORE_KINDS = STORE_SILENT + 1 }; /* kinds start at 1 */

#define X(kind, file) extern const char store_script_##file[];
STORE_SCRIPTS(X)
#undef X

#endif
