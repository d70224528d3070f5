local fingerprint, token, lease, ttl, takeover = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6] == '1'

local r, refusal = read()
if refusal then
  return refusal
end
if r then
  if r.fingerprint ~= fingerprint then
    return answer(CONFLICT)
  end
  if r.state == KEPT then
    return answer(COMPLETED, redis.call('PTTL', KEYS[1]), r.crc, r.result)
  end
  if r.state == DROPPED then
    return answer(COMPLETED, redis.call('PTTL', KEYS[1]))
  end
end
local time = now()
-- One's own claim, made again since its answer was lost, is acquired again.
if r and not (r.state == RUNNING and r.token == token) then
  if r.state == RUNNING and r.lease > time then
    return answer(IN_PROGRESS, r.lease - time)
  end
  if not takeover then
    return answer(ABANDONED_BEFORE)
  end
end
return write({
  state = RUNNING, lease = time + lease, fingerprint = fingerprint, crc = '00000000', token = token, result = '',
}, 'PX', ttl)
