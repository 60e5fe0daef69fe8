-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id expected-epoch instance url
--
-- `given` holds what a take answered about time, for its repeat and for the next take: "position
-- moment counted-from lease released". Time in which a room without a living owner waited belongs
-- to nobody: until an entry is appended, counted-from moves on by it, so that a second take in a
-- row does not count the first outage. An owner that stopped in the middle of a game lived until it
-- let go; after a room was put away all time counts, and its owner's lease is 0.
local id, instance = ARGV[1], ARGV[3]
local room, log, snap = 'room:{' .. id .. '}', 'log:{' .. id .. '}', 'snap:{' .. id .. '}'
local time = now()
local r = call('HMGET', room, 'owner', 'base', 'hash', 'at', 'dl', 'released', 'given', 'record',
    'stopped')
if not r[1] then return {'unknown', time} end
local epoch, owner = owner_parts(r[1])
local base = tonumber(r[2])
local position, last = log_end(id, base)
local from = last and struct.unpack('>I6', last) or tonumber(r[4])
local lease, released = 0, 0
local g_pos, g_moment, g_from, g_lease, g_released =
    string.match(r[7] or '', '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
local standing = tonumber(g_pos) == position -- nothing was appended since the last take

--@ if mutant == 'take_of_any_epoch' and owner ~= instance then epoch = ARGV[2] end
if epoch == ARGV[2] then
    if standing then
        from = tonumber(g_from)
        if g_released == '0' or g_lease ~= '0' then
            from = from + math.max(0, tonumber(g_moment) - math.max(from, tonumber(g_lease)))
        end
    end
    lease = owner ~= '' and tonumber(call('GET', 'lease:{' .. owner .. '}') or 0) or 0
    released = tonumber(r[6] or 0)
    if r[9] == '1' then lease = released end
    epoch = math.max(tonumber(epoch) + 1, time)
    --@ if mutant == 'epochs_are_counted' then epoch = ARGV[2] + 1 end
    --@ if mutant == 'adoption_keeps_epoch' then epoch = ARGV[2] end
    call('HSET', room, 'owner', epoch .. ':' .. instance, 'url', ARGV[4],
        'given', table.concat({position, time, from, lease, released}, ' '))
    call('HDEL', room, 'released', 'stopped', 'from')
    if owner ~= instance then disown(id, owner) end
    own(id, instance, time)
elseif owner ~= instance then
    return fenced(room, time, r[1])
elseif standing then
    from, lease, released = tonumber(g_from), tonumber(g_lease), tonumber(g_released)
end

local s = call('HMGET', snap, 'pos', 'bytes')
local snapshot_position = tonumber(s[1] or 0)
local due = call('ZSCORE', 'deadlines', id)
return {'ok', time, tonumber(epoch), position, last and without_stamp(last) or '', r[3], r[8], snapshot_position, s[2] or '',
    from, lease, released, tonumber(r[5]), due and 1 or 0, due and math.max(0, due - time) or 0,
    snapshot_position < position and
        without_stamps(call('LRANGE', log, snapshot_position - position, -1)) or {}}
