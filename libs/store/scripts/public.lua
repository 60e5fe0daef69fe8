-- SPDX-License-Identifier: Apache-2.0
-- ARGV: limit
local time = now()
local answer = {'ok', time}
for _, id in ipairs(call('ZREVRANGE', 'public', 0, ARGV[1] - 1)) do
    answer[#answer + 1] = id
    answer[#answer + 1] = call('HGET', 'room:{' .. id .. '}', 'summary') or ''
end
return answer
