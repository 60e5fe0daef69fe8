-- SPDX-License-Identifier: Apache-2.0
-- ARGV: ahead-ms skip limit
-- {ok, time, due in of the next one behind the page or '', then per room: id, due in, number,
-- owner, url}
local time = now()
local limit = tonumber(ARGV[3])
local set = call('ZRANGE', 'deadlines', ARGV[2], ARGV[2] + limit, 'WITHSCORES')
local answer = {'ok', time, ''}
for k = 1, #set, 2 do
    local due_in = set[k + 1] - time
    if due_in > tonumber(ARGV[1]) or k > 2 * limit then
        answer[3] = due_in
        break
    end
    local r = call('HMGET', 'room:{' .. set[k] .. '}', 'dl', 'owner', 'url')
    --@ if mutant == 'fired_deadline_is_gone' and due_in <= 0 then call('ZREM', 'deadlines', set[k]) end
    if r[2] then
        local n = #answer
        answer[n + 1], answer[n + 2], answer[n + 3] = set[k], due_in, tonumber(r[1])
        answer[n + 4], answer[n + 5] = r[2], r[3]
    else
        call('ZREM', 'deadlines', set[k]) -- somebody removed the room by hand
    end
end
return answer
