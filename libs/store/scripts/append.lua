-- SPDX-License-Identifier: Apache-2.0
-- The appends of one loop turn, of any number of rooms. ARGV: for each
--   id owner base end told [deadline-number due-in listing summary] entry ...
-- with what stands in brackets only when told is "1".
-- Answers {time, one answer per append}: the log's end when it was pushed whole, else a list as
-- other scripts give.
--
-- An append whose base lies below the log's end is one that was carried out before, whole or in
-- part, when the entries there are the same: what is missing is pushed. Rooms do not depend on
-- each other.
--
-- This is the script that runs all the time: a call of Redis costs one to two microseconds, an
-- argument a fifth of one; so there are as few of both as can be. One call reads who owns the room,
-- one pushes and says by the list's length where the log ended: what was pushed at a wrong place is
-- taken back before anybody can see it.
local time = now()
local stamp = stamp_of(time)

-- Whether the log holds the entries from base on that ARGV has from `first` on, as far as both go.
local function same(log, trimmed, base, last, position, first)
    if base < trimmed then return false end
    if last == base then return true end
    local there = call('LRANGE', log, base - trimmed, math.min(last, position) - trimmed - 1)
    for k = 1, #there do
        if without_stamp(there[k]) ~= ARGV[first + k - 1] then return false end
    end
    return true
end

-- What a core tells with an append. A repeat (nothing was pushed of what was given) must not put a
-- deadline off, nor an older one replace a newer.
local function tell(room, id, i, stored, repeated)
    local number, due_in = ARGV[i], ARGV[i + 1]
    if number ~= '' then
        local news = tonumber(number)
        stored = tonumber(stored)
        if news > stored or (news == stored and not repeated) then
            set_deadline(room, id, time, number, due_in)
        end
    end
    set_listing(id, time, ARGV[i + 2])
    if ARGV[i + 3] ~= '' then call('HSET', room, 'summary', ARGV[i + 3]) end
end

local function append(i, base, last, first)
    local id, count = ARGV[i], last - base
    local room, log = 'room:{' .. id .. '}', 'log:{' .. id .. '}'
    local told = ARGV[i + 4] == '1'
    local r = told and call('HMGET', room, 'owner', 'base', 'dl') or
        call('HMGET', room, 'owner', 'base')
    --@ if mutant == 'append_without_epoch' and r[1] then r[1] = ARGV[i + 1] end
    if r[1] ~= ARGV[i + 1] then
        if not r[1] then return {'unknown', time} end
        return fenced(room, time, r[1])
    end
    local trimmed, length = r[2] + 0, nil
    if count == 1 then
        length = call('RPUSH', log, stamp .. ARGV[first])
    elseif count > 0 then
        length = push(log, stamp, first, first + count - 1)
    else
        length = call('LLEN', log)
    end
    local position, pushed = trimmed + length - count, count > 0
    --@ if mutant == 'append_without_base' then base, last = position, position + count end
    if base ~= position then
        if pushed then call('RPOP', log, count) end
        if base > position or not same(log, trimmed, base, last, position, first) then
            return tell_end({'mismatch', time}, id, trimmed, call('HGET', room, 'hash'))
        end
        pushed = last > position
        if pushed then push(log, stamp, first + position - base, first + count - 1) end
    end
    if told then tell(room, id, i + 5, r[3], not pushed and count > 0) end
    if pushed then return last end
    return tell_end({'ok', time}, id, trimmed, call('HGET', room, 'hash'))
end

local answers = {time}
local i = 1
while ARGV[i] do
    local base, last = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3])
    local first = i + (ARGV[i + 4] == '1' and 9 or 5)
    answers[#answers + 1] = append(i, base, last, first)
    i = first + last - base
end
return answers
