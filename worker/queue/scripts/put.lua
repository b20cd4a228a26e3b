local submission, job, fence = unpack(ARGV)
if redis.call('HEXISTS', JOBS, submission) == 1 then return 0 end
redis.call('HSET', JOBS, submission, job)
redis.call('HSET', FENCES, submission, fence)
join_line(submission)
return 1
