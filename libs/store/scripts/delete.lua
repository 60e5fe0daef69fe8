-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner
-- Finished games stay until their time is over.
local id = ARGV[1]
local room = 'room:{' .. id .. '}'
local time = now()
local no = refusal(room, time, ARGV[2])
if no then return no end
local code = 'code:{' .. call('HGET', room, 'code') .. '}'
local _, instance = owner_parts(ARGV[2])
if call('GET', code) == id then call('DEL', code) end
call('ZREM', 'owned:{' .. instance .. '}', id)
call('ZREM', 'deadlines', id)
call('ZREM', 'public', id)
call('DEL', room, 'log:{' .. id .. '}', 'snap:{' .. id .. '}')
return {'ok', time}
