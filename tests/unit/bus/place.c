/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/bus/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *place_url(struct place *place)
{
    char *url = place->urls[place->used];
    if (strcmp(place->transport, "tcp") == 0)
        strcpy(url, "tcp://127.0.0.1:0");
    else
        snprintf(url, sizeof place->urls[0], "ipc://%s/%d", place->folder, place->used);
    place->used++;
    return url;
}

static int open_place(void **state, const char *transport)
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

int place_open_tcp(void **state)
{
    return open_place(state, "tcp");
}

int place_open_ipc(void **state)
{
    return open_place(state, "ipc");
}

int place_close(void **state)
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

void place_open_both(struct place *place)
{
    end_open(place->a, &place->loop, 1, place_url(place), place_url(place), NULL, 0);
    end_open(place->b, &place->loop, 2, place_url(place), place_url(place), NULL, 0);
}
