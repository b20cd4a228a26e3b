local consumer, id, submission, fence = unpack(ARGV)
if not is_mine(consumer, id, submission, fence) then return 0 end
redis.call('XCLAIM', LEASES, 'workers', consumer, 0, id, 'JUSTID')
return 1
