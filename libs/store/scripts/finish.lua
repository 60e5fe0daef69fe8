-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner position bytes trim-to game-number first keep-s
--
-- The finished game's entries, behind the room's record, become the list game:{id}:{n}; then the
-- log is trimmed. Of a game whose beginning was lost nothing is kept: without its seed it tells
-- nothing. A game number that is not above the last archived one is a repeat: nothing is left to
-- do.
local id, position, number = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[6])
local room, log, snap = 'room:{' .. id .. '}', 'log:{' .. id .. '}', 'snap:{' .. id .. '}'
local time = now()
local no = refusal(room, time, ARGV[2])
if no then return no end
local r = call('HMGET', room, 'base', 'game', 'record')
local trimmed = tonumber(r[1])
local last = log_end(id, trimmed)
local stored = tonumber(call('HGET', snap, 'pos') or 0)
if number <= tonumber(r[2]) then return {'ok', time, last, stored} end
if position > last then return {'stale', time, last, stored} end
--@ if mutant == 'trimmed_before_archived' then
--@     trim(room, log, trimmed, last, tonumber(ARGV[5]))
--@     trimmed = tonumber(call('HGET', room, 'base'))
--@ end
if ARGV[8] ~= '0' and ARGV[7] - 1 >= trimmed then
    local game = 'game:{' .. id .. '}:' .. ARGV[6]
    call('DEL', game) -- of a room that was lost and written again
    call('RPUSH', game, r[3])
    for from = ARGV[7] - 1, position - 1, 1000 do
        local to = math.min(from + 1000, position)
        call('RPUSH', game, unpack(without_stamps(
            call('LRANGE', log, from - trimmed, to - trimmed - 1))))
    end
    call('EXPIRE', game, ARGV[8])
end
if position > stored then
    stored = position
    --@ if mutant == 'trimmed_before_snapshot' then snap = 'later:{' .. id .. '}' end
    call('HSET', snap, 'pos', position, 'bytes', ARGV[4])
end
trim(room, log, trimmed, last, tonumber(ARGV[5]))
call('HSET', room, 'game', number)
return {'ok', time, last, stored}
