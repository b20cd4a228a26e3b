local report, submission = unpack(ARGV)
drop_entry(VERDICTS, 'servers', report)
if redis.call('HGET', PLACES, submission) == 'v' .. report then forget(submission) end
redis.call('XADD', NEWS, 'MAXLEN', '~', 10000, '*', 'settled', submission)
return 1
