/* SPDX-License-Identifier: Apache-2.0
 *
 * The turn of the loop: what nng's threads brought is delivered as one callback; before the loop
 * sleeps, RESETs that are due are told to the core and everything it sent leaves.
 */
#include "base/check.h"
#include "bus/inside.h"

#include <stdio.h>
#include <stdlib.h>

void bus_deliver(struct bus *bus, struct event *event)
{
    if (!bus->closing) bus->on_event(bus->context, event);
}

static void on_wake(uv_async_t *handle)
{
    struct bus *bus = handle->data;
    mailbox_deliver(&bus->mail);
}

static void on_tick(uv_timer_t *handle);

/* At whole multiples, as the other timers that run all the time (of the store, of health): so those
 * that are due at about the same time wake a process that rests once. */
static void arm_tick(struct bus *bus)
{
    uint64_t left = BUS_TICK_MS - bus_now(bus) % BUS_TICK_MS;
    CHECK(uv_timer_start(&bus->tick, on_tick, left, 0) == 0);
}

/* Also to make the turn happen: on_prepare looks at the time. */
static void on_tick(uv_timer_t *handle)
{
    struct bus *bus = handle->data;
    uint64_t now = bus_now(bus);
    arm_tick(bus);
    if (now - bus->ticked_ms > LINK_SILENT_MS / 2) bus->awake_ms = now;
    bus->ticked_ms = now;
    outbox_tick_all(bus);
    ask_tick(bus);
    answers_tick(bus->answers);
}

/* Those that became due while this runs are told in the next turn. */
static void tell_resets(struct bus *bus)
{
    struct event event = {.kind = EVENT_PEER_RESET};
    for (size_t left = bus->link.count; left > 0; left--) {
        if (!link_reset_due(&bus->link, &event.peer, &event.peer_url)) return;
        bus->counters.resets++;
        bus_deliver(bus, &event);
    }
}

static void on_prepare(uv_prepare_t *handle)
{
    struct bus *bus = handle->data;
    struct link_out out;
    tell_resets(bus);
    while (link_flush(&bus->link, bus_now(bus), &out)) {
        if (outbox_send(bus, out.url, out.bytes, out.heartbeat)) continue;
        bus->counters.overflows++;
        link_lost(&bus->link, out.url);
        uv_async_send(&bus->wake);
    }
}

/* ---- effects ------------------------------------------------------------------------------- */

static void send_envelope(struct bus *bus, const struct effect *effect)
{
    switch (link_send(&bus->link, effect->url, effect->peer, &effect->envelope, bus_now(bus))) {
    case ST_OK: bus->counters.envelopes_out++; break;
    case ST_FULL:
        bus->counters.overflows++;
        uv_async_send(&bus->wake); /* there is a RESET to tell */
        break;
    case ST_UNAVAILABLE: break; /* cut, and about to be told */
    default: bus->counters.unsendable++; break;
    }
}

static void watch(struct bus *bus, const struct effect *effect, bool on)
{
    if (id128_is_zero(effect->peer))
        ask_watch(bus, effect->url, on);
    else
        outbox_watch(bus, effect->url, on);
}

void bus_carry(struct bus *bus, const struct effects *effects)
{
    for (size_t i = 0; i < effects->count && !bus->closing; i++) {
        const struct effect *effect = &effects->list[i];
        switch (effect->kind) {
        case EFFECT_SEND: send_envelope(bus, effect); break;
        case EFFECT_REQUEST: ask_send(bus, effect); break;
        case EFFECT_REPLY: answers_send(bus->answers, effect->token, &effect->reply); break;
        case EFFECT_WATCH: watch(bus, effect, true); break;
        case EFFECT_UNWATCH: watch(bus, effect, false); break;
        default: break; /* not the bus' */
        }
    }
}

/* ---- life ---------------------------------------------------------------------------------- */

static void close_parts(void *context)
{
    struct bus *bus = context;
    inbox_close(bus->inbox);
    answers_close(bus->answers);
    ask_close(bus);
    outbox_close_all(bus);
    tls_close(bus);
    link_fini(&bus->link);
    arena_fini(&bus->arena);
    mailbox_fini(&bus->mail);
    free(bus);
}

static void on_closed(uv_handle_t *handle)
{
    struct bus *bus = handle->data;
    if (--bus->handles > 0) return;
    (void)close_in_time(close_parts, bus); /* else it stays as it is until the process ends */
}

void bus_close(struct bus *bus)
{
    if (bus == NULL || bus->closing) return;
    bus->closing = true;
    mailbox_shut(&bus->mail);
    uv_close((uv_handle_t *)&bus->wake, on_closed);
    uv_close((uv_handle_t *)&bus->prepare, on_closed);
    uv_close((uv_handle_t *)&bus->tick, on_closed);
}

static void open_handles(struct bus *bus)
{
    bus->wake.data = bus->prepare.data = bus->tick.data = bus;
    CHECK(uv_async_init(bus->loop, &bus->wake, on_wake) == 0);
    CHECK(uv_prepare_init(bus->loop, &bus->prepare) == 0);
    CHECK(uv_timer_init(bus->loop, &bus->tick) == 0);
    bus->handles = 3;
    uv_prepare_start(&bus->prepare, on_prepare);
    arm_tick(bus);
    mailbox_init(&bus->mail, &bus->wake);
}

/* What others are told: the public URL, whose port 0 stands for the one that was taken. Without one
 * it is where this end listens, by an address that others can dial. */
static bool make_public(const struct bus_config *config, const char *public_url, char *taken_url)
{
    if (public_url == NULL) return address_fill_in(config, taken_url);
    size_t len = strlen(public_url);
    const char *port = strrchr(taken_url, ':');
    bool chosen = len >= 2 && strcmp(public_url + len - 2, ":0") == 0 && port != NULL;
    char made[WIRE_URL_BYTES_MAX + 1];
    int written = snprintf(made, sizeof made, "%.*s%s", (int)(chosen ? len - 2 : len), public_url,
                           chosen ? port : "");
    if (written < 0 || (size_t)written >= sizeof made) return false;
    memcpy(taken_url, made, (size_t)written + 1);
    return true;
}

static bool open_parts(struct bus *bus, const struct bus_config *config, const char **why)
{
    *why = "there are more matchmakers than a bus dials";
    if (config->matchmaker_count > BUS_MATCHMAKERS_MAX) return false;
    if (!tls_open(bus, config, why)) return false;
    *why = "the inbox cannot listen on its URL: is it taken?";
    if (config->inbox_url) bus->inbox = inbox_open(bus, config->inbox_url, bus->inbox_url);
    if (config->inbox_url && bus->inbox == NULL) return false;
    *why = "the control plane cannot listen on its URL: is it taken?";
    if (config->control_url)
        bus->answers = answers_open(bus, config->control_url, bus->control_url);
    if (config->control_url && bus->answers == NULL) return false;
    *why = "what others dial is too long, or it listens on all addresses and no matchmaker can be "
           "found that would tell which of them others reach";
    if (bus->inbox && !make_public(config, config->inbox_public_url, bus->inbox_url)) return false;
    if (bus->answers && !make_public(config, config->control_public_url, bus->control_url))
        return false;
    *why = "a matchmaker's URL cannot be dialled";
    if (!ask_open(bus, config)) return false;
    *why = NULL;
    return true;
}

struct bus *bus_open(uv_loop_t *loop, const struct bus_config *config, bus_on_event on_event,
                     void *context, const char **why)
{
    struct bus *bus = calloc(1, sizeof *bus);
    CHECK(bus != NULL);
    bus->loop = loop;
    bus->on_event = on_event;
    bus->context = context;
    open_handles(bus);
    bool open = open_parts(bus, config, why);
    link_init(&bus->link, config->instance, bus->inbox_url);
    if (open) return bus;
    bus_close(bus);
    return NULL;
}

const char *bus_inbox_url(const struct bus *bus)
{
    return bus->inbox_url;
}

const char *bus_control_url(const struct bus *bus)
{
    return bus->control_url;
}

int bus_requests_open(const struct bus *bus)
{
    return bus->call_count;
}

const struct bus_counters *bus_counters(const struct bus *bus)
{
    return &bus->counters;
}

void bus_queues(struct bus *bus, struct bus_queues *out)
{
    struct link *link = &bus->link;
    *out = (struct bus_queues){
        .inbox = inbox_fullness(bus->inbox),
        .turn = {link->turn_peak, LINK_TURN_BYTES_MAX, link->turns_cut},
        .peers = {link->count, LINK_PEERS_MAX, link->peers_refused + bus->refused_peers},
        .remotes = {bus->remotes.count, BUS_PEERS_MAX, bus->refused_remotes},
        .requests = {(uint64_t)bus->call_count, BUS_REQUESTS_MAX, bus->refused_requests},
        .answers = answers_fullness(bus->answers),
    };
    outbox_fullness(bus, out);
    link->turn_peak = 0;
}
