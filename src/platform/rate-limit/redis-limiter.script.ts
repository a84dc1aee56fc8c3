/** Milliseconds on Redis's own clock, so that processes whose clocks differ share one window. */
export const REDIS_CLOCK = `(function() local t = redis.call('TIME') return t[1] * 1000 + t[2] / 1000 end)()`;

/**
 * KEYS: one per bucket, then the values of the subjects of the calling key (see KeyChanges). ARGV: limit and window (ms) of each bucket.
 * Returns { admitted 0/1, index of the tightest bucket, remaining, seconds to reset, the values of the subjects or false }.
 *
 * A bucket is one string: calls in the window (u32), then per group, oldest first, the time of its last call (f64, ms)
 * and its count (u32). Only the ends of the string are read, so the cost does not grow with the limit.
 * The wall clock may step back (NTP, failover): after a small step time stands still, one larger than the window resets the bucket.
 *
 * Redis Cluster is not supported: these keys have different slots, which a script may not access together, and a common hash tag
 * would put all of them on one node. Use one primary, with or without replicas.
 */
export const admitScript = (clock: string): string => `
local now = ${clock}
local stored = redis.call('MGET', unpack(KEYS))
local read, write, floor = struct.unpack, struct.pack, math.floor
local GROUP = 12

local function wait(bucket)
  local left, target = bucket.used, math.min(bucket.limit, bucket.used)
  for at = bucket.head, #bucket.text, GROUP do
    local last, count = read('<dI4', bucket.text, at)
    left = left - count
    if left < target then return math.ceil((last + bucket.window - bucket.now) / 1000) end
  end
  return bucket.window / 1000
end

local buckets, rejected = {}, false
for i = 1, #ARGV / 2 do
  local bucket = { text = stored[i] or '', limit = tonumber(ARGV[2 * i - 1]), window = tonumber(ARGV[2 * i]),
                   head = 5, used = 0, now = now }
  if bucket.text ~= '' then
    local newest = read('<d', bucket.text, #bucket.text - GROUP + 1)
    if newest - now > bucket.window then bucket.text = '' elseif newest > now then bucket.now = newest end
  end
  if bucket.text ~= '' then
    bucket.used = read('<I4', bucket.text)
    while bucket.head <= #bucket.text do
      local last, count = read('<dI4', bucket.text, bucket.head)
      if last > bucket.now - bucket.window then break end
      bucket.used = bucket.used - count
      bucket.head = bucket.head + GROUP
    end
  end
  rejected = rejected or bucket.used >= bucket.limit
  buckets[i] = bucket
end

local changes = {}
for i = #buckets + 1, #KEYS do changes[i - #buckets] = stored[i] end
if rejected then
  local tightest, longest = 0, 0
  for i, bucket in ipairs(buckets) do
    if bucket.used >= bucket.limit then
      local seconds = wait(bucket)
      if seconds > longest then tightest, longest = i, seconds end
    end
  end
  return { 0, tightest - 1, 0, longest, changes }
end

local tightest, least = 0, math.huge
for i, bucket in ipairs(buckets) do
  local last, count, size = nil, 0, #bucket.text
  if bucket.head <= size then
    last, count = read('<dI4', bucket.text, size - GROUP + 1)
    if floor(last / 1000) == floor(bucket.now / 1000) then size = size - GROUP else count = 0 end
  end
  bucket.used = bucket.used + 1
  bucket.text = write('<I4', bucket.used) .. string.sub(bucket.text, bucket.head, size)
    .. write('<dI4', bucket.now, count + 1)
  bucket.head = 5
  redis.call('SET', KEYS[i], bucket.text, 'PX', ARGV[2 * i])
  if bucket.limit - bucket.used < least then tightest, least = i, bucket.limit - bucket.used end
end
return { 1, tightest - 1, least, wait(buckets[tightest]), changes }
`;
