-- SPDX-License-Identifier: Apache-2.0
-- ARGV: silent-ms skip limit
-- Who has rooms and has not renewed its lease for so long, the longest silent first. A renewal ahead
-- of the time is from before the clock was set back: it counts as one of this moment.
local time = now()
for _, owner in ipairs(call('ZRANGE', 'owners', time + ARGV[1], '+inf', 'BYSCORE')) do
    call('ZADD', 'owners', time, owner)
end
local owners = call('ZRANGE', 'owners', '-inf', time - ARGV[1], 'BYSCORE', 'LIMIT', ARGV[2], ARGV[3])
return {'ok', time, unpack(owners)}
