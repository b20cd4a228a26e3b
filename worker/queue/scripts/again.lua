local report, submission, job, backend, fence = unpack(ARGV)
if drop_entry(VERDICTS, 'servers', report) == 0 then return 0 end
redis.call('HSET', JOBS, submission, job)
redis.call('HSET', FENCES, submission, fence)
wait_in(0, submission, backend)
return 1
