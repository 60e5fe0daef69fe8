-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner url since code record position hash snapshot game deadline-number due-in listing
--       summary entry ...
--
-- A room that this Redis has lost is written again by its owner: record, snapshot at `position` and
-- the entries before it that are still known, under a fresh epoch. `since` is the epoch of the create
-- or take by which it became that owner's, and the room remembers it as `from`: whoever became its
-- owner after that has the newer room and replaces it. So does its owner of this very epoch with a
-- longer log: this Redis was set back, and what it has is the beginning of that. A room that was
-- deleted on purpose has left its tombstone.
local id, since, code, position = ARGV[1], ARGV[4], ARGV[5], tonumber(ARGV[7])
local room, log, snap = 'room:{' .. id .. '}', 'log:{' .. id .. '}', 'snap:{' .. id .. '}'
local time = now()
local epoch, instance = owner_parts(ARGV[2])
epoch = tonumber(epoch)
if call('EXISTS', 'gone:{' .. id .. '}') == 1 then return {'unknown', time} end

local there = call('HMGET', room, 'owner', 'from', 'base', 'hash')
if there[1] then
    local present, owner = owner_parts(there[1])
    local own = there[1] == ARGV[2]
    local repeated = owner == instance and there[2] == since
    if repeated or (own and position <= (log_end(id, tonumber(there[3])))) then
        return tell_end({'ok', time, tonumber(present)}, id, there[3], there[4])
    end
    if not own and (not there[2] or tonumber(there[2]) >= tonumber(since)) then
        return fenced(room, time, there[1])
    end
    epoch = math.max(epoch, tonumber(present))
    if owner ~= instance then disown(id, owner) end
else
    local holder = call('GET', 'code:{' .. code .. '}')
    if holder and holder ~= id then return {'exists', time, holder} end
end

--@ local counted = epoch + 1
epoch = math.max(epoch + 1, time)
--@ if mutant == 'epochs_are_counted' then epoch = counted end
call('DEL', room, log, snap)
call('HSET', room, 'record', ARGV[6], 'owner', epoch .. ':' .. instance, 'url', ARGV[3],
    'from', since, 'base', position - (#ARGV - 14), 'hash', ARGV[8], 'at', time, 'dl', 0, 'code', code,
    'game', ARGV[10], 'request', '', 'summary', ARGV[14])
if #ARGV > 14 then push(log, stamp_of(time), 15, #ARGV) end
if position > 0 then call('HSET', snap, 'pos', position, 'bytes', ARGV[9]) end
call('SET', 'code:{' .. code .. '}', id)
own(id, instance, time)
set_deadline(room, id, time, ARGV[11], ARGV[12])
set_listing(id, time, ARGV[13])
return tell_end({'ok', time, epoch}, id, position - (#ARGV - 14), ARGV[8])
