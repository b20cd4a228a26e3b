local place = redis.call('HGET', PLACES, ARGV[1])
if not place or place:sub(1, 1) ~= 'w' then return false end
return redis.call('ZRANK', WAITING, place:sub(2))
