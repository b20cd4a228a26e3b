local consumer, id, submission, fence, progress = unpack(ARGV)
if not is_mine(consumer, id, submission, fence) then return 0 end
redis.call('XADD', NEWS, 'MAXLEN', '~', 10000, '*', 'progress', progress, 'fence', fence)
return 1
