/* SPDX-License-Identifier: Apache-2.0
 *
 * All services of a cluster talk by TLS and show each other certificates of one authority, made
 * here; people play a game through them. Whoever shows none, or one of another authority, is not
 * talked to at any of their doors.
 */
#include "cluster/rack.h"
#include "cluster/run_in.h"
#include "cluster/whole_game.h"
#include "unit/free_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DOORS = 4, FLAG_BYTES = 128 };

static char folder[64];
static int doors[DOORS]; /* the matchmaker's, the worker's two, the timer's */

/* NAME.ca, and NAME.id: a certificate of it for the services, behind its key as cert-manager writes
 * them. */
static void certify(const char *name)
{
    static const char curve[] = "ec -pkeyopt ec_paramgen_curve:prime256v1";
    assert_int_equal(run_in(folder,
                            "openssl req -x509 -newkey %s -nodes -days 30 -subj /CN=%s "
                            "-keyout %s.cakey -out %s.ca",
                            curve, name, name, name),
                     0);
    assert_int_equal(
        run_in(folder,
               "openssl req -newkey %s -nodes -subj /CN=madang -keyout %s.key -out %s.csr "
               "&& openssl x509 -req -in %s.csr -CA %s.ca -CAkey %s.cakey "
               "-CAcreateserial -days 30 -out %s.crt && cat %s.key %s.crt >%s.id",
               curve, name, name, name, name, name, name, name, name, name),
        0);
}

static void start(const char *program, int control, int inbox)
{
    char text[5][FLAG_BYTES];
    const char *flags[6] = {NULL};
    int count = 3;
    snprintf(text[0], FLAG_BYTES, "--matchmakers=tls+tcp://127.0.0.1:%d", doors[0]);
    snprintf(text[1], FLAG_BYTES, "--tls-ca=%s/ours.ca", folder);
    snprintf(text[2], FLAG_BYTES, "--tls-identity=%s/ours.id", folder);
    if (control) snprintf(text[count++], FLAG_BYTES, "--control=tls+tcp://127.0.0.1:%d", control);
    if (inbox) snprintf(text[count++], FLAG_BYTES, "--inbox=tls+tcp://127.0.0.1:%d", inbox);
    for (int i = 0; i < count; i++) flags[i] = text[i];
    if (strcmp(program, "matchmaker") == 0)
        rack_open(flags);
    else
        rack_start(program, flags);
}

static int open_all(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/madang-tls-XXXXXX");
    assert_non_null(mkdtemp(folder));
    certify("ours");
    certify("theirs");
    for (int i = 0; i < DOORS; i++) doors[i] = free_port();
    start("matchmaker", doors[0], 0);
    start("worker", doors[1], doors[2]);
    start("timer", 0, doors[3]);
    start("gateway", 0, free_port());
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    int closed = rack_close();
    return system(command) == 0 ? closed : -1;
}

static void a_game_is_played_through_services_that_talk_by_tls(void **state)
{
    (void)state;
    const char *fault = whole_game_play(rack_port, game_at(0), NULL);
    if (fault) fail_msg("%s", fault);
}

/* openssl's client at that door, which trusts our authority; 0: the handshake came about. */
static int knock(int door, const char *shown)
{
    return run_in(folder,
                  "openssl s_client -connect 127.0.0.1:%d -CAfile ours.ca -verify_return_error "
                  "-verify_hostname madang -tls1_2 %s",
                  door, shown);
}

static void whoever_shows_no_certificate_of_ours_is_not_talked_to(void **state)
{
    (void)state;
    for (int i = 0; i < DOORS; i++) {
        assert_int_equal(knock(doors[i], "-cert ours.crt -key ours.key"), 0);
        assert_int_not_equal(knock(doors[i], ""), 0);
        assert_int_not_equal(knock(doors[i], "-cert theirs.crt -key theirs.key"), 0);
    }
    a_game_is_played_through_services_that_talk_by_tls(state);
}

int main(void)
{
    return RUN_TESTS_BETWEEN(
        open_all, close_all, cmocka_unit_test(a_game_is_played_through_services_that_talk_by_tls),
        cmocka_unit_test(whoever_shows_no_certificate_of_ours_is_not_talked_to));
}
