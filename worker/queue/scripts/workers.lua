local states = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', ALIVE, '(' .. now_ms(), '+inf')) do
  states[#states + 1] = redis.call('HGET', STATES, name)
end
return states
