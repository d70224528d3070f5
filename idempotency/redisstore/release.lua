local token = ARGV[2]

local r, refusal = read()
if refusal then
  return refusal
end
if not r or r.token ~= token or r.state ~= RUNNING then
  return answer(NOT_OWNER)
end
redis.call('DEL', KEYS[1])
return answer(OK)
