local name, state, lease_ms, has_gpu, serves = unpack(ARGV)
local now = now_ms()
redis.call('HSET', STATES, name, state)
redis.call('ZADD', ALIVE, now + lease_ms, name)
if has_gpu == '1' then redis.call('ZADD', GPUS, now + lease_ms, name .. '|' .. serves) end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', ALIVE, '-inf', now)) do redis.call('HDEL', STATES, gone) end
redis.call('ZREMRANGEBYSCORE', ALIVE, '-inf', now)
redis.call('ZREMRANGEBYSCORE', GPUS, '-inf', now)
return 1
