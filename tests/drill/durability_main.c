/* SPDX-License-Identifier: Apache-2.0
 *
 * What is lost when the owners of rooms end together with Redis, in each of its modes: all workers
 * are stopped while a crowd plays, Redis loses its process, or its machine, or a replica is
 * promoted; then Redis alone is asked. (While an owner lives nothing is lost in any mode: those are
 * the drills.) `make durability` prints the median of RUNS runs (5).
 *
 * The machine is lost by telling ext4 to shut down without flushing its journal, as a power failure
 * does: what was not synced is gone. That takes root and a loop device; without them the row says
 * so.
 */
#include "drill/drill.h"
#include "ops/system.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

enum { ROOMS = 100, PACE_MS = 100, RUNS = 5, PLAY_MS = 4000, SYNC_MS = 1000, HEAR_MS = 300 };
enum { LOOK_MS = 20, PROMOTE_MS = 20 * 1000, JOURNAL_UNFLUSHED = 2 };

/* Of <linux/fs.h>, where that is new enough. */
#define EXT4_SHUTDOWN _IOR('X', 125, uint32_t)

enum loss { PROCESS, MACHINE, PROMOTION };

static const char *const off[] = {"--appendonly", "no", NULL};
static const char *const everysec[] = {"--appendonly", "yes", "--appendfsync", "everysec", NULL};
static const char *const always[] = {"--appendonly", "yes", "--appendfsync", "always", NULL};

static const struct row {
    const char *mode, *loses;
    enum loss loss;
    const char *const *options;
    const char *replicas; /* that confirm a write */
} rows[] = {
    {"memory", "process", PROCESS, off, "0"},
    {"memory", "machine", MACHINE, off, "0"},
    {"AOF everysec", "process", PROCESS, everysec, "0"},
    {"AOF everysec", "machine", MACHINE, everysec, "0"},
    {"AOF always", "process", PROCESS, always, "0"},
    {"AOF always", "machine", MACHINE, always, "0"},
    {"replicas", "primary, one is promoted", PROMOTION, NULL, "0"},
    {"replicas, WAIT for one", "primary, one is promoted", PROMOTION, NULL, "1"},
};

struct run {
    struct drill_yard yard;
    struct redis_fixture redis; /* unless there are replicas */
    char disk[64];              /* holds an image and where it is mounted; empty: none */
    const char *options[12];
    uint32_t actions, lost, rooms_lost;
};

static bool shell(const char *format, const char *where)
{
    char command[400];
    snprintf(command, sizeof command, format, where);
    return system(command) == 0;
}

/* ---- a disk that can lose its power ---------------------------------------------------------- */

static bool mount_disk(const struct run *run)
{
    return shell("cd %s && mount -o loop image disk 2>/dev/null", run->disk);
}

static bool make_disk(struct run *run)
{
    strcpy(run->disk, "/tmp/madang-disk-XXXXXX");
    if (!mkdtemp(run->disk)) return false;
    return shell("cd %s && truncate -s 256M image && mkfs.ext4 -q image && mkdir disk",
                 run->disk) &&
           mount_disk(run);
}

static void remove_disk(struct run *run)
{
    if (!run->disk[0]) return;
    shell("umount %s/disk 2>/dev/null", run->disk);
    shell("rm -rf %s", run->disk);
}

static bool cut_power(struct run *run)
{
    char path[80];
    uint32_t how = JOURNAL_UNFLUSHED;
    snprintf(path, sizeof path, "%s/disk", run->disk);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool cut = fd >= 0 && ioctl(fd, EXT4_SHUTDOWN, &how) == 0;
    if (fd >= 0) close(fd);
    return cut;
}

/* ---- one run --------------------------------------------------------------------------------- */

static bool open_run(struct run *run, const struct row *row, uint64_t seed)
{
    int count = 0;
    for (const char *const *option = row->options; option && *option; option++)
        run->options[count++] = *option;
    static char dir[80];
    snprintf(dir, sizeof dir, "%s/disk", run->disk);
    if (run->disk[0]) run->options[count++] = "--dir";
    if (run->disk[0]) run->options[count++] = dir;
    setenv("MADANG_REDIS_REPLICAS", row->replicas, 1);
    struct drill_yard *yard = &run->yard;
    yard->cluster = (struct cluster){.workers = 2};
    yard->plan = (struct crowd_plan){.rooms = ROOMS, .pace_ms = PACE_MS, .seed = seed};
    yard->store = row->loss == PROMOTION ? DRILL_SENTINELS : DRILL_GIVEN_REDIS;
    if (row->loss != PROMOTION) {
        redis_fixture_start(&run->redis, run->options);
        yard->cluster.redis = run->redis.url;
        snprintf(yard->redis, sizeof yard->redis, "%s", run->redis.socket);
    }
    return drill_yard_open(yard);
}

static bool signal_workers(const struct run *run, int signal)
{
    return cluster_signal(&run->yard.cluster, "worker-0", signal) &&
           cluster_signal(&run->yard.cluster, "worker-1", signal);
}

static bool lose_redis(struct run *run, enum loss loss)
{
    if (loss == MACHINE && !cut_power(run)) return false;
    if (loss == PROMOTION)
        redis_group_kill(&run->yard.group, redis_group_primary(&run->yard.group));
    else
        redis_fixture_kill(&run->redis);
    return true;
}

static bool bring_back(struct run *run, enum loss loss)
{
    struct drill_yard *yard = &run->yard;
    if (loss == MACHINE && (!shell("umount %s/disk", run->disk) || !mount_disk(run))) return false;
    if (loss != PROMOTION) {
        redis_fixture_restart(&run->redis, run->options);
        return true;
    }
    for (int waited = 0; waited < PROMOTE_MS; waited += LOOK_MS) {
        int primary = redis_group_primary(&yard->group);
        if (primary >= 0) {
            snprintf(yard->redis, sizeof yard->redis, "%s", yard->group.servers[primary].socket);
            return true;
        }
        crowd_play(yard->crowd, LOOK_MS);
    }
    return false;
}

static void count_losses(struct run *run)
{
    const struct crowd *crowd = run->yard.crowd;
    const struct verdict *verdict = &run->yard.verdict;
    run->actions = (uint32_t)crowd->counts.acknowledged;
    run->lost = (uint32_t)verdict->counts.lost;
    run->rooms_lost = (uint32_t)verdict->counts.missing;
    if (run->rooms_lost == ROOMS) run->lost = run->actions; /* with all that was in them */
}

/* The workers stand still from before Redis' end until it was asked: as if they had ended. */
static bool carry_out(struct run *run, const struct row *row, uint64_t seed)
{
    if (row->loss == MACHINE && !make_disk(run)) return false;
    if (!open_run(run, row, seed)) return false;
    crowd_play(run->yard.crowd, PLAY_MS + (int)crowd_draw(run->yard.crowd, SYNC_MS));
    if (!signal_workers(run, SIGSTOP) || !lose_redis(run, row->loss)) return false;
    crowd_play(run->yard.crowd, HEAR_MS);
    bool judged = bring_back(run, row->loss) && verdict_reach(&run->yard.verdict, run->yard.redis);
    if (judged) count_losses(run);
    return signal_workers(run, SIGKILL) && judged;
}

static void close_run(struct run *run)
{
    drill_yard_close(&run->yard);
    redis_fixture_stop(&run->redis);
    remove_disk(run);
    *run = (struct run){0};
}

static bool measure(const struct row *row, int runs, uint64_t seed)
{
    static struct run run;
    struct samples lost = {0}, rooms = {0};
    uint64_t actions = 0;
    bool measured = true;
    for (int i = 0; i < runs && measured; i++) {
        measured = carry_out(&run, row, seed + (uint64_t)i);
        samples_add(&lost, run.lost);
        samples_add(&rooms, run.rooms_lost);
        actions += run.actions;
        close_run(&run);
    }
    if (measured)
        printf("%-24s %-26s %5d %9llu %12u %8u %6u\n", row->mode, row->loses, runs,
               (unsigned long long)actions / (unsigned)runs, samples_percentile(&lost, 50),
               samples_percentile(&lost, 100), samples_percentile(&rooms, 50));
    else
        printf("%-24s %-26s not measured: it takes root, a loop device, time\n", row->mode,
               row->loses);
    fflush(stdout);
    samples_fini(&lost);
    samples_fini(&rooms);
    return measured;
}

/* Mounts that nobody else has a copy of, which would keep a dead disk alive. */
static void go_private(void)
{
    if (unshare(CLONE_NEWNS) == 0) mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

int main(void)
{
    const char *text = getenv("RUNS");
    int runs = text && *text ? atoi(text) : RUNS, failed = 0;
    uint64_t seed;
    random_fill(&seed, sizeof seed);
    go_private();
    printf("%-24s %-26s %5s %9s %12s %8s %6s\n", "Redis", "loses its", "runs", "actions",
           "lost, median", "at most", "rooms");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        failed += !measure(&rows[i], runs > 0 ? runs : 1, seed);
    return failed ? 1 : 0;
}
