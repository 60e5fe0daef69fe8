/* SPDX-License-Identifier: Apache-2.0
 *
 * A room as a worker tells it, without rules: sections that change at random, and what each update
 * says of them. Its bytes name whom they are for, so a leak is seen in them.
 */
#ifndef UNIT_GATEWAY_ROOM_MODEL_H
#define UNIT_GATEWAY_ROOM_MODEL_H

#include "unit/gateway/yard.h"

enum { MODEL_SEATS = 4, MODEL_TEXT = 32 };

struct room_model {
    struct version version;
    char room[MODEL_TEXT], presence[MODEL_TEXT], game[MODEL_TEXT];
    char mine[MODEL_SEATS][MODEL_TEXT];
    bool here[MODEL_SEATS]; /* seats whose private part this gateway is told */
    uint64_t sent;          /* seq the gateway was sent last */
    uint32_t changed;       /* SECTION_ bits since then */
    bool mine_changed[MODEL_SEATS];
    uint64_t chance;
};

void model_open(struct room_model *model, uint64_t epoch, uint64_t seed);
/* Something happens: some sections change, the version rises or (presence alone) does not. */
void model_change(struct room_model *model);
/* The update since the last one; base 0 and everything when `whole`. Its bytes are lent until the
 * next call. */
const struct envelope *model_update(struct room_model *model, bool whole);
/* Everything, for one client. */
const struct envelope *model_whole_for(struct room_model *model, uint64_t client, int seat);
/* The text of the event that led to seq, and its part for one seat (seq % MODEL_SEATS). */
void model_event_text(uint64_t seq, char text[MODEL_TEXT]);
void model_event_mine(uint64_t seq, char text[MODEL_TEXT]);

/* A browser: folds frames as the web client does. */
struct folded {
    struct version version;
    char room[MODEL_TEXT], presence[MODEL_TEXT], game[MODEL_TEXT], mine[MODEL_TEXT];
    uint64_t last_event;
    int events, repeats, foreign; /* foreign: private parts of events that are not this seat's */
    int lacks;                    /* deltas whose base it did not have */
};
void fold_frame(struct folded *folded, int seat, const struct server_room *frame);
/* Folds what was recorded for a socket from frame number *from on. */
void fold_recorded(struct folded *folded, struct yard *yard, uint64_t socket, int seat, int *from);
void assert_folded_equals(const struct folded *folded, const struct room_model *model, int seat);

#endif
