local consumer, id, submission, fence, verdict, worker = unpack(ARGV)
if not is_mine(consumer, id, submission, fence) then return 0 end
local report = redis.call('XADD', VERDICTS, '*', 'verdict', verdict, 'fence', fence, 'submission', submission,
  'worker', worker)
drop_entry(LEASES, 'workers', id)
redis.call('HSET', PLACES, submission, 'v' .. report)
return 1
