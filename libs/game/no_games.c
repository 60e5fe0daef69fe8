/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of a program that links no games; the generated one takes its place where games are
 * linked. It stands alone so that no compiler reads the empty list into the code that walks it.
 */
#include "game/registry.h"

__attribute__((weak)) const struct game *const games_of_this_build[] = {NULL};
