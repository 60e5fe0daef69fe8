-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner deadline-number due-in stopped ("1": a game runs)
local id = ARGV[1]
local room = 'room:{' .. id .. '}'
local time = now()
local epoch, instance = owner_parts(ARGV[2])
local r = call('HMGET', room, 'owner', 'base', 'hash')
if not r[1] then return {'unknown', time} end
if r[1] ~= epoch .. ':' then -- else it is a repeat
    if r[1] ~= ARGV[2] then return fenced(room, time, r[1]) end
    call('HSET', room, 'owner', epoch .. ':', 'url', '', 'released', time,
        'stopped', ARGV[5])
    let_go(id, instance)
    set_deadline(room, id, time, ARGV[3], ARGV[4])
end
return tell_end({'ok', time}, id, r[2], r[3])
