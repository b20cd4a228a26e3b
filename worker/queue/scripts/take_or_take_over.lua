local consumer, lease_ms, max_attempts = ARGV[1], ARGV[2], tonumber(ARGV[3])
local backends = {}
for i = 4, #ARGV do backends[ARGV[i]] = true end
local gpu_lives = redis.call('ZCOUNT', GPUS, now_ms(), '+inf') > 0

local function suits(backend)
  if backend == 'auto' then return backends['gpu'] or not gpu_lives end
  return backends[backend]
end

local function hand_out(id, submission)
  redis.call('HSET', PLACES, submission, 'l' .. id)
  local fence = redis.call('HINCRBY', FENCES, submission, 1)
  return {id, submission, redis.call('HGET', JOBS, submission), fence}
end

local function undelivered()
  local read = redis.call('XREADGROUP', 'GROUP', 'workers', consumer, 'COUNT', 1, 'STREAMS', LEASES, '>')
  return read and read[1][2][1]
end

-- A lease that ran out, or an entry whose group was lost under it. First of all: without its group this
-- raises NOGROUP before anything was written, and a script is not rolled back.
local function orphan()
  local claimed = redis.call('XAUTOCLAIM', LEASES, 'workers', consumer, lease_ms, '0', 'COUNT', 1)
  return claimed[2][1] or undelivered()
end

local entry = orphan()
while entry do
  local id, submission = entry[1], entry[2][2]
  if redis.call('HGET', PLACES, submission) ~= 'l' .. id then
    drop_entry(LEASES, 'workers', id)
  elseif not suits(backend_of(submission)) then
    drop_entry(LEASES, 'workers', id)
    wait_in(0, submission, backend_of(submission))
  else
    return hand_out(id, submission)
  end
  entry = orphan()
end

local first = 0
while true do
  local chunk = redis.call('ZRANGE', WAITING, first, first + 99, 'WITHSCORES')
  if #chunk == 0 then break end
  for i = 1, #chunk, 2 do
    local backend, submission = chunk[i]:match('^%d+|(%a+)|(.*)$')
    if suits(backend) then
      local now = tonumber(redis.call('HGET', CLOCK, 'now') or 0)
      redis.call('HSET', CLOCK, 'now', math.max(now, tonumber(chunk[i + 1])))
      leave_line(chunk[i])
      local id = redis.call('XADD', LEASES, '*', 'submission', submission)
      undelivered()  -- nothing else is: all others were orphans above
      return hand_out(id, submission)
    end
  end
  first = first + 100
end

local bell = redis.call('XREVRANGE', BELL, '+', '-', 'COUNT', 1)
return {bell[1] and bell[1][1] or '0'}
