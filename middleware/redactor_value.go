package middleware

import (
	"cmp"
	"strings"
)

// redactStates are what a message says of a credential, up to the last vowel:
// "Clave: vencida". They are no credentials.
const redactStates = " activ actualizad bloquead cambiad correct enviad equivocad errad expirad inactiv incorrect " +
	"invalid inválid ningun obligatori olvidad opcional pendient requerid temporal válid vencid vací " +
	"empty expired fals hidden incorrect invalid missing nil non null optional redacted required revoked tru undefined " +
	"unknown valid wrong sí no "

// redactSchemes are the schemes of an Authorization header (the IANA registry,
// and what servers made up).
var redactSchemes = [...]string{"basic", "bearer", "token", "apikey", "negotiate", "ntlm", "dpop", "digest", "hawk", "aws4-hmac-sha256"}

// value returns the value that begins at i, behind the separator; hi is 0 if
// there is nothing to hide. Only a bare value behind a colon can turn out to be
// language.
func (r *redactScanner) value(i int, sep byte, name redactKeyName) (lo, hi int) {
	s := r.s
	prose := sep == ':'
	lo = i
	for _, half := range [...]string{"=", ">", `\u003e`} { // ":=", "==", "=>"
		if sep != '>' && strings.HasPrefix(s[lo:], half) {
			lo, prose = lo+len(half), false
			break
		}
	}
	lo = redactRun(s, lo, redactSpace)
	for prose && lo < len(s) && s[lo] == '*' { // **Clave:** x
		lo = redactRun(s, lo+1, redactSpace)
	}
	broken := redactNewline(s, lo) > 0
	if broken {
		from := lo
		if lo = redactBreak(s, from); lo == from {
			return 0, 0
		}
	}
	if name.word == "authorization" {
		if end := redactValueEnd(s, lo); redactOneOf(s[lo:end], redactSchemes[:]) {
			lo, prose = redactBreak(s, redactRun(s, end, redactSpace)), false
		}
	}
	if from, to, ok := redactQuoted(s, lo, sep); ok {
		if redactHarmless(s[from:to]) {
			return 0, 0
		}
		return from, to
	}
	hi = redactValueEnd(s, lo)
	if (name.word == "authorization" || name.word == "cookie") && redactHasPairs(s, lo, hi) {
		hi = redactLineEnd(s, lo) // Digest, AWS4-HMAC-SHA256, several cookies
		if at := strings.Index(s[lo:hi], redactPlaceholder); at >= 0 {
			hi = lo + at
		}
	}
	switch {
	case redactHarmless(s[lo:hi]),
		sep == ':' && strings.IndexByte("([{<", s[lo]) >= 0,
		broken && (hi-lo < 4 || !redactMixed(s[lo:hi])),
		prose && redactSaysNothing(s, lo, hi):
		return 0, 0
	}
	return lo, redactWrapped(s, hi, redactAny64|redactDot|redactTilde)
}

// redactQuoted returns where a quoted value that opens at i begins and ends; ok
// is false for a bare value. The text of an element counts as quoted.
func redactQuoted(s string, i int, sep byte) (from, to int, ok bool) {
	if i == len(s) {
		return i, i, false
	}
	if sep == '>' {
		to = redactClosing(s, i, "<")
		if end := redactValueEnd(s, i); redactFold(s, end, `\u003c`) { // in a JSON string
			to = end
		}
		return i, to, true
	}
	if s[i] == '{' && sep == '=' { // ODBC
		return i + 1, redactClosing(s, i+1, "}"), true
	}
	quote := i
	for quote < len(s) && s[quote] == '\\' { // of a string in a string
		quote++
	}
	if !redactIs(s, quote, redactQuote) {
		return i, i, false
	}
	return quote + 1, redactClosing(s, quote+1, s[i:quote+1]), true
}

// redactClosing returns the end of the quoted value that begins at i: before
// what closes it, on this line or the next, or else at the end of this line. In
// a string in a string a quote with fewer backslashes closes both.
func redactClosing(s string, i int, closing string) int {
	lineEnd := 0
	depth := len(closing) - 1
	for j := i; j < len(s); j++ {
		switch s[j] {
		case closing[depth]:
			return j
		case '\n':
			if lineEnd > 0 || redactBreak(s, j) == j {
				return cmp.Or(lineEnd, j)
			}
			lineEnd = j
		case '\\':
			from := j
			for j+1 < len(s) && s[j] == '\\' && (depth > 0 || j == from) {
				j++
			}
			switch {
			case depth == 0:
			case s[j] != closing[depth]:
				j = max(from, j-1)
			case j-from <= depth:
				return from
			}
		}
	}
	return cmp.Or(lineEnd, len(s))
}

// redactValueEnd returns the end of the bare value that begins at i. Since a
// password may contain anything, punctuation ends it only where something else
// begins.
func redactValueEnd(s string, i int) int {
	from := i
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r', '"', '<':
			return redactTrimEnd(s, from, i)
		case '\'', '`':
			if !redactIs(s, i+1, redactAlnum) {
				return redactTrimEnd(s, from, i)
			}
		case '\\':
			if redactEscape(s, i) > 0 || i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\'') {
				return redactTrimEnd(s, from, i)
			}
		case '[':
			if strings.HasPrefix(s[i:], redactPlaceholder) {
				return i
			}
		case '&', ';', ',':
			if strings.HasPrefix(s[i:], "&amp;") || redactPair(s, i+1) {
				return i
			}
		}
	}
	return redactTrimEnd(s, from, i)
}

// redactPair reports whether a key and "=" follow at i, or what may have been
// a key before it was taken out.
func redactPair(s string, i int) bool {
	end := redactRun(s, i, redactURL64|redactDot)
	return strings.HasPrefix(s[end:], redactPlaceholder) || end > i && end < len(s) && s[end] == '='
}

// redactHasPairs reports whether a value has "=" otherwise than as the padding
// of base64.
func redactHasPairs(s string, lo, hi int) bool {
	unpadded := strings.TrimRight(s[lo:hi], "=")
	return strings.Contains(unpadded, "=") || lo+len(unpadded) < hi && strings.HasPrefix(s[hi:], `"`)
}

// redactHarmless reports whether a value hides nothing: it is empty, masked,
// taken out already, or a literal of some language.
func redactHarmless(v string) bool {
	v = strings.TrimSpace(v)
	switch {
	case strings.HasPrefix(v, redactPlaceholder), strings.Trim(v, "*•.-_… ") == "":
		return true
	}
	return redactOneOf(v, []string{"null", "nil", "none", "true", "false", "undefined", "<nil>"})
}

// redactSaysNothing reports whether what follows a colon is language and not a
// credential: a state, a link to the place where one changes it, or the first
// word of a sentence.
func redactSaysNothing(s string, lo, hi int) bool {
	v := s[lo:hi]
	if redactFold(v, 0, "http://") || redactFold(v, 0, "https://") {
		return true
	}
	count := len(v) <= 2 && redactRun(v, 0, redactDigit) == len(v) // "clave: 8 caracteres"
	if !count && !redactPlainWord(v) {
		return false
	}
	if stem := strings.ToLower(strings.TrimRight(v, "aeosAEOS")); stem != "" && strings.Contains(redactStates, " "+stem+" ") {
		return true
	}
	if strings.HasPrefix(s[hi:], redactPlaceholder) {
		return true
	}
	next := redactRun(s, hi, redactSpace)
	if next == hi || next == len(s) || !redactGlued(s, next) && s[next] < 0x80 {
		return false
	}
	end := next
	for end < len(s) && end-next < 32 && (s[end] >= 0x80 || redactIs(s, end, redactURL64)) {
		end++
	}
	return end == len(s) || s[end] != ':' && s[end] != '='
}

// redactPlainWord reports whether v could be a word of the language: letters
// only, not too many, and capitals only in front or all over.
func redactPlainWord(v string) bool {
	var seen uint16
	for i := range len(v) {
		class := redactBytes[v[i]] & redactLetter
		if v[i] < 0x80 && class == 0 || class == redactUpper && seen&redactLower != 0 {
			return false
		}
		if class == redactLower && i > 1 && redactIs(v, 1, redactUpper) {
			return false
		}
		seen |= class
	}
	return v != "" && len(v) <= 24
}
