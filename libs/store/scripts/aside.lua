-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner position bytes keep-s
--
-- A room whose log contradicts itself is set aside: record, snapshot and log as they are become the
-- list aside:{id}:{position} (record, position of the snapshot, its bytes, entries), for whoever
-- looks into it; the room goes on from the snapshot that is given, at the same position.
local id, position = ARGV[1], tonumber(ARGV[3])
local room, log, snap = 'room:{' .. id .. '}', 'log:{' .. id .. '}', 'snap:{' .. id .. '}'
local time = now()
local no = refusal(room, time, ARGV[2])
if no then return no end
local r = call('HMGET', room, 'base', 'record', 'aside')
local base = tonumber(r[1])
local last = log_end(id, base)
if position ~= last then
    return {'stale', time, last, tonumber(call('HGET', snap, 'pos') or 0)}
end
if r[3] ~= ARGV[3] then -- else it is a repeat
    local kept, s = 'aside:{' .. id .. '}:' .. ARGV[3], call('HMGET', snap, 'pos', 'bytes')
    call('DEL', kept)
    call('RPUSH', kept, r[2], s[1] or 0, s[2] or '')
    local length = call('LLEN', log)
    for from = 0, length - 1, 1000 do
        call('RPUSH', kept, unpack(without_stamps(call('LRANGE', log, from, from + 999))))
    end
    call('EXPIRE', kept, ARGV[5])
    trim(room, log, base, last, last)
    call('HSET', snap, 'pos', position, 'bytes', ARGV[4])
    call('HSET', room, 'aside', position)
end
return {'ok', time, last, position}
