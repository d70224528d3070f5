-- Every script begins with this file.
--
-- A record is one string of bytes:
--
--   1         version, '1'
--   2         state, see below
--   3-17      end of the lease, in milliseconds of the server's clock, decimal
--   18-49     fingerprint, raw
--   50-59     length of the result, decimal
--   60-67     CRC-32C of the result, hexadecimal; the client makes and checks it
--   68-69     length of the token, decimal
--   70-       token
--   8 bytes   seal: the beginning of the SHA-1 of all of the above, hexadecimal
--   the rest  result
--
-- It lives as long as the operation is remembered. The lease is a number in it
-- and never the expiry of the key, which would free the operation.

local VERSION = '1'
local RUNNING, KEPT, DROPPED, ABANDONED = 'r', 'k', 'd', 'a'

-- What a script answers.
local OK, IN_PROGRESS, COMPLETED, ABANDONED_BEFORE, CONFLICT = 1, 2, 3, 4, 5
local NOT_OWNER, FULL, UNREADABLE = -1, -2, -3

-- answer makes an answer. It repeats the ticket, the first argument of every
-- script, so that a client that is out of step hands nobody another's answer.
local function answer(status, ...)
  return {status, ARGV[1], ...}
end

local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

local function seal(header)
  return string.sub(redis.sha1hex(header), 1, 8)
end

-- read returns the record of the key, or nil. The second value is the answer to
-- give if it cannot be read.
local function read()
  local raw = redis.pcall('GET', KEYS[1])
  if not raw then
    return nil
  end
  if type(raw) == 'table' then
    if string.find(raw.err, 'WRONGTYPE', 1, true) then
      return nil, answer(UNREADABLE, 'not a string')
    end
    return nil, raw
  end
  if string.sub(raw, 1, 1) ~= VERSION then
    return nil, answer(UNREADABLE, 'not of version ' .. VERSION)
  end
  local size = 69 + (tonumber(string.sub(raw, 68, 69)) or 0)
  local header, body = string.sub(raw, 1, size), size + 9
  if string.sub(raw, size + 1, size + 8) ~= seal(header)
    or tonumber(string.sub(header, 50, 59)) ~= #raw - body + 1 then
    return nil, answer(UNREADABLE, 'damaged')
  end
  return {
    state = string.sub(header, 2, 2),
    lease = tonumber(string.sub(header, 3, 17)),
    fingerprint = string.sub(header, 18, 49),
    crc = string.sub(header, 60, 67),
    token = string.sub(header, 70),
    result = string.sub(raw, body),
  }
end

-- write stores the record and returns the answer to give. Further arguments are
-- those of SET.
local function write(r, ...)
  local header = VERSION .. r.state .. string.format('%015.0f', r.lease) .. r.fingerprint
    .. string.format('%010d', #r.result) .. r.crc .. string.format('%02d', #r.token) .. r.token
  local reply = redis.pcall('SET', KEYS[1], header .. seal(header) .. r.result, ...)
  if not reply.err then
    return answer(OK)
  end
  if string.find(reply.err, 'OOM', 1, true) then
    return answer(FULL)
  end
  return reply
end

