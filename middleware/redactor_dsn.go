package middleware

import "strings"

// keywordList returns the connection string whose first pair has its "=" at i,
// such as "host=a user=b password=c" or "Server=a;Uid=b;Pwd=c"; hi is 0 if the
// pairs lack a password, or anything else that a connection string has.
func (r *redactScanner) keywordList(i int) (lo, hi int) {
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
			for lo = start; r.before(lo, redactURL64|redactDot); {
				lo--
			}
		}
		from := redactRun(s, eq+1, redactSpace)
		if hi = redactPairEnd(s, from); hi == from {
			break
		}
		switch {
		case ok && name.form == redactPlace:
			place = true
		case ok:
			secret = true
			hi = redactWrapped(s, hi, redactAny64|redactDot|redactTilde)
		}
		eq = redactNextPair(s, hi)
	}
	if !place || !secret {
		r.chain = hi
		return 0, 0
	}
	return lo, hi
}

// redactPairEnd returns the end of the value at i.
func redactPairEnd(s string, i int) int {
	if _, to, ok := redactQuoted(s, i, '='); ok {
		for to < len(s) && s[to] == '\\' {
			to++
		}
		if redactIs(s, to, redactQuote) || to < len(s) && s[to] == '}' {
			to++
		}
		return to
	}
	for ; i < len(s) && s[i] > ' '; i++ {
		closes := redactIs(s, i, redactQuote) && !redactIs(s, i+1, redactAlnum)
		if closes || s[i] == ';' || s[i] == '"' || s[i] == '\\' || strings.HasPrefix(s[i:], redactPlaceholder) {
			break
		}
	}
	return i
}

// redactNextPair returns the place of the "=" of the pair that follows a value
// that ends at i, 0 if there is none. After a semicolon a keyword may have
// several words.
func redactNextPair(s string, i int) int {
	words := 1
	if i < len(s) && s[i] == ';' {
		words, i = 3, i+1
	}
	i = redactRun(s, i, redactSpace)
	for ; words > 0; words-- {
		end := redactRun(s, i, redactURL64)
		if end == i {
			return 0
		}
		i = redactRun(s, end, redactSpace)
		if i < len(s) && s[i] == '=' {
			return i
		}
	}
	return 0
}
