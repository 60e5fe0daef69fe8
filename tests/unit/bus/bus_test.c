/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bus must do, over each transport: tests come twice, once with tcp:// and once with ipc://.
 */
#include "unit/bus/ends.h"
#include "unit/test.h"

#include <arpa/inet.h>
#include <nng/nng.h>
#include <nng/protocol/pipeline0/push.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One loop and URLs to listen on, of a transport. */
struct place {
    const char *transport;
    uv_loop_t loop;
    char folder[32];
    char urls[8][64];
    int used;
    struct end *a, *b, *c;
};

static const char *free_url(struct place *place)
{
    char *url = place->urls[place->used];
    if (strcmp(place->transport, "tcp") == 0)
        strcpy(url, "tcp://127.0.0.1:0");
    else
        snprintf(url, sizeof place->urls[0], "ipc://%s/%d", place->folder, place->used);
    place->used++;
    return url;
}

static int set_up(void **state, const char *transport)
{
    struct place *place = calloc(1, sizeof *place);
    place->transport = transport;
    strcpy(place->folder, "/tmp/bus-test-XXXXXX");
    if (mkdtemp(place->folder) == NULL) return -1;
    place->a = calloc(1, sizeof(struct end));
    place->b = calloc(1, sizeof(struct end));
    place->c = calloc(1, sizeof(struct end));
    *state = place;
    return uv_loop_init(&place->loop);
}

static int set_up_tcp(void **state)
{
    return set_up(state, "tcp");
}

static int set_up_ipc(void **state)
{
    return set_up(state, "ipc");
}

static int tear_down(void **state)
{
    struct place *place = *state;
    struct end *ends[] = {place->a, place->b, place->c};
    for (int i = 0; i < 3; i++) {
        if (ends[i]->bus) end_close(ends[i]);
        free(ends[i]);
    }
    loop_finish(&place->loop);
    rmdir(place->folder);
    free(place);
    return 0;
}

static void open_a_and_b(struct place *place)
{
    end_open(place->a, &place->loop, 1, free_url(place), free_url(place), NULL, 0);
    end_open(place->b, &place->loop, 2, free_url(place), free_url(place), NULL, 0);
}

/* ---- data plane ---------------------------------------------------------------------------- */

static void what_one_turn_sends_arrives_as_one_batch_after_a_reset(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    for (uint64_t i = 1; i <= 100; i++) end_send(place->a, bus_inbox_url(place->b->bus), i);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    const struct seen *seen = end_seen(place->b, EVENT_ENVELOPES, 0);
    assert_int_equal(seen->count, 100);
    assert_int_equal(seen->first, 1);
    assert_int_equal(seen->last, 100);
    assert_string_equal(seen->url, bus_inbox_url(place->a->bus));
    assert_true(id128_equal(seen->peer, place->a->instance));
    assert_int_equal(place->b->seen[0].kind, EVENT_PEER_RESET);
    assert_true(id128_equal(place->b->seen[0].peer, place->a->instance));
}

static void batches_of_many_turns_come_in_order_without_a_reset(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    end_send(place->b, bus_inbox_url(place->a->bus), 1);
    uint64_t next = 1;
    for (int turn = 0; turn < 500; turn++) {
        for (int i = 0; i < 3; i++) end_send(place->a, bus_inbox_url(place->b->bus), next++);
        uv_run(&place->loop, UV_RUN_NOWAIT);
    }
    for (int i = 0; i < 100 && bus_counters(place->b->bus)->envelopes_in < next - 1; i++)
        loop_run_ms(&place->loop, 50);
    uint64_t expected = 1;
    for (int i = 0; end_seen(place->b, EVENT_ENVELOPES, i); i++) {
        const struct seen *seen = end_seen(place->b, EVENT_ENVELOPES, i);
        assert_int_equal(seen->first, expected);
        expected += (uint64_t)seen->count;
        assert_int_equal(seen->last, expected - 1);
    }
    assert_int_equal(expected, next);
    assert_int_equal(end_count(place->b, EVENT_PEER_RESET), 1);
}

static void a_peer_that_is_closed_is_gone(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_send(place->a, url, 1);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    end_send(place->b, bus_inbox_url(place->a->bus), 1);
    assert_true(end_wait(place->a, EVENT_ENVELOPES, 1));
    int resets = end_count(place->a, EVENT_PEER_RESET);
    end_close(place->b);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    const struct seen *gone = end_seen(place->a, EVENT_PEER_GONE, 0);
    assert_string_equal(gone->url, url);
    assert_true(id128_equal(gone->peer, (struct id128){{2}}));
    assert_int_equal(end_count(place->a, EVENT_PEER_RESET), resets + 1);
    /* Said once, and nothing is dialled any more. */
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 1);
}

static void a_process_that_comes_back_behind_its_url_is_a_new_instance(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_send(place->a, url, 1);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    end_close(place->b);
    end_open(place->b, &place->loop, 3, url, NULL, NULL, 0);
    /* As a core does: what was sent before a RESET is sent again after it. */
    for (int i = 0; i < 20 && end_count(place->b, EVENT_ENVELOPES) == 0; i++) {
        end_send(place->a, url, 2);
        loop_run_ms(&place->loop, 100);
    }
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    assert_int_equal(end_seen(place->b, EVENT_ENVELOPES, 0)->first, 2);
    assert_int_equal(place->b->seen[0].kind, EVENT_PEER_RESET);
    bool named = false;
    for (int i = 0; i < 20 && !named; i++) {
        loop_run_ms(&place->loop, 100);
        for (int j = 0; j < place->a->count; j++)
            named |= place->a->seen[j].kind == EVENT_PEER_RESET &&
                     id128_equal(place->a->seen[j].peer, (struct id128){{3}});
    }
    assert_true(named);
}

static void nobody_at_the_url_is_told_as_gone(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    char url[64];
    strcpy(url, bus_inbox_url(place->b->bus));
    end_close(place->b);
    end_send(place->a, url, 1);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_GONE, 0)->url, url);
}

static void bytes_that_are_no_batch_are_counted_and_dropped(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    nng_socket socket;
    assert_int_equal(nng_push0_open(&socket), 0);
    assert_int_equal(nng_dial(socket, bus_inbox_url(place->b->bus), NULL, 0), 0);
    assert_int_equal(nng_send(socket, "garbage", 7, 0), 0);
    end_send(place->a, bus_inbox_url(place->b->bus), 1);
    assert_true(end_wait(place->b, EVENT_ENVELOPES, 1));
    loop_run_ms(&place->loop, 100);
    assert_int_equal(bus_counters(place->b->bus)->unreadable, 1);
    nng_close(socket);
}

/* A listener that accepts and never says a word. */
static void a_peer_that_never_answers_fills_its_outbox_and_the_core_is_told(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(listener, 16), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &len), 0);
    char url[64];
    snprintf(url, sizeof url, "tcp://127.0.0.1:%d", ntohs(address.sin_port));

    static uint8_t section[WIRE_SECTION_BYTES_MAX];
    struct effects effects = {0};
    for (int i = 0; i < 30; i++) {
        struct effect *effect = effects_add(&effects, EFFECT_SEND);
        effect->url = url;
        effect->envelope.kind = ENV_UPDATE;
        effect->envelope.u.update.game = slice_of(section, sizeof section);
    }
    for (int turn = 0; turn < 40 && end_count(place->a, EVENT_PEER_RESET) == 0; turn++) {
        bus_carry(place->a->bus, &effects);
        uv_run(&place->loop, UV_RUN_NOWAIT);
    }
    effects_fini(&effects);
    assert_true(end_wait(place->a, EVENT_PEER_RESET, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_RESET, 0)->url, url);
    assert_true(bus_counters(place->a->bus)->overflows >= 1);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0); /* silence is not death */
    close(listener);
}

/* ---- control plane ------------------------------------------------------------------------- */

static void a_request_to_a_url_is_answered_with_its_token(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    place->b->answers = true;
    for (uint64_t i = 1; i <= 200; i++)
        end_request(place->a, bus_control_url(place->b->bus), i, 2000);
    assert_true(end_wait(place->a, EVENT_REPLY, 200));
    uint64_t sum = 0;
    for (int i = 0; i < 200; i++) {
        const struct seen *reply = end_seen(place->a, EVENT_REPLY, i);
        assert_int_equal(reply->status, ST_OK);
        assert_int_equal(reply->rooms, 2);
        sum += reply->token;
    }
    assert_int_equal(sum, 200 * 201 / 2);
    assert_int_equal(bus_requests_open(place->a->bus), 0);
}

static void any_matchmaker_answers_and_another_takes_over(void **state)
{
    struct place *place = *state;
    end_open(place->b, &place->loop, 2, NULL, free_url(place), NULL, 0);
    end_open(place->c, &place->loop, 3, NULL, free_url(place), NULL, 0);
    const char *matchmakers[] = {bus_control_url(place->b->bus), bus_control_url(place->c->bus)};
    end_open(place->a, &place->loop, 1, free_url(place), NULL, matchmakers, 2);
    place->b->answers = place->c->answers = true;
    loop_run_ms(&place->loop, 100);
    end_close(place->b);
    loop_run_ms(&place->loop, 100); /* nng may lose a request's memory while a pipe closes */
    for (uint64_t i = 1; i <= 10; i++) {
        end_request(place->a, NULL, i, 2000);
        assert_true(end_wait(place->a, EVENT_REPLY, (int)i));
        assert_int_equal(end_seen(place->a, EVENT_REPLY, (int)i - 1)->status, ST_OK);
        assert_int_equal(end_seen(place->a, EVENT_REPLY, (int)i - 1)->rooms, 3);
    }
}

static void a_request_that_nobody_answers_fails_when_its_time_is_over(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    uint64_t start = uv_hrtime();
    end_request(place->a, bus_control_url(place->b->bus), 7, 300);
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    assert_in_range((uv_hrtime() - start) / 1000000, 290, 1000);
    const struct seen *reply = end_seen(place->a, EVENT_REPLY, 0);
    assert_int_equal(reply->status, ST_UNAVAILABLE);
    assert_int_equal(reply->token, 7);
    /* The answer comes too late and is dropped. */
    assert_int_equal(end_count(place->b, EVENT_REQUEST), 1);
    end_reply(place->b, end_seen(place->b, EVENT_REQUEST, 0)->token);
    loop_run_ms(&place->loop, 100);
    assert_int_equal(end_count(place->a, EVENT_REPLY), 1);
}

static void a_request_without_any_matchmaker_fails(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    end_request(place->a, NULL, 1, 1000);
    assert_int_equal(end_count(place->a, EVENT_REPLY), 0); /* never from inside bus_carry */
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 0)->status, ST_UNAVAILABLE);
}

static void a_token_is_good_once(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    end_request(place->a, bus_control_url(place->b->bus), 1, 2000);
    assert_true(end_wait(place->b, EVENT_REQUEST, 1));
    assert_int_equal(end_seen(place->b, EVENT_REQUEST, 0)->asked, REQ_STATUS);
    uint64_t token = end_seen(place->b, EVENT_REQUEST, 0)->token;
    end_reply(place->b, token + 64); /* none that was given */
    end_reply(place->b, token);
    end_reply(place->b, token);
    assert_true(end_wait(place->a, EVENT_REPLY, 1));
    end_reply(place->b, token);
    end_request(place->a, bus_control_url(place->b->bus), 2, 2000);
    assert_true(end_wait(place->b, EVENT_REQUEST, 2));
    end_reply(place->b, end_seen(place->b, EVENT_REQUEST, 1)->token);
    assert_true(end_wait(place->a, EVENT_REPLY, 2));
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 1)->token, 2);
    assert_int_equal(end_seen(place->a, EVENT_REPLY, 1)->status, ST_OK);
}

static void the_death_of_a_watched_process_is_told_once(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    char url[64];
    strcpy(url, bus_control_url(place->b->bus));
    end_watch(place->a, url, true);
    loop_run_ms(&place->loop, 300);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0);
    end_close(place->b);
    assert_true(end_wait(place->a, EVENT_PEER_GONE, 1));
    assert_string_equal(end_seen(place->a, EVENT_PEER_GONE, 0)->url, url);
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 1);
}

static void a_process_no_longer_watched_dies_in_silence(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
    end_watch(place->a, bus_control_url(place->b->bus), true);
    loop_run_ms(&place->loop, 200);
    end_watch(place->a, bus_control_url(place->b->bus), false);
    end_close(place->b);
    loop_run_ms(&place->loop, 600);
    assert_int_equal(end_count(place->a, EVENT_PEER_GONE), 0);
}

/* ---- certificates -------------------------------------------------------------------------- */

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

/* ---- life ---------------------------------------------------------------------------------- */

static void what_cannot_be_opened_is_said_and_leaves_nothing(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
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
        .control_url = free_url(place),
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

static void a_bus_closes_in_the_middle_of_everything(void **state)
{
    struct place *place = *state;
    open_a_and_b(place);
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

#define TCP(test)  cmocka_unit_test_setup_teardown(test, set_up_tcp, tear_down)
#define IPC(test)  cmocka_unit_test_setup_teardown(test, set_up_ipc, tear_down)
#define BOTH(test) TCP(test), IPC(test)

int main(void)
{
    return RUN_TESTS(BOTH(what_one_turn_sends_arrives_as_one_batch_after_a_reset),
                     BOTH(batches_of_many_turns_come_in_order_without_a_reset),
                     BOTH(a_peer_that_is_closed_is_gone),
                     BOTH(a_process_that_comes_back_behind_its_url_is_a_new_instance),
                     BOTH(nobody_at_the_url_is_told_as_gone),
                     BOTH(bytes_that_are_no_batch_are_counted_and_dropped),
                     TCP(a_peer_that_never_answers_fills_its_outbox_and_the_core_is_told),
                     BOTH(a_request_to_a_url_is_answered_with_its_token),
                     BOTH(any_matchmaker_answers_and_another_takes_over),
                     BOTH(a_request_that_nobody_answers_fails_when_its_time_is_over),
                     BOTH(a_request_without_any_matchmaker_fails), BOTH(a_token_is_good_once),
                     BOTH(the_death_of_a_watched_process_is_told_once),
                     BOTH(a_process_no_longer_watched_dies_in_silence),
                     TCP(peers_with_certificates_of_one_authority_talk_and_others_do_not),
                     TCP(a_file_that_is_no_certificate_is_said),
                     BOTH(what_cannot_be_opened_is_said_and_leaves_nothing),
                     TCP(a_public_url_gets_the_port_that_was_taken),
                     BOTH(a_bus_closes_in_the_middle_of_everything));
}
