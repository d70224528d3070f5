local token = ARGV[2]

local r, refusal = read()
if refusal then
  return refusal
end
if not r or r.token ~= token or (r.state ~= RUNNING and r.state ~= ABANDONED) then
  return answer(NOT_OWNER)
end
r.state = ABANDONED
return write(r, 'KEEPTTL')
