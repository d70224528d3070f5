local token, lease = ARGV[2], tonumber(ARGV[3])

local r, refusal = read()
if refusal then
  return refusal
end
if not r or r.token ~= token or r.state ~= RUNNING then
  return answer(NOT_OWNER)
end
r.lease = now() + lease
local left = redis.call('PTTL', KEYS[1])
if left >= 0 and left < lease then
  return write(r, 'PX', lease)
end
return write(r, 'KEEPTTL')
