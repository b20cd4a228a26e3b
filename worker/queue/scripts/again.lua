local report, submission, job, fence = unpack(ARGV)
if drop_entry(VERDICTS, 'servers', report) == 0 then return 0 end
redis.call('HSET', JOBS, submission, job)
redis.call('HSET', FENCES, submission, fence)
join_front(submission)
return 1
