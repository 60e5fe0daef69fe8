-- SPDX-License-Identifier: Apache-2.0
-- ARGV: room keep-s ticket ...
local time = now()
for k = 3, #ARGV do
    local taken = call('GET', 'ticket:{' .. ARGV[k] .. '}')
    if taken and taken ~= ARGV[1] then return {'exists', time, taken} end
end
for k = 3, #ARGV do call('SET', 'ticket:{' .. ARGV[k] .. '}', ARGV[1], 'EX', ARGV[2]) end
return {'ok', time}
