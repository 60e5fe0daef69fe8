/* SPDX-License-Identifier: Apache-2.0 */
#include "store/arguments.h"

#include "base/check.h"
#include "store/store.h"

enum { OWNER_BYTES_MAX = 20 + 1 + STORE_ID_HEX, NUMBER_BYTES_MAX = 20 };

void arguments_clear(struct arguments *args)
{
    buf_clear(&args->bytes);
    args->count = 0;
}

void arguments_fini(struct arguments *args)
{
    buf_fini(&args->bytes);
    *args = (struct arguments){0};
}

/* Decimal digits at into; returns their count. By hand: printf is a good part of the cost of an
 * append. */
static size_t put_decimal(char *into, uint64_t value)
{
    char reversed[NUMBER_BYTES_MAX];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < count; i++) into[i] = reversed[count - 1 - i];
    return count;
}

/* type, a length, CR LF */
static void put_head(struct buf *buf, char type, size_t len)
{
    char head[1 + NUMBER_BYTES_MAX + 2];
    size_t used = 0;
    head[used++] = type;
    used += put_decimal(head + used, len);
    head[used++] = '\r';
    head[used++] = '\n';
    buf_put(buf, head, used);
}

static void put_bulk(struct buf *buf, const void *bytes, size_t len)
{
    put_head(buf, '$', len);
    buf_put(buf, bytes, len);
    buf_put(buf, "\r\n", 2);
}

void arguments_put(struct arguments *args, const void *bytes, size_t len)
{
    put_bulk(&args->bytes, bytes, len);
    args->count++;
}

void arguments_text(struct arguments *args, const char *text)
{
    arguments_put(args, text, strlen(text));
}

static void put_slice(struct arguments *args, struct slice bytes)
{
    arguments_put(args, bytes.at, bytes.len);
}

void arguments_number(struct arguments *args, uint64_t value)
{
    char digits[NUMBER_BYTES_MAX];
    arguments_put(args, digits, put_decimal(digits, value));
}

static const char hex_digits[] = "0123456789abcdef";

static void put_room(struct arguments *args, room_id room)
{
    char hex[STORE_ROOM_HEX];
    for (int i = 0; i < STORE_ROOM_HEX; i++) hex[i] = hex_digits[room >> (60 - 4 * i) & 15];
    arguments_put(args, hex, sizeof hex);
}

static size_t write_id(char *into, struct id128 id)
{
    for (int i = 0; i < 16; i++) {
        into[2 * i] = hex_digits[id.byte[i] >> 4];
        into[2 * i + 1] = hex_digits[id.byte[i] & 15];
    }
    return STORE_ID_HEX;
}

static void put_id(struct arguments *args, struct id128 id)
{
    char hex[STORE_ID_HEX];
    arguments_put(args, hex, write_id(hex, id));
}

/* "epoch:instance", as the scripts compare it. */
static void put_owner(struct arguments *args, const struct store_op *op)
{
    char owner[OWNER_BYTES_MAX];
    size_t used = put_decimal(owner, op->epoch);
    owner[used++] = ':';
    used += write_id(owner + used, op->instance);
    arguments_put(args, owner, used);
}

/* Two: the number, empty for no change; the milliseconds, empty to disarm. */
static void put_deadline(struct arguments *args, const struct store_op *op)
{
    if (op->deadline_changed)
        arguments_number(args, op->deadline.number);
    else
        arguments_text(args, "");
    if (op->deadline_changed && op->deadline.armed)
        arguments_number(args, op->deadline.due_in_ms);
    else
        arguments_text(args, "");
}

static void put_listing(struct arguments *args, enum store_listing listing)
{
    switch (listing) {
    case LISTING_KEEP: arguments_text(args, ""); break;
    case LISTING_SHOW: arguments_text(args, "show"); break;
    case LISTING_HIDE: arguments_text(args, "hide"); break;
    }
}

static void put_url(struct arguments *args, const char *url)
{
    CHECK(url && strlen(url) <= WIRE_URL_BYTES_MAX);
    arguments_text(args, url);
}

static void put_create(struct arguments *args, const struct store_op *op)
{
    char code[WIRE_CODE_LEN + 1];
    CHECK(op->epoch == 0 && op->record.len <= STORE_RECORD_BYTES_MAX &&
          op->summary.len <= STORE_SUMMARY_BYTES_MAX);
    code_write(room_id_bits(op->room), code);
    put_room(args, op->room);
    arguments_text(args, code);
    put_id(args, op->instance);
    put_url(args, op->owner_url);
    put_id(args, op->request);
    put_slice(args, op->record);
    put_deadline(args, op);
    put_listing(args, op->listing);
    put_slice(args, op->summary);
}

static void put_take(struct arguments *args, const struct store_op *op)
{
    put_room(args, op->room);
    arguments_number(args, op->epoch);
    put_id(args, op->instance);
    put_url(args, op->owner_url);
}

static void put_entries(struct arguments *args, const struct store_op *op)
{
    for (int i = 0; i < op->entry_count; i++) {
        CHECK(op->entries[i].bytes.len <= STORE_ENTRY_BYTES_MAX);
        put_slice(args, op->entries[i].bytes);
    }
}

static void put_append(struct arguments *args, const struct store_op *op)
{
    CHECK(op->entry_count >= 0 && op->entry_count <= STORE_ENTRIES_MAX);
    CHECK(op->summary.len <= STORE_SUMMARY_BYTES_MAX);
    put_room(args, op->room);
    put_owner(args, op);
    arguments_number(args, op->position);
    arguments_number(args, op->position + (uint64_t)op->entry_count);
    bool told = op->deadline_changed || op->listing != LISTING_KEEP || op->summary.len;
    arguments_text(args, told ? "1" : "");
    if (told) {
        put_deadline(args, op);
        put_listing(args, op->listing);
        put_slice(args, op->summary);
    }
    put_entries(args, op);
}

static void put_snapshot(struct arguments *args, const struct store_op *op)
{
    CHECK(op->snapshot.len <= STORE_SNAPSHOT_BYTES_MAX && op->trim_to <= op->position);
    put_room(args, op->room);
    put_owner(args, op);
    arguments_number(args, op->position);
    put_slice(args, op->snapshot);
    arguments_number(args, op->trim_to);
    if (op->kind != STORE_FINISH) return;
    CHECK(op->first >= 1 && op->game_number >= 1);
    arguments_number(args, op->game_number);
    arguments_number(args, op->first);
    arguments_number(args, op->keep_s);
}

static void put_restore(struct arguments *args, const struct store_op *op)
{
    char code[WIRE_CODE_LEN + 1];
    CHECK(op->record.len <= STORE_RECORD_BYTES_MAX && op->summary.len <= STORE_SUMMARY_BYTES_MAX &&
          op->snapshot.len <= STORE_SNAPSHOT_BYTES_MAX);
    CHECK(op->entry_count >= 0 && op->entry_count <= STORE_ENTRIES_MAX &&
          (uint64_t)op->entry_count <= op->position);
    code_write(room_id_bits(op->room), code);
    put_room(args, op->room);
    put_owner(args, op);
    put_url(args, op->owner_url);
    arguments_number(args, op->owned_since);
    arguments_text(args, code);
    put_slice(args, op->record);
    arguments_number(args, op->position);
    if (op->position)
        put_id(args, op->hash);
    else
        arguments_text(args, "");
    put_slice(args, op->snapshot);
    arguments_number(args, op->game_number);
    put_deadline(args, op);
    put_listing(args, op->listing);
    put_slice(args, op->summary);
    put_entries(args, op);
}

static void put_owned(struct arguments *args, const struct store_op *op)
{
    CHECK(op->limit >= 1 && op->limit <= WIRE_ROOMS_MAX);
    put_id(args, op->instance);
    if (op->cursor)
        put_room(args, op->cursor);
    else
        arguments_text(args, "");
    arguments_number(args, (uint64_t)op->limit);
}

static void put_find(struct arguments *args, const struct store_op *op)
{
    if (op->code)
        arguments_text(args, "");
    else
        put_room(args, op->room);
    arguments_text(args, op->code ? op->code : "");
    put_id(args, op->instance);
}

static void put_public(struct arguments *args, const struct store_op *op)
{
    CHECK(op->limit >= 1 && op->limit <= WIRE_ROOMS_MAX);
    arguments_number(args, (uint64_t)op->limit);
}

static void put_due(struct arguments *args, const struct store_op *op)
{
    CHECK(op->limit >= 1 && op->limit <= STORE_DUE_MAX);
    arguments_number(args, op->ahead_ms);
    arguments_number(args, op->cursor);
    arguments_number(args, (uint64_t)op->limit);
}

static void put_silent(struct arguments *args, const struct store_op *op)
{
    CHECK(op->limit >= 1 && op->limit <= WIRE_MEMBERS_MAX);
    arguments_number(args, op->silent_ms);
    arguments_number(args, op->cursor);
    arguments_number(args, (uint64_t)op->limit);
}

static void put_claim(struct arguments *args, const struct store_op *op)
{
    CHECK(op->ticket_count >= 1 && op->ticket_count <= STORE_TICKETS_MAX);
    put_room(args, op->room);
    arguments_number(args, op->expected);
    arguments_number(args, STORE_TICKET_KEEP_S);
    for (int i = 0; i < op->ticket_count; i++) put_id(args, op->tickets[i]);
}

void arguments_op(struct arguments *args, const struct store_op *op)
{
    switch (op->kind) {
    case STORE_CREATE: put_create(args, op); break;
    case STORE_TAKE: put_take(args, op); break;
    case STORE_APPEND: put_append(args, op); break;
    case STORE_SNAPSHOT:
    case STORE_FINISH: put_snapshot(args, op); break;
    case STORE_RELEASE:
        put_room(args, op->room);
        put_owner(args, op);
        put_deadline(args, op);
        arguments_text(args, op->stopped ? "1" : "");
        break;
    case STORE_DELETE:
        put_room(args, op->room);
        put_owner(args, op);
        arguments_number(args, STORE_TOMB_KEEP_S);
        break;
    case STORE_LEASE:
        put_id(args, op->instance);
        arguments_number(args, STORE_LEASE_KEEP_MS);
        break;
    case STORE_TAIL: put_room(args, op->room); break;
    case STORE_OWNED: put_owned(args, op); break;
    case STORE_FIND: put_find(args, op); break;
    case STORE_PUBLIC: put_public(args, op); break;
    case STORE_DUE: put_due(args, op); break;
    case STORE_CLAIM: put_claim(args, op); break;
    case STORE_CLAIMED: put_id(args, op->tickets[0]); break;
    case STORE_RESTORE: put_restore(args, op); break;
    case STORE_ASIDE:
        CHECK(op->snapshot.len <= STORE_SNAPSHOT_BYTES_MAX);
        put_room(args, op->room);
        put_owner(args, op);
        arguments_number(args, op->position);
        put_slice(args, op->snapshot);
        arguments_number(args, STORE_ASIDE_KEEP_S);
        break;
    case STORE_SILENT: put_silent(args, op); break;
    }
}

void arguments_evalsha(const struct arguments *args, const char *sha, struct buf *out)
{
    buf_clear(out);
    put_head(out, '*', (size_t)args->count + 3);
    put_bulk(out, "EVALSHA", 7);
    put_bulk(out, sha, 40);
    put_bulk(out, "0", 1);
    buf_put_slice(out, buf_slice(&args->bytes));
}
