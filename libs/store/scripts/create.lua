-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id code instance url request record deadline-number due-in listing summary
local id, code, instance = ARGV[1], ARGV[2], ARGV[3]
local room = 'room:{' .. id .. '}'
local time = now()
local holder = call('GET', 'code:{' .. code .. '}')
if holder then
    local there = call('HMGET', room, 'owner', 'request', 'base', 'hash')
    if holder ~= id or there[2] ~= ARGV[5] then return {'exists', time, holder} end
    local epoch, owner = owner_parts(there[1])
    if owner ~= instance then return fenced(room, time, there[1]) end
    return tell_end({'ok', time, tonumber(epoch)}, id, there[3], there[4])
end
call('HSET', room, 'record', ARGV[6], 'owner', time .. ':' .. instance, 'url', ARGV[4],
    'base', 0, 'hash', '', 'at', time, 'dl', 0, 'code', code, 'game', 0,
    'request', ARGV[5], 'summary', ARGV[10])
call('SET', 'code:{' .. code .. '}', id)
own(id, instance, time)
set_deadline(room, id, time, ARGV[7], ARGV[8])
set_listing(id, time, ARGV[9])
return {'ok', time, time, 0, '', ''}
