/* SPDX-License-Identifier: Apache-2.0
 *
 * Links under every kind of fault: what must hold of the record of a whole run.
 */
#include "unit/test.h"

#include "unit/wire/link_model.h"

#include <stdlib.h>

enum { A, B, C };

/* What the core of `process` was given of a peer's node, in order: each envelope of a sender at
 * most once and rising, and a RESET wherever one is missing before it. */
static void check_order(const struct model *model, int process, int node)
{
    uint64_t last[MODEL_PROCESSES_MAX] = {0};
    bool reset[MODEL_PROCESSES_MAX] = {0};
    for (int i = 0; i < model->logged; i++) {
        const struct model_entry *entry = &model->log[i];
        if (entry->process != process || entry->node != node) continue;
        if (entry->what == MODEL_RESET) memset(reset, true, sizeof reset);
        if (entry->what != MODEL_DELIVERED) continue;
        assert_true(entry->counter > last[entry->from]);
        if (entry->counter != last[entry->from] + 1) assert_true(reset[entry->from]);
        if (last[entry->from] == 0) assert_true(reset[entry->from]);
        last[entry->from] = entry->counter;
        reset[entry->from] = false;
    }
}

/* The receiver alive has all that the sender alive ever sent to its node, or a RESET after what it
 * has. */
static void check_tail(const struct model *model, int from, int to)
{
    int sender = model->process_of[from], receiver = model->process_of[to];
    uint64_t last = 0;
    bool reset = false;
    for (int i = 0; i < model->logged; i++) {
        const struct model_entry *entry = &model->log[i];
        if (entry->process != receiver || entry->node != from) continue;
        if (entry->what == MODEL_RESET) reset = true;
        if (entry->what != MODEL_DELIVERED || entry->from != sender) continue;
        last = entry->counter;
        reset = false;
    }
    if (last < model->sent[sender][to]) assert_true(reset);
}

static bool was_delivered(const struct model *model, int sender, int receiver, uint64_t counter)
{
    for (int i = 0; i < model->logged; i++) {
        const struct model_entry *entry = &model->log[i];
        if (entry->what == MODEL_DELIVERED && entry->process == receiver && entry->from == sender &&
            entry->counter == counter)
            return true;
    }
    return false;
}

/* The sender alive was told of every loss after it sent the envelope that was lost. */
static void check_sender_told(const struct model *model, int from, int to)
{
    int sender = model->process_of[from], receiver = model->process_of[to];
    bool told = false;
    for (int i = model->logged - 1; i >= 0 && !told; i--) {
        const struct model_entry *entry = &model->log[i];
        if (entry->process != sender || entry->node != to) continue;
        if (entry->what == MODEL_RESET) told = true;
        if (entry->what == MODEL_SENT)
            assert_true(was_delivered(model, sender, receiver, entry->counter));
    }
}

static void check_all(const struct model *model)
{
    for (int process = 0; process < model->processes; process++)
        for (int node = 0; node < MODEL_NODES; node++) check_order(model, process, node);
    for (int from = 0; from < MODEL_NODES; from++) {
        for (int to = 0; to < MODEL_NODES; to++) {
            check_tail(model, from, to);
            check_sender_told(model, from, to);
        }
    }
}

static void random_step(struct model *model, int faults)
{
    int from = model_below(model, MODEL_NODES),
        to = (from + 1 + model_below(model, 2)) % MODEL_NODES;
    model->now += (instant_ms)model_below(model, 30);
    for (int i = model_below(model, 4); i > 0; i--) model_send(model, from, to);
    model_flush(model, from);
    for (int i = 0; i < 3 && model->flying; i++) {
        bool fault = model_below(model, 100) < faults;
        int at = fault ? model_below(model, model->flying) : 0;
        if (fault && model_below(model, 3) == 0)
            model_drop(model, at);
        else
            model_deliver(model, at, fault && model_below(model, 2));
    }
    if (model_below(model, 1000) < faults) model_break(model, from, to);
    if (model_below(model, 2000) < faults) model_restart(model, from);
}

/* Everybody says something to the next node, and all of it arrives. */
static void say_something(struct model *model)
{
    for (int from = 0; from < MODEL_NODES; from++) {
        struct envelope envelope = {.kind = ENV_PAUSED};
        assert_int_equal(link_send(&model->links[from], model_url((from + 1) % MODEL_NODES),
                                   (struct id128){0}, &envelope, model->now),
                         ST_OK);
    }
    model_settle(model, 500);
}

static void run_with_faults(uint64_t seed, int faults)
{
    struct model *model = malloc(sizeof *model);
    assert_non_null(model);
    model_init(model, seed);
    model->confused = faults > 0;
    for (int i = 0; i < 400; i++) random_step(model, faults);
    model_settle(model, 1500);
    check_all(model);
    /* Those that were started last may not have met yet; after that nothing is lost or reset any
     * more. */
    say_something(model);
    int before = model->logged;
    say_something(model);
    assert_int_equal(model->logged, before + MODEL_NODES);
    for (int i = before; i < model->logged; i++)
        assert_int_equal(model->log[i].what, MODEL_DELIVERED);
    model_fini(model);
    free(model);
}

static void without_faults_only_the_first_contact_resets(void **unused)
{
    (void)unused;
    struct model *model = malloc(sizeof *model);
    assert_non_null(model);
    model_init(model, 1);
    for (int i = 0; i < 50; i++) {
        model_send(model, A, B);
        model_send(model, B, A);
        model_settle(model, 0);
    }
    check_all(model);
    int resets = 0, delivered = 0;
    for (int i = 0; i < model->logged; i++) {
        resets += model->log[i].what == MODEL_RESET;
        delivered += model->log[i].what == MODEL_DELIVERED;
    }
    assert_int_equal(resets, 2);
    assert_int_equal(delivered, 100);
    model_fini(model);
    free(model);
}

static void a_loss_is_known_on_both_sides_whatever_happens(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 300; seed++) run_with_faults(seed, (int)(seed % 40));
}

int main(void)
{
    return RUN_TESTS(cmocka_unit_test(without_faults_only_the_first_contact_resets),
                     cmocka_unit_test(a_loss_is_known_on_both_sides_whatever_happens));
}
