local consumer, lease_ms, max_attempts, protocol, name, serves = unpack(ARGV, 1, 6)
local backends = {}
for i = 7, #ARGV do backends[ARGV[i]] = true end

local served = redis.call('ZRANGEBYSCORE', PROTOCOLS, now_ms(), '+inf')
local speaks = #served == 0
for _, one in ipairs(served) do speaks = speaks or one == protocol end
if not speaks then return {'protocol', table.concat(served, ', ')} end

local function lists(list, name) return (',' .. list .. ','):find(',' .. name .. ',', 1, true) ~= nil end

local function fits(cards, card) return cards == '' or (card ~= '' and lists(cards, card)) end

local gpus = redis.call('ZRANGEBYSCORE', GPUS, now_ms(), '+inf')
local function fitting_gpu_lives(cards, avoid)
  for _, gpu in ipairs(gpus) do
    local worker, card = gpu:match('^(.*)|([^|]*)$')
    if fits(cards, card) and not lists(avoid, worker) then return true end
  end
  return false
end

local function suits(backend, cards, avoid)
  if avoid ~= '' and lists(avoid, name) then return false end
  if backend == 'auto' and not backends['gpu'] then return not fitting_gpu_lives(cards, avoid) end
  if backend == 'auto' or backend == 'gpu' then return backends['gpu'] and fits(cards, serves) end
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

-- How long something has been pending is counted by this host's wall clock. When that was set back, what was delivered
-- before would not run out for as long as the jump; so it counts as delivered now, to whoever has it.
local now, seen = now_ms(), tonumber(redis.call('GET', SEEN) or 0)
if now < seen - lease_ms then
  for stream, group in pairs({[LEASES] = 'workers', [VERDICTS] = 'servers'}) do
    for _, pending in ipairs(redis.pcall('XPENDING', stream, group, '-', '+', 10000)) do
      redis.call('XCLAIM', stream, group, pending[2], 0, pending[1], 'IDLE', 0, 'JUSTID')
    end
  end
end

-- A lease that ran out, or an entry whose group was lost under it. First of all: without its group this
-- raises NOGROUP before anything was written, and a script is not rolled back.
local function orphan()
  local claimed = redis.call('XAUTOCLAIM', LEASES, 'workers', consumer, lease_ms, '0', 'COUNT', 1)
  return claimed[2][1] or undelivered()
end

local entry = orphan()
if now < seen - lease_ms or now > seen + lease_ms then redis.call('SET', SEEN, now) end
while entry do
  local id, submission = entry[1], entry[2][2]
  if redis.call('HGET', PLACES, submission) ~= 'l' .. id then
    drop_entry(LEASES, 'workers', id)
  else
    local job = job_of(submission)
    if suits(job.backend, table.concat(job.cards or {}, ','), table.concat(job.avoid or {}, ',')) then
      return hand_out(id, submission)
    end
    drop_entry(LEASES, 'workers', id)
    join_front(submission)
  end
  entry = orphan()
end

local submission = pop(suits)
if submission then
  local id = redis.call('XADD', LEASES, '*', 'submission', submission)
  undelivered()  -- nothing else is: all others were orphans above
  return hand_out(id, submission)
end

local bell = redis.call('XREVRANGE', BELL, '+', '-', 'COUNT', 1)
return {bell[1] and bell[1][1] or '0'}
