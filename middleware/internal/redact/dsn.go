package redact

import "strings"

// keywordList returns the connection string whose first pair has its "=" at i,
// such as "host=a user=b password=c" or "Server=a;Uid=b;Pwd=c"; hi is 0 if the
// pairs lack a password, or anything else that a connection string has.
func (r *scanner) keywordList(i int) (lo, hi int) {
	s := r.s
	if i < r.chain {
		return 0, 0
	}
	lo = i
	place, secret := false, false
	for eq := i; eq > 0; {
		key := eq
		for key > r.floor && s[key-1] == ' ' && eq-key < 2 {
			key--
		}
		name, start, ok := r.keyBefore(key)
		if eq == i {
			if !ok {
				return 0, 0
			}
			for lo = start; r.before(lo, url64|dot); {
				lo--
			}
		}
		from := runEnd(s, eq+1, blank)
		if hi = pairEnd(s, from); hi == from {
			break
		}
		switch {
		case ok && name.form == placeKey:
			place = true
		case ok:
			secret = true
			hi = wrapped(s, hi, any64|dot|tilde)
		}
		eq = nextPair(s, hi)
	}
	if !place || !secret {
		r.chain = hi
		return 0, 0
	}
	return lo, hi
}

// pairEnd returns the end of the value at i.
func pairEnd(s string, i int) int {
	if _, to, ok := quotedValue(s, i, '='); ok {
		for to < len(s) && s[to] == '\\' {
			to++
		}
		if isByte(s, to, quoteByte) || to < len(s) && s[to] == '}' {
			to++
		}
		return to
	}
	for ; i < len(s) && s[i] > ' '; i++ {
		closes := isByte(s, i, quoteByte) && !isByte(s, i+1, alnum)
		if closes || s[i] == ';' || s[i] == '"' || s[i] == '\\' || strings.HasPrefix(s[i:], Placeholder) {
			break
		}
	}
	return i
}

// nextPair returns the place of the "=" of the pair that follows a value
// that ends at i, 0 if there is none. After a semicolon a keyword may have
// several words.
func nextPair(s string, i int) int {
	words := 1
	if i < len(s) && s[i] == ';' {
		words, i = 3, i+1
	}
	i = runEnd(s, i, blank)
	for ; words > 0; words-- {
		end := runEnd(s, i, url64)
		if end == i {
			return 0
		}
		i = runEnd(s, end, blank)
		if i < len(s) && s[i] == '=' {
			return i
		}
	}
	return 0
}
