local token, state, crc, result, ttl = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local r, refusal = read()
if refusal then
  return refusal
end
if not r or r.token ~= token or r.state == ABANDONED then
  return answer(NOT_OWNER)
end
if r.state ~= RUNNING then
  -- Completed before. Written again as it is, so that a WAIT behind this one
  -- has something to wait for.
  return write(r, 'KEEPTTL')
end
r.state, r.crc, r.result = state, crc, result
return write(r, 'PX', ttl)
