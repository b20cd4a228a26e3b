-- Prepended to every script. All keys share one hash tag, so that a Redis cluster keeps them in one slot.
local base = KEYS[1]
local JOBS = base .. ':jobs'          -- hash: submission -> the job as JSON
local FENCES = base .. ':fences'      -- hash: submission -> attempts begun
local PLACES = base .. ':places'      -- hash: submission -> 'w' group '|' entry, waiting | 'l' lease id | 'v' verdict id
local LEASES = base .. ':leases'      -- stream, group 'workers': a pending entry is a leased job
local VERDICTS = base .. ':verdicts'  -- stream, group 'servers': a pending entry is not committed yet
local NEWS = base .. ':news'          -- stream: progress for every server
local BELL = base .. ':bell'          -- stream of one entry: wakes every waiting worker
local STATES = base .. ':states'      -- hash: worker -> its state as JSON
local ALIVE = base .. ':alive'        -- sorted set: worker by the time its heartbeat runs out
local GPUS = base .. ':gpus'          -- the same, of workers with a GPU: 'worker|card'
local SEEN = base .. ':seen'          -- this host's clock, in ms, when it was last looked at; once a lease
local PROTOCOLS = base:match('^(.*):%d+$') .. ':protocols'
-- sorted set, of all protocols alike: protocol by the time until which a server of it was heard of

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
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

local function forget(submission)
  redis.call('HDEL', JOBS, submission)
  redis.call('HDEL', FENCES, submission)
  redis.call('HDEL', PLACES, submission)
end
