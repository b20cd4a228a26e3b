return redis.call('HMGET', PLACES, unpack(ARGV))
