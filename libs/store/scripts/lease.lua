-- SPDX-License-Identifier: Apache-2.0
-- ARGV: instance keep-ms
-- The replication id tells a Redis that was promoted, or that follows another now, from the one
-- before.
local time = now()
call('SET', 'lease:{' .. ARGV[1] .. '}', time, 'PX', ARGV[2])
return {'ok', time, string.match(call('INFO', 'replication'), 'master_replid:(%w+)') or ''}
