-- SPDX-License-Identifier: Apache-2.0
-- ARGV: instance keep-ms
-- The replication id tells a Redis that was promoted, or that follows another now, from the one
-- before; the renewal before this one tells one that was emptied or set back without either.
local time = now()
local before = call('SET', 'lease:{' .. ARGV[1] .. '}', time, 'PX', ARGV[2], 'GET')
call('ZADD', 'owners', 'XX', time, ARGV[1])
return {'ok', time, string.match(call('INFO', 'replication'), 'master_replid:(%w+)') or '',
    tonumber(before or 0), tonumber(call('GET', 'taken:{' .. ARGV[1] .. '}') or 0)}
