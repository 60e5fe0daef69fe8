-- SPDX-License-Identifier: Apache-2.0
-- ARGV: id
local time = now()
local r = call('HMGET', 'room:{' .. ARGV[1] .. '}', 'owner', 'url', 'pos', 'hash', 'from')
if not r[1] then return {'unknown', time} end
return {'ok', time, r[1], r[2], tonumber(r[3]), r[4], tonumber(r[5] or 0)}
