-- SPDX-License-Identifier: Apache-2.0
-- ARGV: ticket
local time = now()
local room = call('GET', 'ticket:{' .. ARGV[1] .. '}')
if not room then return {'unknown', time} end
return {'ok', time, room, tonumber(call('GET', 'match:{' .. room .. '}') or 0)}
