-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner tombstone-s
-- Finished games stay until their time is over. The tombstone tells an owner from before, who slept
-- through this, that the room was not lost.
local id = ARGV[1]
local room = 'room:{' .. id .. '}'
local time = now()
local no = refusal(room, time, ARGV[2])
if no then return no end
local code = 'code:{' .. call('HGET', room, 'code') .. '}'
local _, instance = owner_parts(ARGV[2])
if call('GET', code) == id then call('DEL', code) end
--@ if mutant == 'deleted_keeps_code' then call('SET', code, id) end
let_go(id, instance)
call('ZREM', 'deadlines', id)
call('ZREM', 'public', id)
call('DEL', room, 'log:{' .. id .. '}', 'snap:{' .. id .. '}')
call('SET', 'gone:{' .. id .. '}', '', 'EX', ARGV[3])
return {'ok', time}
