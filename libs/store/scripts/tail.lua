-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id
local time = now()
local r = call('HMGET', 'room:{' .. ARGV[1] .. '}', 'owner', 'url', 'base', 'hash', 'from')
if not r[1] then return {'unknown', time} end
local answer = tell_end({'ok', time, r[1], r[2]}, ARGV[1], r[3], r[4])
answer[#answer + 1] = tonumber(r[5] or 0)
return answer
