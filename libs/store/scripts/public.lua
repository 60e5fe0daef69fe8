-- SPDX-License-Identifier: Apache-2.0
-- ARGV: limit
local time = now()
local answer = {'ok', time}
for _, id in ipairs(call('ZREVRANGE', 'public', 0, ARGV[1] - 1)) do
    local r = call('HMGET', 'room:{' .. id .. '}', 'owner', 'summary')
    answer[#answer + 1] = id
    answer[#answer + 1] = r[1] or '0:'
    answer[#answer + 1] = r[2] or ''
end
return answer
