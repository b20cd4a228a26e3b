local consumer, id, submission, fence = unpack(ARGV)
if not is_mine(consumer, id, submission, fence) then return 0 end
drop_entry(LEASES, 'workers', id)
redis.call('HINCRBY', FENCES, submission, -1)
wait_in(0, submission, backend_of(submission))
return 1
