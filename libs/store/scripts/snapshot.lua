-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id owner position bytes trim-to
local id, position = ARGV[1], tonumber(ARGV[3])
local room, log, snap = 'room:{' .. id .. '}', 'log:{' .. id .. '}', 'snap:{' .. id .. '}'
local time = now()
local no = refusal(room, time, ARGV[2])
if no then return no end
local base = tonumber(call('HGET', room, 'base'))
local last = log_end(id, base)
local stored = tonumber(call('HGET', snap, 'pos') or 0)
--@ if mutant == 'snapshot_above_log' and position > last then last = position end
if position > last or position <= stored then return {'stale', time, last, stored} end
--@ if mutant == 'trimmed_before_snapshot' then snap = 'later:{' .. id .. '}' end
call('HSET', snap, 'pos', position, 'bytes', ARGV[4])
trim(room, log, base, last, tonumber(ARGV[5]))
return {'ok', time, last, position}
