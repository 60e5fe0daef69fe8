-- SPDX-License-Identifier: Apache-2.0
-- The appends of one loop turn, of any number of rooms. ARGV: for each
--   id owner base end deadline-number due-in listing summary hash-of-the-last entry ...
-- Answers {time, one answer per append}: the log's end when it was pushed whole, else a list as
-- other scripts give.
--
-- An append whose base lies below the log's end is one that was carried out before, whole or in
-- part, when the entries there are the same: what is missing is pushed. Rooms do not depend on
-- each other.
--
-- This is the script that runs all the time: a call of Redis costs about a microsecond, a number
-- turned into text a third of that; so there are as few of both as can be.
local time = now()
local stamp = string.format('%d', time)

-- Whether the log holds the entries from base on that ARGV has from `first` on, as far as both go.
local function same(log, base, last, position, first)
    local trimmed = position - call('LLEN', log)
    if base < trimmed then return false end
    if last == base then return true end
    local there = call('LRANGE', log, base - trimmed, math.min(last, position) - trimmed - 1)
    for k = 1, #there do
        if there[k] ~= ARGV[first + k - 1] then return false end
    end
    return true
end

-- Entries from + 1 .. to of those that begin at `first`, in slices, because a call takes a few
-- thousand arguments at most.
local function push(log, first, from, to)
    while from < to do
        call('RPUSH', log, unpack(ARGV, first + from, first + math.min(from + 1000, to) - 1))
        from = from + 1000
    end
end

local function append(i, base, last)
    local id, first = ARGV[i], i + 9
    local room, log = 'room:{' .. id .. '}', 'log:{' .. id .. '}'
    local r = call('HMGET', room, 'owner', 'pos', 'dl', 'hash')
    --@ if mutant == 'append_without_epoch' and r[1] then r[1] = ARGV[i + 1] end
    if r[1] ~= ARGV[i + 1] then
        if not r[1] then return {'unknown', time} end
        return fenced(room, time, r[1])
    end
    local position = tonumber(r[2])
    --@ if mutant == 'append_without_base' then
    --@     base, last = position, position + last - base
    --@     ARGV[i + 3] = last
    --@ end
    if base > position or (base < position and not same(log, base, last, position, first)) then
        return {'mismatch', time, position, r[4]}
    end

    -- A repeat must not put a deadline off, nor an older one replace a newer.
    local number, due_in, pushes = ARGV[i + 4], ARGV[i + 5], last > position
    if number ~= '' then
        local news, stored = tonumber(number), tonumber(r[3])
        if news < stored or (news == stored and not pushes and last > base) then number = '' end
    end
    if pushes then
        push(log, first, position - base, last - base)
        call('HSET', room, 'pos', ARGV[i + 3], 'hash', ARGV[i + 8], 'at', stamp,
            'dl', number ~= '' and number or r[3])
    elseif number ~= '' then
        call('HSET', room, 'dl', number)
    end
    if number ~= '' and due_in == '' then
        call('ZREM', 'deadlines', id)
    elseif number ~= '' then
        call('ZADD', 'deadlines', string.format('%d', time + due_in), id)
    end
    if ARGV[i + 6] ~= '' then set_listing(id, time, ARGV[i + 6]) end
    if ARGV[i + 7] ~= '' then call('HSET', room, 'summary', ARGV[i + 7]) end
    return pushes and last or {'ok', time, position, r[4]}
end

local answers = {time}
local i = 1
while ARGV[i] do
    local base, last = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3])
    answers[#answers + 1] = append(i, base, last)
    i = i + 9 + last - base
end
return answers
