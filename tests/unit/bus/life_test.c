/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening and closing a bus, with certificates and without.
 */
#include "unit/bus/nng_leak.h"
#include "unit/bus/place.h"

#include <stdio.h>
#include <stdlib.h>

static void shell(const char *folder, const char *command)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && { %s; } >/dev/null 2>&1", folder, command);
    assert_int_equal(system(line), 0);
}

/* An authority, and an identity that it has certified under a name; in files <who>.ca and <who>.id.
 * */
static void certify(const char *folder, const char *who, const char *name)
{
    char command[400];
    snprintf(command, sizeof command,
             "openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=authority "
             "-keyout %s.cakey -out %s.ca && "
             "openssl req -newkey rsa:2048 -nodes -subj /CN=%s -keyout %s.key -out %s.csr && "
             "openssl x509 -req -in %s.csr -CA %s.ca -CAkey %s.cakey -CAcreateserial -days 30 "
             "-out %s.crt && cat %s.crt %s.key > %s.id",
             who, who, name, who, who, who, who, who, who, who, who, who);
    shell(folder, command);
}

static void open_tls(struct place *place, struct end *end, uint8_t instance, const char *who)
{
    char ca[64], identity[64];
    snprintf(ca, sizeof ca, "%s/%s.ca", place->folder, who);
    snprintf(identity, sizeof identity, "%s/%s.id", place->folder, who);
    struct bus_config config = {
        .instance = {{instance}},
        .inbox_url = "tls+tcp://127.0.0.1:0",
        .control_url = "tls+tcp://127.0.0.1:0",
        .tls_ca = ca,
        .tls_identity = identity,
    };
    end_open_config(end, &place->loop, &config);
}

static void peers_with_certificates_of_one_authority_talk_and_others_do_not(void **state)
{
    struct place *place = *state;
    certify(place->folder, "ours", "madang");
    certify(place->folder, "theirs", "madang");
    open_tls(place, place->a, 1, "ours");
    open_tls(place, place->b, 2, "ours");
    open_tls(place, place->c, 3, "theirs");
    place->b->answers = true;

    end_send(place->a, bus_inbox_url(place->b->bus), 1);
    end_request(place->a, bus_control_url(place->b->bus), 1, 2000);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 0)->status, ST_OK);

    end_send(place->c, bus_inbox_url(place->b->bus), 1);
    end_request(place->c, bus_control_url(place->b->bus), 1, 1000);
    assert_true(end_wait(place->c, EVENT_REPLY, 1));
    assert_int_equal(end_seen(place->c, EVENT_REPLY, 0)->status, ST_UNAVAILABLE);
    assert_int_equal(end_count(place->b, EVENT_ENVELOPES), 1);
    shell(place->folder, "rm -f *");
}

static void a_file_that_is_no_certificate_is_said(void **state)
{
    struct place *place = *state;
    struct bus_config config = {.instance = {{1}},
                                .tls_ca = "/dev/null",
                                .tls_identity = "/dev/null"};
    const char *why = NULL;
    assert_null(bus_open(&place->loop, &config, NULL, NULL, &why));
    assert_non_null(strstr(why, "TLS file"));
    config.tls_identity = NULL;
    assert_null(bus_open(&place->loop, &config, NULL, NULL, &why));
    assert_non_null(strstr(why, "both"));
}

static void what_cannot_be_opened_is_said_and_leaves_nothing(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    struct bus_config config = {.instance = {{5}}, .inbox_url = bus_inbox_url(place->a->bus)};
    const char *why = NULL;
    assert_null(bus_open(&place->loop, &config, NULL, NULL, &why));
    assert_non_null(strstr(why, "taken"));
    config = (struct bus_config){.instance = {{5}}, .matchmaker_count = BUS_MATCHMAKERS_MAX + 1};
    assert_null(bus_open(&place->loop, &config, NULL, NULL, &why));
    assert_non_null(strstr(why, "matchmakers"));
}

static void a_public_url_gets_the_port_that_was_taken(void **state)
{
    struct place *place = *state;
    struct bus_config config = {
        .instance = {{5}},
        .inbox_url = "tcp://0.0.0.0:0",
        .inbox_public_url = "tcp://localhost:0",
        .control_url = place_url(place),
        .control_public_url = "tcp://example.org:7000",
    };
    const char *why;
    struct bus *bus = bus_open(&place->loop, &config, NULL, NULL, &why);
    assert_non_null(bus);
    int port = 0;
    assert_int_equal(sscanf(bus_inbox_url(bus), "tcp://localhost:%d", &port), 1);
    assert_in_range(port, 1, 65535);
    assert_string_equal(bus_control_url(bus), "tcp://example.org:7000");
    bus_close(bus);
}

static void who_listens_everywhere_tells_the_address_that_reaches_a_matchmaker(void **state)
{
    struct place *place = *state;
    const char *const matchmakers[] = {"ipc:///nowhere", "tcp://localhost:1"};
    struct bus_config config = {
        .instance = {{5}},
        .inbox_url = "tcp://0.0.0.0:0",
        .control_url = "tcp://*:0",
        .matchmakers = matchmakers,
        .matchmaker_count = 2,
    };
    const char *why;
    struct bus *bus = bus_open(&place->loop, &config, NULL, NULL, &why);
    assert_non_null(bus);
    int port = 0;
    if (sscanf(bus_inbox_url(bus), "tcp://127.0.0.1:%d", &port) != 1)
        assert_int_equal(sscanf(bus_inbox_url(bus), "tcp://[::1]:%d", &port), 1);
    assert_in_range(port, 1, 65535);
    assert_null(strchr(bus_control_url(bus), '*'));
    bus_close(bus);
}

static void who_listens_everywhere_and_finds_no_matchmaker_says_so(void **state)
{
    struct place *place = *state;
    const char *const matchmakers[] = {"ipc:///nowhere"};
    struct bus_config config = {
        .instance = {{5}},
        .inbox_url = "tcp://0.0.0.0:0",
        .matchmakers = matchmakers,
        .matchmaker_count = 1,
    };
    const char *why = NULL;
    assert_null(bus_open(&place->loop, &config, NULL, NULL, &why));
    assert_non_null(strstr(why, "no matchmaker can be found"));
}

static void a_bus_closes_in_the_middle_of_everything(void **state)
{
    struct place *place = *state;
    place_open_both(place);
    end_watch(place->a, bus_control_url(place->b->bus), true);
    for (uint64_t i = 0; i < 100; i++) {
        end_send(place->a, bus_inbox_url(place->b->bus), i);
        end_request(place->a, bus_control_url(place->b->bus), i, 1000);
        end_request(place->a, NULL, i, 1000);
    }
    uv_run(&place->loop, UV_RUN_NOWAIT);
    int before = place->a->count;
    end_close(place->a);
    assert_int_equal(place->a->count, before);
}

int main(void)
{
    return RUN_TESTS(TCP(peers_with_certificates_of_one_authority_talk_and_others_do_not),
                     TCP(a_file_that_is_no_certificate_is_said),
                     BOTH(what_cannot_be_opened_is_said_and_leaves_nothing),
                     TCP(a_public_url_gets_the_port_that_was_taken),
                     TCP(who_listens_everywhere_tells_the_address_that_reaches_a_matchmaker),
                     TCP(who_listens_everywhere_and_finds_no_matchmaker_says_so),
                     BOTH(a_bus_closes_in_the_middle_of_everything));
}
