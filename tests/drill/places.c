/* SPDX-License-Identifier: Apache-2.0 */
#include "drill/places.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct place {
    const char *name, *address;
} all[] = {
    {"gateway", "10.77.0.1"},   {"redis", "10.77.0.2"},         {"worker-0", "10.77.0.20"},
    {"worker-1", "10.77.0.21"}, {"matchmaker-0", "10.77.0.30"}, {"matchmaker-1", "10.77.0.31"},
    {"timer-0", "10.77.0.40"},  {"timer-1", "10.77.0.41"},
};
enum { PLACES = sizeof all / sizeof *all, COMMAND_MAX = 1600 };

/* What stands in the place of a service: its log's name is its own. */
static const char script[] =
    "#!/bin/sh\n"
    "program=$(basename \"$0\")\n"
    "name=$(basename \"$(readlink /proc/$$/fd/1)\" .log)\n"
    "makers=tcp://10.77.0.30:7100,tcp://10.77.0.31:7100\n"
    "inside=\"ip netns exec $PLACES-$name\"\n"
    "case $name in\n"
    "gateway-*) inside= at=10.77.0.1 ;;\n"
    "worker-*) at=10.77.0.2${name#worker-} ;;\n"
    "matchmaker-*) at=10.77.0.3${name#matchmaker-} ;;\n"
    "timer-*) at=10.77.0.4${name#timer-} ;;\n"
    "esac\n"
    "[ \"$name\" = worker-1 ] &&\n"
    "    inside=\"$inside unshare --time --boottime $AHEAD --monotonic $AHEAD\"\n"
    "case $name in\n"
    "matchmaker-*) set -- \"$@\" --control=tcp://$at:7100 ;;\n"
    "worker-*) set -- \"$@\" --control=tcp://$at:0 --inbox=tcp://$at:0 ;;\n"
    "*) set -- \"$@\" --inbox=tcp://$at:0 ;;\n"
    "esac\n"
    "exec $inside \"$REAL/$program\" \"$@\" --matchmakers=$makers\n";

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...)
{
    char command[COMMAND_MAX];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(command, sizeof command, format, list);
    va_end(list);
    return len > 0 && (size_t)len < sizeof command && system(command) == 0;
}

static const struct place *find(const char *name)
{
    for (int i = 0; i < PLACES; i++)
        if (!strcmp(all[i].name, name)) return &all[i];
    return NULL;
}

/* ---- networks -------------------------------------------------------------------------------- */

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0) close(fd);
    return written;
}

/* Whoever is not root becomes it among their own namespaces, where the kernel lets them. */
static bool be_root(void)
{
    char users[32], groups[32];
    if (geteuid() == 0) return true;
    snprintf(users, sizeof users, "0 %d 1", (int)geteuid());
    snprintf(groups, sizeof groups, "0 %d 1", (int)getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
           write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/gid_map", groups) &&
           mount("run", "/run", "tmpfs", 0, NULL) == 0; /* `ip netns` keeps names there */
}

static bool make_networks(const struct places *places)
{
    if (!be_root() || unshare(CLONE_NEWNET) != 0) return false;
    if (!shell("ip link set lo up && ip link add yard type bridge && "
               "ip addr add %s/24 dev yard && ip link set yard up",
               all[0].address))
        return false;
    for (int i = 1; i < PLACES; i++) {
        char inside[64];
        snprintf(inside, sizeof inside, "%s-%s", places->prefix, all[i].name);
        if (!shell("ip netns add %s && ip link add far%d type veth peer name near netns %s && "
                   "ip link set far%d master yard up && ip -n %s addr add %s/24 dev near && "
                   "ip -n %s link set near up && ip -n %s link set lo up",
                   inside, i, inside, i, inside, all[i].address, inside, inside))
            return false;
    }
    return true;
}

/* What `from` sends to `to` reaches nobody from now on, or its neighbour again. */
static bool turn_away(const struct places *places, const struct place *from, const struct place *to,
                      bool cut)
{
    char inside[80] = "";
    bool here = from == &all[0];
    const char *device = here ? "yard" : "near";
    if (!here) snprintf(inside, sizeof inside, "-n %s-%s", places->prefix, from->name);
    if (cut)
        return shell("ip %s neigh replace %s lladdr 02:00:00:00:00:ff dev %s nud permanent", inside,
                     to->address, device);
    return shell("ip %s neigh del %s dev %s", inside, to->address, device);
}

bool places_cut(const struct places *places, const char *one, const char *other, bool cut)
{
    const struct place *a = find(one), *b = find(other);
    return a && b && turn_away(places, a, b, cut) && turn_away(places, b, a, cut);
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool write_script(const struct places *places, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", places->folder, name);
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fputs(text, file);
    return fclose(file) == 0 && chmod(path, 0755) == 0;
}

static bool write_scripts(struct places *places)
{
    static const char *const services[] = {"madang-gateway", "madang-worker", "madang-matchmaker",
                                           "madang-timer"};
    char bin[PATH_MAX], ahead[16];
    strcpy(places->folder, "/tmp/madang-places-XXXXXX");
    if (!mkdtemp(places->folder) || !cluster_bin(bin)) return false;
    if (!shell("cp %s/madangctl %s/", bin, places->folder)) return false;
    snprintf(ahead, sizeof ahead, "%d", PLACES_CLOCK_AHEAD_S);
    setenv("REAL", bin, 1);
    setenv("PLACES", places->prefix, 1);
    setenv("AHEAD", ahead, 1);
    for (size_t i = 0; i < sizeof services / sizeof *services; i++)
        if (!write_script(places, services[i], script)) return false;
    return write_script(
        places, "redis-server",
        "#!/bin/sh\nexec ip netns exec $PLACES-redis /usr/bin/redis-server \"$@\"\n");
}

static void start_redis(struct places *places)
{
    char path[4096], *before = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s:%s", places->folder, before);
    setenv("PATH", path, 1);
    redis_fixture_start(&places->redis, (const char *[]){"--port", "6379", "--bind", all[1].address,
                                                         "--protected-mode", "no", NULL});
    setenv("PATH", before, 1);
    free(before);
    snprintf(places->url, sizeof places->url, "tcp://%s:%d", all[1].address, PLACES_REDIS_PORT);
}

bool places_open(struct places *places, struct cluster *cluster)
{
    *places = (struct places){0};
    snprintf(places->prefix, sizeof places->prefix, "madang-%d", (int)getpid());
    if (!write_scripts(places) || !make_networks(places)) return false;
    start_redis(places);
    cluster->bin = places->folder;
    cluster->redis = places->url;
    return true;
}

void places_close(struct places *places)
{
    if (!places->folder[0]) return;
    redis_fixture_stop(&places->redis);
    for (int i = 1; i < PLACES; i++)
        shell("ip netns del %s-%s 2>/dev/null", places->prefix, all[i].name);
    shell("rm -rf %s; ip link del yard 2>/dev/null", places->folder);
    places->folder[0] = 0;
}
