/**
 * Scripts for Redis, which executes each one atomically, so that concurrent processes cannot exceed a
 * limit. The scripts use the clock of Redis, because the clocks of processes differ.
 */

/**
 * Start of scripts that count events in a sliding window: a sorted set of the timestamps within the
 * window, in microseconds.
 */
const slidingWindow = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function slide(key, window)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  local reset = oldest[2] and oldest[2] + window - now or 0
  return redis.call('ZCARD', key), math.ceil(reset / 1000)
end
`;

/**
 * Admits or rejects a request.
 *
 * KEYS: the window of the last second; requests in progress of each process, by its name; the expiry
 * of each process.
 * ARGV: requests per second, concurrent requests, name of this process, its requests in progress
 * including this one, name of this request.
 * Returns the reason for the rejection or an empty string, the previous count in the window, and
 * milliseconds until the reset.
 */
export const admitScript = `${slidingWindow}
local counted, reset = slide(KEYS[1], 1000000)
local refused = ''
if counted >= tonumber(ARGV[1]) then
  refused = 'rate'
else
  local inProgress = tonumber(ARGV[4])
  local fields = redis.call('HGETALL', KEYS[2])
  for i = 1, #fields, 2 do
    if fields[i] ~= ARGV[3] then
      local expiry = tonumber(redis.call('ZSCORE', KEYS[3], fields[i]) or 0)
      if expiry > now then
        inProgress = inProgress + fields[i + 1]
      else
        redis.call('HDEL', KEYS[2], fields[i])
      end
    end
  end
  if inProgress > tonumber(ARGV[2]) then refused = 'concurrency' end
end
if refused == '' then
  redis.call('ZADD', KEYS[1], now, ARGV[5])
  redis.call('PEXPIRE', KEYS[1], 1000)
  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
  redis.call('PEXPIRE', KEYS[2], 3600000)
  if counted == 0 then reset = 1000 end
end
return { refused, counted, reset }
`;

/**
 * Counts an event, unless its window is full.
 *
 * KEYS: the window.
 * ARGV: the maximum, length of the window in milliseconds, name of this event.
 * Returns 1 if the event was counted, otherwise 0; and milliseconds until another event is counted.
 */
export const allowScript = `${slidingWindow}
local window = tonumber(ARGV[2])
local counted, reset = slide(KEYS[1], window * 1000)
if counted >= tonumber(ARGV[1]) then return { 0, counted == 0 and window or reset } end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], window)
return { 1, 0 }
`;

/**
 * Counts an amount, unless the total in its window would exceed the maximum.
 *
 * KEYS: the total and the time of the last amount of each part of the window, such as `120:1767225600000`.
 * ARGV: the amount, the maximum, length of the window in milliseconds, number of its parts.
 * Returns 1 if the amount was counted, otherwise 0; and the total in the window.
 */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local amount, window = tonumber(ARGV[1]), tonumber(ARGV[3])
local part = string.format('%.0f', math.floor(now * ARGV[4] / window))
local total, totalOfPart = 0, 0
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local counted, lastAt = string.match(fields[i + 1], '(.+):(.+)')
  if tonumber(lastAt) <= now - window then
    redis.call('HDEL', KEYS[1], fields[i])
  else
    total = total + counted
    if fields[i] == part then totalOfPart = tonumber(counted) end
  end
end
if amount > 0 and total + amount > tonumber(ARGV[2]) then return { 0, total } end
redis.call('HSET', KEYS[1], part, string.format('%.0f:%.0f', totalOfPart + amount, now))
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
return { 1, total + amount }
`;

/**
 * Records a heartbeat of this process, and removes processes whose heartbeat has expired.
 *
 * KEYS: the expiry of each process.
 * ARGV: name of this process, milliseconds until it expires.
 */
export const heartbeatScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2] * 1000, ARGV[1])
return 1
`;
