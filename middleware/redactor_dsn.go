package middleware

import "strings"

// redactPlaces are the keywords that tell a connection string from other pairs:
// of libpq ("Parameter Key Words"), ODBC, ADO.NET and Azure Storage.
var redactPlaces = [...]string{
	"server", "datasource", "host", "hostaddr", "hostname", "addr", "address", "networkaddress", "port", "driver",
	"provider", "endpoint", "defaultendpointsprotocol", "accountname", "user", "userid", "uid", "username", "dbname",
	"database", "initialcatalog", "sslmode",
}

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
		start, isPlace := r.placeBefore(key)
		_, secretStart, isSecret := r.keyBefore(key)
		if isSecret {
			start = secretStart
		}
		if eq == i {
			if !isPlace && !isSecret {
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
		if isSecret {
			hi = redactWrapped(s, hi, redactAny64)
		}
		place, secret = place || isPlace, secret || isSecret
		eq = redactNextPair(s, hi)
	}
	if !place || !secret {
		r.chain = hi
		return 0, 0
	}
	return lo, hi
}

// placeBefore reports whether a keyword of a connection string ends at end, and
// where it starts.
func (r *redactScanner) placeBefore(end int) (start int, ok bool) {
	for _, place := range redactPlaces {
		if start, ok = r.endsWith(end, place); ok && r.wordStart(start) {
			return start, true
		}
	}
	return end, false
}

// redactPairEnd returns the end of the value at i.
func redactPairEnd(s string, i int) int {
	if from, closing := redactOpening(s, i, '='); i < len(s) && closing != "" {
		end := redactClosing(s, from, closing)
		if strings.HasPrefix(s[end:], closing) {
			end += len(closing)
		}
		return end
	}
	for i < len(s) && s[i] > ' ' && s[i] != ';' && s[i] != '"' && s[i] != '\\' && !strings.HasPrefix(s[i:], redactPlaceholder) {
		i++
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
