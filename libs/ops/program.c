/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/program.h"

const char *program_name(enum program program)
{
    switch (program) {
    case PROGRAM_GATEWAY: return "gateway";
    case PROGRAM_MATCHMAKER: return "matchmaker";
    case PROGRAM_WORKER: return "worker";
    case PROGRAM_TIMER: return "timer";
    case PROGRAM_ALL: break;
    }
    return "program";
}
