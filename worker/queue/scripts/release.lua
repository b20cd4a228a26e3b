-- `unbegun` is '1' where the attempt does not count.
local consumer, id, submission, fence, unbegun = unpack(ARGV)
if not is_mine(consumer, id, submission, fence) then return 0 end
drop_entry(LEASES, 'workers', id)
if unbegun == '1' then redis.call('HINCRBY', FENCES, submission, -1) end
join_front(submission)
return 1
