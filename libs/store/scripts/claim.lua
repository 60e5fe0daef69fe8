-- SPDX-License-Identifier: Apache-2.0
-- ARGV: room expected keep-s ticket ...
local time = now()
for k = 4, #ARGV do
    local taken = call('GET', 'ticket:{' .. ARGV[k] .. '}')
    --@ if mutant == 'ticket_matched_twice' then taken = nil end
    if taken and taken ~= ARGV[1] then return {'exists', time, taken} end
end
for k = 4, #ARGV do call('SET', 'ticket:{' .. ARGV[k] .. '}', ARGV[1], 'EX', ARGV[3]) end
-- So that whoever finds a ticket claimed can make the room when its claimer died before that.
if ARGV[2] ~= '0' then call('SET', 'match:{' .. ARGV[1] .. '}', ARGV[2], 'EX', ARGV[3]) end
return {'ok', time}
