package redact

import "strings"

// The classes of a byte. What is neither an alphanumeric, a mark nor a lead
// byte can neither start nor separate anything.
const (
	upper uint16 = 1 << iota
	lower
	digit
	hex         // a-f, A-F; the digits are digit
	dash        // - and _, the rest of base64url
	base64Extra // + / =, the rest of base64
	dot
	tilde     // with the ones above, all of RFC 6750's b64token
	blank     // space and tab
	quoteByte // " ' `
	markByte  // punctuation at which something may be found
	lead      // first byte of a character that may be invisible

	letter = upper | lower
	alnum  = letter | digit
	url64  = alnum | dash
	any64  = url64 | base64Extra
)

// byteClass gives the classes of each byte. It is never written to.
//
//nolint:gochecknoglobals // a table, computed once from the ones that people read
var byteClass = classify()

func classify() (t [256]uint16) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		}
		for _, set := range [...]struct {
			bytes string
			class uint16
		}{
			{"abcdefABCDEF", hex},
			{"-_", dash},
			{"+/=", base64Extra},
			{".", dot},
			{"~", tilde},
			{" \t", blank},
			{"\"'`", quoteByte},
			{":=.-[\\%>@", markByte},
			{"\\\xC2\xCD\xE1\xE2\xEF", lead},
		} {
			if strings.IndexByte(set.bytes, byte(c)) >= 0 {
				t[c] |= set.class
			}
		}
	}
	return t
}

// isByte reports whether the byte at i exists and is of one of the classes.
func isByte(s string, i int, set uint16) bool {
	return uint(i) < uint(len(s)) && byteClass[s[i]]&set != 0
}

// glued reports whether a word goes on at i. A piece that was taken out
// counts as a word: it was one.
func glued(s string, i int) bool {
	return isByte(s, i, alnum) || i < len(s) && strings.HasPrefix(s[i:], Placeholder)
}

// runEnd returns the end of the run of bytes of the classes that starts at
// i.
func runEnd(s string, i int, set uint16) int {
	for isByte(s, i, set) {
		i++
	}
	return i
}

// fold reports whether s has, at i, the lower-case ASCII word w in any
// case.
func fold(s string, i int, w string) bool {
	return i >= 0 && len(s)-i >= len(w) && strings.EqualFold(s[i:i+len(w)], w)
}

// escapeEnd returns the length of the escape at i, if there is one after
// which a new word starts: \n, \r, \t, \b, \f, \u and four digits, % and two.
// The ñ of "contrase\u00f1a" and "contrase%C3%B1a" is a letter, not an end.
func escapeEnd(s string, i int) int {
	if s[i] == '%' {
		if runEnd(s[:min(len(s), i+3)], i+1, digit|hex) != i+3 ||
			fold(s, i, "%c3%b1") || fold(s, i, "%b1") {
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
		if j := runEnd(s, i+2, digit|hex); j >= i+6 && !fold(s, i+2, "00f1") && !fold(s, i+2, "00d1") {
			return 6
		}
	}
	return 0
}

// newline returns the length of the line break at i, 0 if there is none.
// A break that is written out (\n in a JSON string) is one too.
func newline(s string, i int) int {
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

// breakEnd returns where the next line begins if the line ends at i, blanks
// aside, and i if it does not, or if an empty line or nothing follows: nothing
// goes on across a paragraph.
func breakEnd(s string, i int) int {
	j := runEnd(s, i, blank)
	w := newline(s, j)
	if w == 0 {
		return i
	}
	j = runEnd(s, j+w, blank)
	if j == len(s) || newline(s, j) > 0 {
		return i
	}
	return j
}

// wrapped returns the end of a secret that ends at i on its line: i
// itself, or further if the next line begins with what can only be the rest of
// it, a long run of the classes that looks random.
func wrapped(s string, i int, set uint16) int {
	for {
		from := breakEnd(s, i)
		if from == i {
			return i
		}
		to := runEnd(s, from, set)
		for to > from && s[to-1] == '.' {
			to--
		}
		inWord := glued(s, to) || isByte(s, to, dot) && glued(s, to+1) || to < len(s) && s[to] == '@'
		if inWord || to-from < 16 || !looksRandom(s[from:to]) {
			return i
		}
		i = to
	}
}

// mixed reports whether s begins, in its first 64 bytes, with letters
// and digits.
func mixed(s string) bool {
	var seen uint16
	for i := range min(len(s), 64) {
		seen |= byteClass[s[i]]
	}
	return seen&digit != 0 && seen&letter != 0
}

// looksRandom reports whether s, judged by its first 64 bytes, is no word of a
// language: it has letters and digits, or a capital after a small letter.
func looksRandom(s string) bool {
	for i := 1; i < min(len(s), 64); i++ {
		if isByte(s, i-1, lower) && isByte(s, i, upper) {
			return true
		}
	}
	return mixed(s)
}
