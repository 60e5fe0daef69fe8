-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id code (one of them empty) asker
-- "unknown" tells when the asker last renewed its lease, as far as this Redis remembers: not at all
-- means that it has forgotten more than this room.
local time = now()
local id = ARGV[1] ~= '' and ARGV[1] or call('GET', 'code:{' .. ARGV[2] .. '}')
local r = id and call('HMGET', 'room:{' .. id .. '}', 'owner', 'url', 'base', 'hash', 'summary')
if not r or not r[1] then
    return {'unknown', time, tonumber(call('GET', 'lease:{' .. ARGV[3] .. '}') or 0)}
end
local answer = tell_end({'ok', time, r[1], r[2]}, id, r[3], r[4])
answer[#answer + 1], answer[#answer + 2] = id, r[5]
return answer
