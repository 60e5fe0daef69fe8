-- SPDX-License-Identifier: Apache-2.0
-- ARGV: instance after limit
-- A page in the order of ids, behind the id `after` ('' first), as id, epoch, summary, id, ...
local time = now()
local after = ARGV[2] == '' and '-' or '(' .. ARGV[2]
local ids = call('ZRANGE', 'owned:{' .. ARGV[1] .. '}', after, '+', 'BYLEX', 'LIMIT', 0, ARGV[3])
local answer = {'ok', time, #ids == tonumber(ARGV[3]) and 1 or 0}
for _, id in ipairs(ids) do
    local r = call('HMGET', 'room:{' .. id .. '}', 'owner', 'summary')
    if r[1] then
        answer[#answer + 1] = id
        answer[#answer + 1] = tonumber((owner_parts(r[1])))
        answer[#answer + 1] = r[2] or ''
    else
        let_go(id, ARGV[1]) -- somebody removed the room by hand
    end
end
return answer
