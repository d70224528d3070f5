local fingerprint, token, lease, ttl, takeover = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5] == '1'

local r, refusal = read()
if refusal then
  return refusal
end
local time = now()
if r then
  if r.fingerprint ~= fingerprint then
    return {CONFLICT}
  end
  if r.state == KEPT then
    return {COMPLETED, r.crc, r.result}
  end
  if r.state == DROPPED then
    return {COMPLETED}
  end
  -- One's own claim, made again since its answer was lost, is acquired again.
  if r.state ~= RUNNING or r.token ~= token then
    if r.state == RUNNING and r.lease > time then
      return {IN_PROGRESS, r.lease - time}
    end
    if not takeover then
      return {ABANDONED_BEFORE}
    end
  end
end
return write({
  state = RUNNING, lease = time + lease, fingerprint = fingerprint, crc = '00000000', token = token, result = '',
}, 'PX', ttl)
