/**
 * What Redis does in one step, so that processes which ask at once cannot get more than there is
 * together. Redis' own clock counts: those of processes differ.
 *
 * A sliding window is a sorted set of the moments that still count, in microseconds.
 */
const slide = `
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
 * Asks for one request's place.
 *
 * KEYS: the window of the last second; how many requests each process has under way, by its name;
 * until when each process counts as alive.
 * ARGV: requests per second, concurrent requests, this process, its requests under way with this
 * one, a name for this request.
 * Returns why it was refused or an empty string, how many counted before, milliseconds to the reset.
 */
export const beginScript = `${slide}
local counted, reset = slide(KEYS[1], 1000000)
local refused = ''
if counted >= tonumber(ARGV[1]) then
  refused = 'rate'
else
  local underWay = tonumber(ARGV[4])
  local fields = redis.call('HGETALL', KEYS[2])
  for i = 1, #fields, 2 do
    if fields[i] ~= ARGV[3] then
      local alive = tonumber(redis.call('ZSCORE', KEYS[3], fields[i]) or 0)
      if alive > now then
        underWay = underWay + fields[i + 1]
      else
        redis.call('HDEL', KEYS[2], fields[i])
      end
    end
  end
  if underWay > tonumber(ARGV[2]) then refused = 'concurrency' end
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
 * Counts one more of something rare, unless its window is full.
 *
 * KEYS: the window. ARGV: the most, milliseconds of the window, a name for this one.
 * Returns 1 where it was counted and 0 where not, and milliseconds until there is room.
 */
export const allowScript = `${slide}
local window = tonumber(ARGV[2])
local counted, reset = slide(KEYS[1], window * 1000)
if counted >= tonumber(ARGV[1]) then return { 0, counted == 0 and window or reset } end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], window)
return { 1, 0 }
`;

/**
 * Says that this process is alive, and forgets those that have long not said so.
 *
 * KEYS: until when each process counts as alive. ARGV: this process, milliseconds that it counts so.
 */
export const aliveScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2] * 1000, ARGV[1])
return 1
`;
