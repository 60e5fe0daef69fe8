/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of commands. What a flag means to all of them stands in commands.h.
 */
#include "ctl/commands.h"

#define F(id)  (UINT64_C(1) << CTL_##id)
#define TLS    (F(TLS_CA) | F(TLS_IDENTITY) | F(TLS_NAME))
#define BUS    (F(MATCHMAKERS) | TLS | F(DATA) | F(TIMEOUT))
#define KEYED  (BUS | F(OPERATOR_KEY_FILE))
#define SHARDS (F(REDIS) | F(REDIS_USER) | F(REDIS_PASSWORD_FILE) | F(REDIS_SENTINEL_PASSWORD_FILE))
#define STORED (SHARDS | F(DATA) | F(TIMEOUT))

const struct ctl_flag ctl_flags[CTL_FLAG_COUNT] = {
#define X(id, name, value, help) {name, value, help, NULL},
    CTL_FLAGS(X)
#undef X
};

#define VALUE_CONFIG_INT(choices)    "N"
#define VALUE_CONFIG_TEXT(choices)   "TEXT"
#define VALUE_CONFIG_STORES(choices) "SHARD,..."
#define VALUE_CONFIG_CHOICE(choices) choices
static const struct ctl_flag up_flags[] = {
#define X(id, flag, kind, fallback, min, max, choices, help) \
    {flag, VALUE_##kind(choices), help, fallback},
    CTL_UP_SETTINGS(X)
#undef X
};
enum { UP_FLAG_COUNT = sizeof up_flags / sizeof *up_flags };

/* clang-format off */
static const struct ctl_command commands[] = {
    {"up", "", 0, 0, "start a whole cluster on this machine",
     "With its own Redis; it says where to play, starts again what dies, and on Ctrl-C stops what\n"
     "it started. Each flag is a variable of the environment too, as in MADANG_PORT.",
     0, true, "",
     {{"madangctl up", "a cluster at http://127.0.0.1:8080/"},
      {"madangctl up --workers=4 --bind=0.0.0.0", "phones in the same network can play"}}},
    {"status", "", 0, 0, "services: versions, load, rooms, lag",
     "Ends with 1 when something needs a look: a dead or draining service, one that says that\n"
     "it is not ready (its operations port is asked where it is reached), a worker without Redis.",
     BUS | F(JSON), false, "",
     {{"madangctl status", "of the cluster that `make run` started here"},
      {"madangctl status --matchmakers=tcp://10.0.0.5:7100", "of another one"},
      {"madangctl status --json | jq '.totals.rooms'", "for a script"}}},
    {"top", "", 0, 0, "the same, again and again",
     "CPU and actions a second are since the look before. With --json it prints an object a look.",
     BUS | F(JSON) | F(EVERY) | F(TIMES), false, "",
     {{"madangctl top", "every two seconds, until Ctrl-C"},
      {"madangctl top --every=10 --times=6 --json", "a minute of figures"}}},
    {"rooms", "", 0, 0, "list rooms",
     "Their codes let people in, so it needs the operator's key.",
     KEYED | F(JSON) | F(GAME) | F(WORKER) | F(PHASE) | F(EMPTY) | F(SORT) | F(LIMIT), false, "",
     {{"madangctl rooms --sort=people --limit=20", "the fullest"},
      {"madangctl rooms --game=dobble --phase=playing", "games of one kind that are on"},
      {"madangctl rooms --worker=3f2a --json", "those of a worker, for a script"}}},
    {"room", "CODE", 1, 1, "one room: who is there, and what a spectator sees",
     "Nothing that the rules hide is shown, unless --reveal asks for it: then what each\n"
     "seat alone sees is shown too, the operator's key is needed, and the worker logs it.",
     KEYED | F(JSON) | F(REVEAL), false, "",
     {{"madangctl room 7K3-9QX", "the code as people type it"},
      {"madangctl room 7K39QX --reveal", "with everybody's hand; is logged"},
      {"madangctl room 7K39QX --json | jq .seats", "for a script"}}},
    {"drain", "WORKER", 1, 1, "hand a worker's rooms to others; people go on playing",
     "It takes no new rooms and stays up, empty, until `undrain` or until it is stopped.",
     KEYED | F(JSON) | F(WAIT), false, "",
     {{"madangctl drain 3f2a", "the worker whose id begins so (see `madangctl status`)"},
      {"madangctl drain 3f2a --wait && systemctl stop madang-worker", "before maintenance"}}},
    {"undrain", "WORKER", 1, 1, "let a drained worker take rooms again", "",
     KEYED | F(JSON), false, "", {{"madangctl undrain 3f2a", ""}}},
    {"kick", "CODE", 1, 1, "take somebody out of a room, for good",
     "They are told, and cannot come back into that room. A game goes on: the clock plays\n"
     "for them.",
     KEYED | F(JSON) | F(SEAT), false, "",
     {{"madangctl kick 7K39QX --seat=2", "the seat as `madangctl room` numbers it"}}},
    {"close", "CODE", 1, 1, "end a room",
     "A game that is on ends without a winner and is archived; people are told\n"
     "that the room is closed; then it is deleted, and its code is free.",
     KEYED | F(JSON) | F(YES), false, "",
     {{"madangctl close 7K39QX", "asks first"},
      {"madangctl close 7K39QX --yes", "does not"}}},
    {"config", "[SERVICE|ID]", 0, 1, "what is in force in each service, and where it came from",
     "Asks their operations ports (--ops), so it must run where those are reached. Where services\n"
     "of a kind differ, each has its line. Secrets are never shown, only whether they are set.\n"
     "Ends with 1 when a service does not tell.",
     BUS | F(JSON) | F(DEFAULTS), false, "gateway|matchmaker|worker|timer",
     {{"madangctl config", "what differs from the defaults"},
      {"madangctl config worker --defaults", "all settings of the workers"},
      {"madangctl config --json | jq '.services[].settings.redis'", "for a script"}}},
    {"doctor", "", 0, 0, "look for what usually goes wrong, and say what to do",
     "Looks at this machine, at Redis and at each service: clocks, versions, Redis' policy and\n"
     "persistence, open files, ports, certificates. Ends with 1 when something is wrong; what is\n"
     "only worth a thought does not count.",
     BUS | SHARDS | F(JSON) | F(CERTIFICATE), false, "",
     {{"madangctl doctor", "of the cluster that `make run` started here"},
      {"madangctl doctor --redis=tcp://10.0.0.7:6379 --matchmakers=tcp://10.0.0.5:7100",
       "of another one"},
      {"madangctl doctor --certificate=/etc/madang/tls.crt", "a certificate of the gateways too"},
      {"madangctl doctor --json | jq '.checks[] | select(.state != \"good\")'", "for a script"}}},
    {"replay", "FILE|ROOM", 1, 1, "step through a finished game, and check each state's hash",
     "Reads Redis, or a file. A ROOM is a code, or an id in hexadecimal as logs have it, also of\n"
     "a room that is gone. A game that runs is never shown. Ends with 1 when a hash differs.",
     STORED | F(JSON) | F(GAME_NUMBER) | F(STEP) | F(SAVE), false, "",
     {{"madangctl replay 7K39QX", "the room's last finished game"},
      {"madangctl replay 7K39QX --game-number=1 --save=first.madang", "into a file as well"},
      {"madangctl replay first.madang --step=12", "everybody's hand after the twelfth step"},
      {"madangctl replay first.madang --json | jq '.steps[].kind'", "for a script"}}},
    {"verify", "[FILE|ROOM...]", 0, CTL_WORDS_MAX, "replay games and rooms, and compare each hash",
     "Without words: all that Redis has, finished games and rooms that live. A room that lives is\n"
     "compared as another worker would take it; nothing of it is shown. Ends with 1 when a hash\n"
     "differs, and names the entry.",
     STORED | F(JSON) | F(SHARD), false, "",
     {{"madangctl verify", "everything"},
      {"madangctl verify --shard=0 --json", "of one shard, for a script"},
      {"madangctl verify 7K39QX", "one room and its finished games"},
      {"madangctl verify *.madang", "files that `replay --save` wrote"}}},
    {"probe", "", 0, 0, "ask a service on this machine whether it is ready",
     "Ends with 0 when ready, else with 1. (Containers use the services' own --probe.)",
     F(PORT) | F(PATH) | F(TIMEOUT), false, "",
     {{"madangctl probe --port=9100", "/readyz"},
      {"madangctl probe --port=9100 --path=/livez", "is its loop turning?"}}},
    {"manual", "", 0, 0, "all of this help, as one page of Markdown", "", 0, false, "",
     {{"madangctl manual | less", ""}}},
    {"completion", "SHELL", 1, 1, "what bash or zsh need to complete commands", "",
     0, false, "bash|zsh",
     {{"source <(madangctl completion bash)", "in this shell"},
      {"madangctl completion zsh > ~/.zfunc/_madangctl", "for zsh"}}},
};
/* clang-format on */

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

int ctl_command_count(void)
{
    return COMMAND_COUNT;
}

const struct ctl_command *ctl_command_at(int index)
{
    return index >= 0 && index < COMMAND_COUNT ? &commands[index] : NULL;
}

const struct ctl_command *ctl_command_find(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

const struct ctl_flag *ctl_command_flag(const struct ctl_command *command, int index)
{
    if (command->own) return index < UP_FLAG_COUNT ? &up_flags[index] : NULL;
    for (int i = 0; i < CTL_FLAG_COUNT; i++)
        if (command->flags >> i & 1 && index-- == 0) return &ctl_flags[i];
    return NULL;
}
