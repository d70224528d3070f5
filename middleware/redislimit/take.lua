-- Pays one charge from every key, or from none. A key holds the time at which its
-- bucket will be full again (the theoretical arrival time of the GCRA, ITU-T
-- I.371), in microseconds of the server's clock, and the limit under which that was
-- written: in how many microseconds one unit came back, and the burst, as
-- "1790000000000000:50000:40". It expires when the bucket is full.
--
-- ARGV holds the ticket, which the answer repeats, and then for each key how many
-- microseconds bring one unit back, the burst, and the cost. A cost of 0 asks
-- whether one unit could be taken.
--
-- The answer is "paid <ticket>" or "wait <ticket> <microseconds> <which key>".

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

local full = {}
local longest, which = 0, 0
for i, key in ipairs(KEYS) do
  local every, burst, cost = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local owed = 0 -- as the time that brings it back
  local raw = redis.call('GET', key)
  if raw then
    local at, per, size = string.match(raw, '^(%d+):(%d+):(%d+)$')
    if not at then
      return redis.error_reply('ERR ' .. key .. ' does not hold a bucket')
    end
    owed = math.max(at - now, 0)
    per, size = tonumber(per), tonumber(size)
    if owed > 0 and (per ~= every or size ~= burst) then -- what is left of the units is kept
      owed = math.max(burst - (size - owed / per), 0) * every
    end
  end
  local wait = owed + (math.max(cost, 1) - burst) * every
  if wait > longest then
    longest, which = wait, i
  end
  full[i] = owed + cost * every
end
if longest > 0 then
  return string.format('wait %s %.0f %d', ARGV[1], math.min(math.ceil(longest), 9e15), which) -- 285 years
end
for i, key in ipairs(KEYS) do
  if tonumber(ARGV[3 * i + 1]) > 0 then
    redis.call('SET', key, string.format('%.0f:%s:%s', now + full[i], ARGV[3 * i - 1], ARGV[3 * i]),
      'PX', string.format('%.0f', math.min(math.ceil(full[i] / 1000), 1e13))) -- 300 years
  end
end
return 'paid ' .. ARGV[1]
