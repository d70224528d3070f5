package redact

import "strings"

// pemEnd returns the end of the private key whose first dash is at i, 0 if
// there is none. The block goes up to its last line; if that is missing, up to
// the last piece that can be base64 or a header of RFC 1421.
func pemEnd(s string, i int) int {
	const (
		begin   = "-----BEGIN "
		end     = "-----END "
		dashes  = "-----"
		longest = 16 << 10 // an RSA key of 16384 bits has 12.6 kB
	)
	if !strings.HasPrefix(s[i:], begin) {
		return 0
	}
	from := i + len(begin)
	label := s[from:min(len(s), from+48)]
	to := strings.Index(label, dashes)
	if to < 0 || !strings.HasSuffix(strings.TrimSuffix(label[:to], " BLOCK"), "PRIVATE KEY") {
		return 0
	}
	from += to + len(dashes)
	rest := s[from:min(len(s), from+longest)]
	if next := strings.Index(rest, begin); next >= 0 {
		rest = rest[:next]
	}
	if at := strings.Index(rest, end); at >= 0 {
		from += at + len(end)
		if at = strings.Index(s[from:min(len(s), from+48)], dashes); at >= 0 {
			return from + at + len(dashes)
		}
		return runEnd(s, from, upper|blank|dash)
	}
	return pemBody(s, from)
}

// pemBody returns the end of the pieces of base64 from i on. A short one
// that could be a word counts only before a long one.
func pemBody(s string, i int) int {
	weak := false
	for end := i; ; {
		for end < len(s) && (isByte(s, end, blank) || newline(s, end) > 0) {
			end += max(1, newline(s, end))
		}
		from := end
		for _, header := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:"} {
			if strings.HasPrefix(s[from:], header) {
				end = endOfLine(s, from)
			}
		}
		word := false
		if end == from {
			end = runEnd(s, from, alnum|base64Extra)
			word = plainWord(s[from:end])
		}
		if end == from || weak && (word || end-from < 16) || glued(s, end) {
			return i
		}
		if weak = word; !word {
			i = end
		}
	}
}
