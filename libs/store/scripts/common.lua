-- SPDX-License-Identifier: Apache-2.0
--
-- Stands before every script. Room ids, instances and hashes are hex text, because a Lua number is
-- exact up to 2^53 only; positions, epochs and Redis milliseconds are far below that.
--
-- room:{id}  hash   record, owner ("epoch:instance", the instance empty while nobody owns it), url,
--                   base (position of the entry before the first in the log), dl (number of the
--                   deadline), hash and at (of the entry at base, while the log is empty; hex and
--                   Redis ms), code, game (number of the last archived one),
--                   released and stopped (see release.lua), given (see take.lua), request, summary, from (see restore.lua),
--                   aside (the position at which it was set aside last)
-- log:{id}   list   the entries behind base, each behind its stamp: when it was accepted, Redis ms
--                   in 6 bytes, big-endian. The last one is never trimmed: the log's end is in it
-- snap:{id}  hash   pos, bytes
-- gone:{id}  tombstone of a room that was deleted
-- taken:{instance}  how many rooms others have taken from that owner; expires
-- owners     sorted set  who has rooms here (owned:{instance} is not empty), by the last lease
-- aside:{id}:{pos}  list  what a room was that was set aside there (see aside.lua)

local call = redis.call

-- Redis TIME in milliseconds.
local function now()
    local t = call('TIME')
    return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- The epoch and the instance of an owner field.
local function owner_parts(owner)
    local epoch, instance = string.match(owner, '^(%d+):(.*)$')
    return epoch, instance
end

-- The answer to whoever is not the owner (any more).
local function fenced(room, time, owner)
    local r = call('HMGET', room, 'url', 'from')
    return {'fenced', time, owner, r[1], tonumber(r[2] or 0)}
end

-- What is put before the entries that are accepted now.
local function stamp_of(time)
    return struct.pack('>I6', time)
end

-- Those of ARGV from `first` to `last` are pushed, STORE_ENTRIES_MAX at most. Returns the list's length.
local function push(log, stamp, first, last)
    local entries = {}
    for k = first, last do entries[k - first + 1] = stamp .. ARGV[k] end
    return call('RPUSH', log, unpack(entries))
end

local function without_stamp(entry)
    return string.sub(entry, 7)
end

local function without_stamps(entries)
    for k = 1, #entries do entries[k] = without_stamp(entries[k]) end
    return entries
end

-- Position of the log's end, and the entry there with its stamp; nil when the log is empty.
local function log_end(id, base)
    local log = 'log:{' .. id .. '}'
    return base + call('LLEN', log), call('LINDEX', log, -1) or nil
end

-- An answer ends in what the end of the log is: position, the entry there ('': the log is empty),
-- hash of the entry there if the log is empty.
local function tell_end(answer, id, base, hash)
    local position, entry = log_end(id, tonumber(base))
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = position, entry and without_stamp(entry) or '', hash
    return answer
end

-- Entries up to `to` go, but for the last.
local function trim(room, log, base, last, to)
    to = math.min(to, last - 1)
    if to <= base then return end
    call('LTRIM', log, to - base, -1)
    call('HSET', room, 'base', to)
end

-- What is wrong with a write in the name of `owner`; nil when it may go on.
local function refusal(room, time, owner)
    local present = call('HGET', room, 'owner')
    if not present then return {'unknown', time} end
    if present ~= owner then return fenced(room, time, present) end
    return nil
end

-- The room is that instance's from now on.
local function own(id, instance, time)
    call('ZADD', 'owned:{' .. instance .. '}', 0, id)
    call('ZADD', 'owners', 'NX', time, instance)
end

-- And no longer; with the last one it is no owner any more.
local function let_go(id, instance)
    call('ZREM', 'owned:{' .. instance .. '}', id)
    if call('EXISTS', 'owned:{' .. instance .. '}') == 0 then call('ZREM', 'owners', instance) end
end

-- The room is another's from now on. An owner that does not know it hears of it with its next
-- lease: it may have nothing to write for long.
local function disown(id, owner)
    if owner == '' then return end
    let_go(id, owner)
    call('INCR', 'taken:{' .. owner .. '}')
    call('EXPIRE', 'taken:{' .. owner .. '}', 7 * 24 * 3600)
end

-- number: '' for no change; due_in: '' to disarm. The caller has seen that the number may be
-- written.
local function set_deadline(room, id, time, number, due_in)
    if number == '' then return end
    call('HSET', room, 'dl', number)
    if due_in == '' then
        call('ZREM', 'deadlines', id)
    else
        call('ZADD', 'deadlines', string.format('%d', time + due_in), id)
    end
end

-- listing: '' (as it is), 'show' or 'hide'. A room keeps its place in the list while it is shown.
local function set_listing(id, time, listing)
    if listing == 'show' then
        call('ZADD', 'public', 'NX', time, id)
    elseif listing == 'hide' then
        call('ZREM', 'public', id)
    end
end
