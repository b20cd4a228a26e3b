-- Prepended to every script. All keys share one hash tag, so that a Redis cluster keeps them in one slot.
local base = KEYS[1]
local JOBS = base .. ':jobs'          -- hash: submission -> the job as JSON
local FENCES = base .. ':fences'      -- hash: submission -> attempts begun
local PLACES = base .. ':places'      -- hash: submission -> 'w' waiting member | 'l' lease id | 'v' verdict id
local WAITING = base .. ':waiting'    -- sorted set: 'serial|backend|submission' by round
local ROUNDS = base .. ':rounds'      -- hash: member -> round of the member's last waiting job
local CLOCK = base .. ':clock'        -- hash: the round being served ('now'), the last serial
local LEASES = base .. ':leases'      -- stream, group 'workers': a pending entry is a leased job
local VERDICTS = base .. ':verdicts'  -- stream, group 'servers': a pending entry is not committed yet
local NEWS = base .. ':news'          -- stream: progress for every server
local BELL = base .. ':bell'          -- stream of one entry: wakes every waiting worker
local STATES = base .. ':states'      -- hash: worker -> its state as JSON
local ALIVE = base .. ':alive'        -- sorted set: worker by the time its heartbeat runs out
local GPUS = base .. ':gpus'          -- the same, of workers with a GPU

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function wait_in(round, submission, backend)
  local serial = redis.call('HINCRBY', CLOCK, 'serial', 1)
  local member = string.format('%016d|%s|%s', serial, backend, submission)
  redis.call('ZADD', WAITING, round, member)
  redis.call('HSET', PLACES, submission, 'w' .. member)
  redis.call('XADD', BELL, 'MAXLEN', 1, '*', 'for', submission)
end

-- Start-time fair queueing: behind the member's own jobs, level with the first jobs of the others.
local function join_line(submission, backend, member)
  local now = tonumber(redis.call('HGET', CLOCK, 'now') or 0)
  local last = tonumber(redis.call('HGET', ROUNDS, member) or 0)
  local round = math.max(now, last + 1)
  redis.call('HSET', ROUNDS, member, round)
  wait_in(round, submission, backend)
end

local function leave_line(waiting)
  redis.call('ZREM', WAITING, waiting)
  if redis.call('ZCARD', WAITING) == 0 then  -- rounds mean something only while somebody waits
    redis.call('DEL', ROUNDS)
    redis.call('HSET', CLOCK, 'now', 0)
  end
end

local function forget(submission)
  redis.call('HDEL', JOBS, submission)
  redis.call('HDEL', FENCES, submission)
  redis.call('HDEL', PLACES, submission)
end

local function drop_entry(stream, group, id)
  redis.call('XACK', stream, group, id)
  return redis.call('XDEL', stream, id)
end

local function is_mine(consumer, id, submission, fence)
  if redis.call('HGET', PLACES, submission) ~= 'l' .. id then return false end
  if redis.call('HGET', FENCES, submission) ~= fence then return false end
  local pending = redis.call('XPENDING', LEASES, 'workers', id, id, 1)
  return pending[1] ~= nil and pending[1][2] == consumer
end

local function backend_of(submission)
  return cjson.decode(redis.call('HGET', JOBS, submission)).backend
end
