package middleware

import "strings"

// The classes of a byte. What is neither an alphanumeric, a mark nor a lead
// byte can neither start nor separate anything.
const (
	redactUpper uint16 = 1 << iota
	redactLower
	redactDigit
	redactHex    // a-f, A-F; the digits are redactDigit
	redactDash   // - and _, the rest of base64url
	redactBase64 // + / =, the rest of base64
	redactDot
	redactTilde // with the ones above, all of RFC 6750's b64token
	redactSpace // space and tab
	redactQuote // " ' `
	redactMark  // punctuation at which something may be found
	redactLead  // first byte of a character that may be invisible

	redactLetter = redactUpper | redactLower
	redactAlnum  = redactLetter | redactDigit
	redactURL64  = redactAlnum | redactDash
	redactAny64  = redactURL64 | redactBase64
)

// redactBytes gives the classes of each byte. It is never written to.
//
//nolint:gochecknoglobals // a table, computed once from the ones that people read
var redactBytes = redactClassify()

func redactClassify() (t [256]uint16) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = redactLower
		case 'A' <= c && c <= 'Z':
			t[c] = redactUpper
		case '0' <= c && c <= '9':
			t[c] = redactDigit
		}
		for _, set := range [...]struct {
			bytes string
			class uint16
		}{
			{"abcdefABCDEF", redactHex},
			{"-_", redactDash},
			{"+/=", redactBase64},
			{".", redactDot},
			{"~", redactTilde},
			{" \t", redactSpace},
			{"\"'`", redactQuote},
			{":=.-[\\%>@", redactMark},
			{"\\\xC2\xCD\xE1\xE2\xEF", redactLead},
		} {
			if strings.IndexByte(set.bytes, byte(c)) >= 0 {
				t[c] |= set.class
			}
		}
	}
	return t
}

// redactIs reports whether the byte at i exists and is of one of the classes.
func redactIs(s string, i int, set uint16) bool {
	return uint(i) < uint(len(s)) && redactBytes[s[i]]&set != 0
}

// redactGlued reports whether a word goes on at i. A piece that was taken out
// counts as a word: it was one.
func redactGlued(s string, i int) bool {
	return redactIs(s, i, redactAlnum) || i < len(s) && strings.HasPrefix(s[i:], redactPlaceholder)
}

// redactRun returns the end of the run of bytes of the classes that starts at
// i.
func redactRun(s string, i int, set uint16) int {
	for redactIs(s, i, set) {
		i++
	}
	return i
}

// redactFold reports whether s has, at i, the lower-case ASCII word w in any
// case.
func redactFold(s string, i int, w string) bool {
	return i >= 0 && len(s)-i >= len(w) && strings.EqualFold(s[i:i+len(w)], w)
}

// redactEscape returns the length of the escape at i, if there is one after
// which a new word starts: \n, \r, \t, \b, \f, \u and four digits, % and two.
// The ñ of "contrase\u00f1a" and "contrase%C3%B1a" is a letter, not an end.
func redactEscape(s string, i int) int {
	if s[i] == '%' {
		if redactRun(s[:min(len(s), i+3)], i+1, redactDigit|redactHex) != i+3 ||
			redactFold(s, i, "%c3%b1") || redactFold(s, i, "%b1") {
			return 0
		}
		return 3
	}
	if i+1 == len(s) {
		return 0
	}
	switch s[i+1] {
	case 'n', 'r', 't', 'b', 'f':
		return 2
	case 'u':
		if j := redactRun(s, i+2, redactDigit|redactHex); j >= i+6 && !redactFold(s, i+2, "00f1") && !redactFold(s, i+2, "00d1") {
			return 6
		}
	}
	return 0
}

// redactNewline returns the length of the line break at i, 0 if there is none.
// A break that is written out (\n in a JSON string) is one too.
func redactNewline(s string, i int) int {
	if i == len(s) {
		return 0
	}
	switch s[i] {
	case '\n':
		return 1
	case '\r':
		if strings.HasPrefix(s[i:], "\r\n") {
			return 2
		}
	case '\\':
		if strings.HasPrefix(s[i:], `\n`) {
			return 2
		}
		if strings.HasPrefix(s[i:], `\r\n`) {
			return 4
		}
	}
	return 0
}

// redactBreak returns where the next line begins if the line ends at i, blanks
// aside, and i if it does not, or if an empty line or nothing follows: nothing
// goes on across a paragraph.
func redactBreak(s string, i int) int {
	j := redactRun(s, i, redactSpace)
	w := redactNewline(s, j)
	if w == 0 {
		return i
	}
	j = redactRun(s, j+w, redactSpace)
	if j == len(s) || redactNewline(s, j) > 0 {
		return i
	}
	return j
}

// redactWrapped returns the end of a secret that ends at i on its line: i
// itself, or further if the next line begins with what can only be the rest of
// it, a long run of the classes that looks random.
func redactWrapped(s string, i int, set uint16) int {
	for {
		from := redactBreak(s, i)
		if from == i {
			return i
		}
		to := redactRun(s, from, set)
		for to > from && s[to-1] == '.' {
			to--
		}
		inWord := redactGlued(s, to) || redactIs(s, to, redactDot) && redactGlued(s, to+1) || to < len(s) && s[to] == '@'
		if inWord || to-from < 16 || !redactRandom(s[from:to]) {
			return i
		}
		i = to
	}
}

// redactMixed reports whether s begins, in its first 64 bytes, with letters
// and digits.
func redactMixed(s string) bool {
	var seen uint16
	for i := range min(len(s), 64) {
		seen |= redactBytes[s[i]]
	}
	return seen&redactDigit != 0 && seen&redactLetter != 0
}

// redactRandom reports whether s, judged by its first 64 bytes, is no word of a
// language: it has letters and digits, or a capital after a small letter.
func redactRandom(s string) bool {
	for i := 1; i < min(len(s), 64); i++ {
		if redactIs(s, i-1, redactLower) && redactIs(s, i, redactUpper) {
			return true
		}
	}
	return redactMixed(s)
}
