/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/wire/link_model.h"

#include "base/check.h"
#include "base/hash.h"

int model_below(struct model *model, int bound)
{
    return (int)(hash_mix64(++model->chance) % (uint64_t)bound);
}

const char *model_url(int node)
{
    static const char *const urls[MODEL_NODES] = {"ipc://a", "ipc://b", "ipc://c"};
    return urls[node];
}

static struct id128 instance_of(int process)
{
    return (struct id128){{1, (uint8_t)process}};
}

static int node_at(const char *url)
{
    for (int i = 0; i < MODEL_NODES; i++)
        if (strcmp(url, model_url(i)) == 0) return i;
    CHECK(!"a URL of the model");
    return -1;
}

static void start(struct model *model, int node)
{
    CHECK(model->processes < MODEL_PROCESSES_MAX);
    int process = model->processes++;
    model->process_of[node] = process;
    model->node_of[process] = node;
    link_init(&model->links[node], instance_of(process), model_url(node));
}

void model_init(struct model *model, uint64_t seed)
{
    memset(model, 0, sizeof *model);
    model->chance = hash_mix64(seed);
    model->now = 1000;
    for (int i = 0; i < MODEL_NODES; i++) start(model, i);
}

void model_fini(struct model *model)
{
    for (int i = 0; i < MODEL_NODES; i++) link_fini(&model->links[i]);
    while (model->flying) model_drop(model, 0);
}

static void record(struct model *model, struct model_entry entry)
{
    CHECK(model->logged < MODEL_LOG_MAX);
    model->log[model->logged++] = entry;
}

static void tell_resets(struct model *model, int node)
{
    struct id128 instance;
    const char *url;
    while (link_reset_due(&model->links[node], &instance, &url))
        record(model,
               (struct model_entry){MODEL_RESET, model->process_of[node], node_at(url), 0, 0});
}

/* A core that names nobody, or whom it believes in, or, from an old directory, somebody long dead.
 * */
static struct id128 addressee(struct model *model, int from, int to)
{
    if (model->confused && model_below(model, 12) == 0)
        return instance_of(model_below(model, model->processes));
    switch (model_below(model, 8)) {
    case 0:
    case 1:
    case 2: return instance_of(model->process_of[to]);
    case 3:
    case 4: return link_instance(&model->links[from], model_url(to));
    default: return (struct id128){0};
    }
}

void model_send(struct model *model, int from, int to)
{
    int process = model->process_of[from];
    uint64_t counter = ++model->sent[process][to];
    struct envelope envelope = {.kind = ENV_RTT};
    envelope.u.rtt = (struct env_rtt){.room = (room_id)process, .client = counter};
    link_send(&model->links[from], model_url(to), addressee(model, from, to), &envelope,
              model->now);
    record(model, (struct model_entry){MODEL_SENT, process, to, 0, counter});
    if (model_below(model, 2)) tell_resets(model, from);
}

void model_flush(struct model *model, int node)
{
    struct link_out out;
    tell_resets(model, node);
    while (link_flush(&model->links[node], model->now, &out)) {
        CHECK(model->flying < MODEL_FLIGHT_MAX);
        struct model_message *message = &model->flight[model->flying++];
        *message = (struct model_message){.from_node = node, .to_node = node_at(out.url)};
        buf_put_slice(&message->bytes, out.bytes);
    }
}

void model_drop(struct model *model, int at)
{
    buf_fini(&model->flight[at].bytes);
    model->flying--;
    memmove(&model->flight[at], &model->flight[at + 1],
            (size_t)(model->flying - at) * sizeof *model->flight);
}

void model_deliver(struct model *model, int at, bool keep)
{
    const struct model_message *message = &model->flight[at];
    int node = message->to_node, process = model->process_of[node];
    struct arena arena = {0};
    struct link_in in;
    enum status status =
        link_receive(&model->links[node], buf_slice(&message->bytes), model->now, &arena, &in);
    CHECK(status == ST_OK);
    if (in.reset)
        record(model, (struct model_entry){MODEL_RESET, process, message->from_node, 0, 0});
    for (int i = 0; i < in.count; i++)
        record(model, (struct model_entry){MODEL_DELIVERED, process, message->from_node,
                                           (int)in.list[i].u.rtt.room, in.list[i].u.rtt.client});
    arena_fini(&arena);
    if (!keep) model_drop(model, at);
}

void model_break(struct model *model, int from, int to)
{
    for (int i = model->flying - 1; i >= 0; i--)
        if (model->flight[i].from_node == from && model->flight[i].to_node == to)
            model_drop(model, i);
    link_lost(&model->links[from], model_url(to));
}

void model_restart(struct model *model, int node)
{
    link_fini(&model->links[node]);
    start(model, node);
}

void model_settle(struct model *model, int ms)
{
    for (int passed = 0; passed <= ms; passed += 50) {
        for (int i = 0; i < MODEL_NODES; i++) model_flush(model, i);
        while (model->flying) model_deliver(model, 0, false);
        model->now += 50;
    }
}
