-- A server of this protocol lives; workers of another one are told so.
local protocol, for_ms = unpack(ARGV)
redis.call('ZADD', PROTOCOLS, now_ms() + for_ms, protocol)
redis.call('ZREMRANGEBYSCORE', PROTOCOLS, '-inf', now_ms())
return 1
