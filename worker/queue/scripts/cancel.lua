local submission = ARGV[1]
local place = redis.call('HGET', PLACES, submission)
if not place then return 0 end
local kind, where = place:sub(1, 1), place:sub(2)
if kind == 'w' then
  local round = redis.call('ZSCORE', WAITING, where)
  local member = cjson.decode(redis.call('HGET', JOBS, submission)).queued_by
  if redis.call('HGET', ROUNDS, member) == round then redis.call('HINCRBY', ROUNDS, member, -1) end
  leave_line(where)
elseif kind == 'l' then
  drop_entry(LEASES, 'workers', where)
else
  drop_entry(VERDICTS, 'servers', where)
end
forget(submission)
return kind == 'w' and 1 or 0
