-- The order of the waiting room, prepended after shared.lua; worker/queue/fair.py says the same in Python.
-- Groups (guilds) take turns around lines of their own, in which their members take turns. A group's first job is in
-- the round of its turn, each further one in the next. Before all of them come the jobs that were given back.
local FRONT = base .. ':front'        -- sorted set: entries that were given back, by serial
local TURNS = base .. ':turns'        -- sorted set: groups that have jobs waiting, 'serial|group' by round
local TURN_OF = base .. ':turn_of'    -- hash: group -> its member of TURNS
local CLOCK = base .. ':clock'        -- hash: the round being served ('now'), the last serial, how many wait
                                      -- ('waiting'), and of each group the same round ('now:group') and the round
                                      -- of its next turn when nothing of it waits ('next:group')
local function line_of(group) return base .. ':line:' .. group end      -- sorted set: entries by round of the group
local function rounds_of(group) return base .. ':rounds:' .. group end  -- hash: member -> round of their last entry

local function clock(name) return tonumber(redis.call('HGET', CLOCK, name) or 0) end

local function job_of(submission) return cjson.decode(redis.call('HGET', JOBS, submission)) end

local function group_of(job)
  return ':' .. ((job.group or '') ~= '' and job.group or job.queued_by)
end

-- What a worker has to know to take the job or leave it: 'serial|backend|cards|avoid|submission'.
local function new_entry(submission, job)
  local serial = redis.call('HINCRBY', CLOCK, 'serial', 1)
  local entry = string.format('%016d|%s|%s|%s|%s', serial, job.backend, table.concat(job.cards or {}, ','),
    table.concat(job.avoid or {}, ','), submission)
  return entry, serial
end

local function waits(submission, group, entry)
  redis.call('HSET', PLACES, submission, 'w' .. group .. '|' .. entry)
  redis.call('HINCRBY', CLOCK, 'waiting', 1)
  redis.call('XADD', BELL, 'MAXLEN', 1, '*', 'for', submission)
end

local function join_front(submission)
  local entry, serial = new_entry(submission, job_of(submission))
  redis.call('ZADD', FRONT, serial, entry)
  waits(submission, '', entry)
end

local function join_line(submission)
  local job = job_of(submission)
  local group = group_of(job)
  if redis.call('HEXISTS', TURN_OF, group) == 0 then
    local turn = string.format('%016d|%s', redis.call('HINCRBY', CLOCK, 'serial', 1), group)
    redis.call('ZADD', TURNS, math.max(clock('now'), clock('next:' .. group)), turn)
    redis.call('HSET', TURN_OF, group, turn)
    redis.call('HDEL', CLOCK, 'next:' .. group)
  end
  local last = tonumber(redis.call('HGET', rounds_of(group), job.queued_by) or 0)
  local round = math.max(clock('now:' .. group), last + 1)
  redis.call('HSET', rounds_of(group), job.queued_by, round)
  local entry = new_entry(submission, job)
  redis.call('ZADD', line_of(group), round, entry)
  waits(submission, group, entry)
end

local function place_of(submission)
  local place = redis.call('HGET', PLACES, submission)
  if not place or place:sub(1, 1) ~= 'w' then return nil end
  return place:match('^w([^|]*)|(.*)$')
end

-- After an entry went: a group without entries has no turn, and rounds mean something only while somebody waits.
local function left(group)
  if group ~= '' and redis.call('ZCARD', line_of(group)) == 0 then
    local turn = redis.call('HGET', TURN_OF, group)
    redis.call('HSET', CLOCK, 'next:' .. group, redis.call('ZSCORE', TURNS, turn))
    redis.call('HDEL', CLOCK, 'now:' .. group)
    redis.call('ZREM', TURNS, turn)
    redis.call('HDEL', TURN_OF, group)
    redis.call('DEL', rounds_of(group))
  end
  if redis.call('HINCRBY', CLOCK, 'waiting', -1) == 0 then
    local serial = redis.call('HGET', CLOCK, 'serial')
    redis.call('DEL', CLOCK)
    redis.call('HSET', CLOCK, 'serial', serial)
  end
end

local function leave_line(submission)
  local group, entry = place_of(submission)
  if group == '' then
    redis.call('ZREM', FRONT, entry)
  else
    local round, member = redis.call('ZSCORE', line_of(group), entry), job_of(submission).queued_by
    if redis.call('HGET', rounds_of(group), member) == round then
      redis.call('HINCRBY', rounds_of(group), member, -1)
    end
    redis.call('ZREM', line_of(group), entry)
  end
  left(group)
end

-- How many entries of a group come before an entry of another one in that round.
local function before(turn, turn_round, round, serial, now)
  local own, group = turn:match('^(%d+)|(.*)$')
  local is_earlier = own < serial
  local first = (turn_round < round or (turn_round == round and is_earlier)) and 1 or 0
  local rest = round - math.max(turn_round, now) - (is_earlier and 0 or 1)
  return first + math.min(math.max(rest, 0), redis.call('ZCARD', line_of(group)) - 1)
end

local function position_of(submission)
  local group, entry = place_of(submission)
  if not group then return false end
  if group == '' then return redis.call('ZRANK', FRONT, entry) end
  local index, now = redis.call('ZRANK', line_of(group), entry), clock('now')
  local turn = redis.call('HGET', TURN_OF, group)
  local turn_round = tonumber(redis.call('ZSCORE', TURNS, turn))
  local round = index == 0 and turn_round or math.max(turn_round, now) + index
  local ahead = redis.call('ZCARD', FRONT) + index
  local turns = redis.call('ZRANGE', TURNS, 0, -1, 'WITHSCORES')
  for i = 1, #turns, 2 do
    if turns[i] ~= turn then
      ahead = ahead + before(turns[i], tonumber(turns[i + 1]), round, turn:match('^%d+'), now)
    end
  end
  return ahead
end

-- The first entry of a sorted set that suits, with what is in it.
local function first_that(suits, set)
  local from = 0
  while true do
    local chunk = redis.call('ZRANGE', set, from, from + 99)
    for _, entry in ipairs(chunk) do
      local backend, cards, avoid, submission = entry:match('^%d+|(%a+)|([^|]*)|([^|]*)|(.*)$')
      if suits(backend, cards, avoid) then return entry, submission end
    end
    if #chunk < 100 then return nil end
    from = from + 100
  end
end

-- Take the next job that suits out of the line.
local function pop(suits)
  local entry, submission = first_that(suits, FRONT)
  if entry then
    redis.call('ZREM', FRONT, entry)
    left('')
    return submission
  end
  local turns = redis.call('ZRANGE', TURNS, 0, -1, 'WITHSCORES')
  for i = 1, #turns, 2 do
    local group = turns[i]:match('^%d+|(.*)$')
    entry, submission = first_that(suits, line_of(group))
    if entry then
      local now = math.max(clock('now'), tonumber(turns[i + 1]))
      local inner = math.max(clock('now:' .. group), tonumber(redis.call('ZSCORE', line_of(group), entry)))
      redis.call('HSET', CLOCK, 'now', now, 'now:' .. group, inner)
      redis.call('ZADD', TURNS, now + 1, turns[i])
      redis.call('ZREM', line_of(group), entry)
      left(group)
      return submission
    end
  end
  return nil
end
