local submission = ARGV[1]
local place = redis.call('HGET', PLACES, submission)
if not place then return 0 end
local kind, where = place:sub(1, 1), place:sub(2)
if kind == 'w' then
  leave_line(submission)
elseif kind == 'l' then
  drop_entry(LEASES, 'workers', where)
else
  drop_entry(VERDICTS, 'servers', where)
end
forget(submission)
return kind == 'w' and 1 or 0
