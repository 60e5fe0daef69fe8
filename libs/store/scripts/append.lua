-- SPDX-License-Identifier: Apache-2.0
-- The appends of one loop turn, of any number of rooms. ARGV: for each
--   id owner base deadline listing summary hash-of-the-last count entry ...
-- Answers {time, one answer per append}: the log's end when it was pushed whole, else a list as other scripts give.
--
-- An append whose base lies below the end is one that was carried out before, whole or in part, when the entries there
-- are the same: what is missing is pushed. Rooms do not depend on each other.
local time = now()
local answers = {time}
local i = 1
while ARGV[i] do
    local id, base, count = ARGV[i], tonumber(ARGV[i + 2]), tonumber(ARGV[i + 7])
    local first = i + 8 -- index of the entry with number base + 1
    local room, log = 'room:{' .. id .. '}', 'log:{' .. id .. '}'
    local r = call('HMGET', room, 'owner', 'pos', 'dl', 'hash')
    local position, answer = tonumber(r[2]), nil
    if not r[1] then
        answer = {'unknown', time}
    elseif r[1] ~= ARGV[i + 1] then
        answer = fenced(room, time, r[1])
    elseif base > position then
        answer = {'mismatch', time, position, r[4]}
    elseif base < position then
        local there = call('LRANGE', log, base - position, math.min(base + count, position) - position - 1)
        if base < position - call('LLEN', log) then answer = {'mismatch', time, position, r[4]} end
        for k = 1, #there do
            if there[k] ~= ARGV[first + k - 1] then answer = {'mismatch', time, position, r[4]} end
        end
    end
    if not answer then
        local known = position - base -- so many of the entries are there already
        local change, summary = ARGV[i + 3], ARGV[i + 5]
        if known < count then
            -- In slices, because a call takes a few thousand arguments at most.
            for from = known, count - 1, 1000 do
                call('RPUSH', log, unpack(ARGV, first + from, first + math.min(from + 1000, count) - 1))
            end
            position = base + count
            call('HSET', room, 'pos', position, 'hash', ARGV[i + 6], 'at', time)
            answer = position
        else
            answer = {'ok', time, position, r[4]}
        end
        if change ~= '' then
            local number, stored = tonumber(string.match(change, '^%d+')), tonumber(r[3])
            -- A repeat must not put the deadline off, nor an older one replace a newer.
            if number > stored or (number == stored and (known < count or count == 0)) then
                set_deadline(room, id, time, change)
            end
        end
        set_listing(id, time, ARGV[i + 4])
        if summary ~= '' then call('HSET', room, 'summary', summary) end
    end
    answers[#answers + 1] = answer
    i = first + count
end
return answers
