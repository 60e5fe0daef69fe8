/* SPDX-License-Identifier: Apache-2.0
 *
 * Archives as files.
 */
#include "room/archive.h"

#include "base/check.h"

#include "room.pb-c.h"

#include <stdlib.h>

void archive_encode(struct slice record, const struct slice *entries, int count, struct buf *out)
{
    Madang__V1__Room__Archive wire = MADANG__V1__ROOM__ARCHIVE__INIT;
    ProtobufCBinaryData *list = calloc((size_t)count + 1, sizeof *list);
    CHECK(list != NULL);
    for (int i = 0; i < count; i++) {
        list[i].data = (uint8_t *)entries[i].at;
        list[i].len = entries[i].len;
    }
    wire.format = ARCHIVE_FORMAT;
    wire.record.data = (uint8_t *)record.at;
    wire.record.len = record.len;
    wire.entries = list;
    wire.n_entries = (size_t)count;
    size_t len = madang__v1__room__archive__get_packed_size(&wire);
    madang__v1__room__archive__pack(&wire, buf_extend(out, len));
    free(list);
}

enum archive_fault archive_decode(struct slice bytes, struct arena *arena, struct slice *record,
                                  struct slice **entries, int *count)
{
    Madang__V1__Room__Archive *wire =
        bytes.len <= ARCHIVE_FILE_BYTES_MAX
            ? madang__v1__room__archive__unpack(NULL, bytes.len, bytes.at)
            : NULL;
    if (wire == NULL) return ARCHIVE_DAMAGED;
    enum archive_fault fault = ARCHIVE_GOOD;
    if (wire->record.len == 0 || wire->n_entries == 0)
        fault = ARCHIVE_DAMAGED;
    else if (wire->format != ARCHIVE_FORMAT)
        fault = ARCHIVE_FOREIGN;
    if (fault == ARCHIVE_GOOD) {
        *count = (int)wire->n_entries;
        *record = arena_copy(arena, slice_of(wire->record.data, wire->record.len));
        *entries = arena_alloc(arena, wire->n_entries * sizeof **entries);
        for (size_t i = 0; i < wire->n_entries; i++)
            (*entries)[i] =
                arena_copy(arena, slice_of(wire->entries[i].data, wire->entries[i].len));
    }
    madang__v1__room__archive__free_unpacked(wire, NULL);
    return fault;
}
