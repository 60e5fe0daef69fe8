/* SPDX-License-Identifier: Apache-2.0
 *
 * `madangctl replay`.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "ctl/replay.h"
#include "ctl/stored.h"

struct choice {
    int64_t wanted;         /* a game's number, 0: the last one */
    struct stored_key best; /* number 0: none so far */
    room_id other;          /* another room, which had the same code; 0: there is none */
};

static bool choose(void *with, const char *key)
{
    struct choice *choice = with;
    struct stored_key at;
    if (!stored_key_read(key, &at)) return true;
    if (choice->best.number && at.room != choice->best.room) choice->other = at.room;
    bool fits = choice->wanted == 0 || at.number == (uint32_t)choice->wanted;
    if (fits && at.number > choice->best.number) choice->best = at;
    return true;
}

static int load_room(const struct ctl *ctl, struct stored_name *named, int64_t number,
                     struct stored_game *out)
{
    int code;
    char pattern[STORED_KEY_BYTES_MAX];
    struct choice choice = {.wanted = number};
    redisContext *redis = stored_open(ctl, named, &code);
    if (redis == NULL) return code;
    stored_pattern(named, "game", pattern);
    if (!stored_scan(redis, pattern, choose, &choice))
        code = CTL_EXIT_UNREACHABLE;
    else if (choice.other)
        code = ctl_fail(CTL_EXIT_UNKNOWN,
                        "rooms %016llx and %016llx had that code; name one by its id",
                        (unsigned long long)choice.best.room, (unsigned long long)choice.other);
    else if (choice.best.number == 0)
        code = ctl_fail(CTL_EXIT_UNKNOWN,
                        "no finished game %sof that room is kept (see --archive of the workers); "
                        "one that runs is not shown",
                        number ? "of that number " : "");
    else
        code = stored_load_key(redis, &choice.best, out) ? CTL_EXIT_OK : CTL_EXIT_UNREACHABLE;
    redisFree(redis);
    return code;
}

static int save(const char *path, const struct stored_game *game)
{
    struct buf bytes = {0};
    archive_encode(game->record, game->entries, game->count, &bytes);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, bytes.at, bytes.len) == (ssize_t)bytes.len;
    int error = errno;
    if (fd >= 0 && close(fd) != 0) written = false;
    buf_fini(&bytes);
    if (written) return CTL_EXIT_OK;
    if (fd >= 0) unlink(path);
    return ctl_fail(CTL_EXIT_USAGE, "%s: %s", path, strerror(error));
}

static int show(const struct ctl *ctl, const struct stored_game *game, int64_t step)
{
    struct replay replay;
    struct buf out = {0};
    enum archive_fault fault = replay_run(&replay, game->record, game->entries, game->count, step);
    if (ctl_json(ctl))
        replay_json(&replay, &out);
    else
        replay_text(&replay, &ctl->style, &out);
    int code = fault == ARCHIVE_GOOD ? CTL_EXIT_OK : CTL_EXIT_FAILED;
    if (fault == ARCHIVE_GOOD && step > replay.step_count)
        code = ctl_fail(CTL_EXIT_USAGE, "--step: the game has %d steps", replay.step_count);
    else
        ctl_print(&out);
    buf_fini(&out);
    replay_free(&replay);
    return code;
}

int run_replay(struct ctl *ctl)
{
    int64_t number, step;
    const char *word = ctl->is.word[0], *path = ctl->is.flag[CTL_SAVE];
    struct stored_name named = stored_name_of(word);
    struct stored_game game = {0};
    if (!ctl_arguments_number(&ctl->is, CTL_GAME_NUMBER, 1, UINT32_MAX, 0, &number) ||
        !ctl_arguments_number(&ctl->is, CTL_STEP, 1, INT32_MAX, 0, &step))
        return ctl_fail(CTL_EXIT_USAGE, "%s", ctl->is.error);
    enum archive_fault fault = ARCHIVE_GOOD;
    int code =
        named.file ? stored_load_file(word, &game, &fault) : load_room(ctl, &named, number, &game);
    if (fault != ARCHIVE_GOOD)
        code = ctl_fail(CTL_EXIT_FAILED, "%s: this file %s", word, archive_fault_text(fault));
    if (code == CTL_EXIT_OK) code = show(ctl, &game, step);
    if (code == CTL_EXIT_OK && path) code = save(path, &game);
    stored_unload(&game);
    return code;
}
