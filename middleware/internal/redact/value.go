package redact

import (
	"cmp"
	"strings"
)

// states are what a message says of a credential, up to the last vowel:
// "Clave: vencida". They are no credentials.
const states = " activ actualizad bloquead cambiad correct enviad equivocad errad expirad inactiv incorrect " +
	"invalid inválid ningun obligatori olvidad opcional pendient requerid temporal válid vencid vací " +
	"empty expired fals hidden incorrect invalid missing nil non null optional redacted required revoked tru undefined " +
	"unknown valid wrong sí no "

// schemes are the schemes of an Authorization header (the IANA registry,
// and what servers made up).
var schemes = [...]string{"basic", "bearer", "token", "apikey", "negotiate", "ntlm", "dpop", "digest", "hawk", "aws4-hmac-sha256"}

// value returns the value that begins at i, behind the separator; hi is 0 if
// there is nothing to hide. Only a bare value behind a colon can turn out to be
// language.
func (r *scanner) value(i int, sep byte, name keyName) (lo, hi int) {
	s := r.s
	prose := sep == ':'
	lo = i
	for _, half := range [...]string{"=", ">", `\u003e`} { // ":=", "==", "=>"
		if sep != '>' && strings.HasPrefix(s[lo:], half) {
			lo, prose = lo+len(half), false
			break
		}
	}
	lo = runEnd(s, lo, blank)
	for prose && lo < len(s) && s[lo] == '*' { // **Clave:** x
		lo = runEnd(s, lo+1, blank)
	}
	broken := newline(s, lo) > 0
	if broken {
		from := lo
		if lo = breakEnd(s, from); lo == from {
			return 0, 0
		}
	}
	if name.word == "authorization" {
		if end := valueEnd(s, lo); oneOf(s[lo:end], schemes[:]) {
			lo, prose = breakEnd(s, runEnd(s, end, blank)), false
		}
	}
	if from, to, ok := quotedValue(s, lo, sep); ok {
		if harmless(s[from:to]) {
			return 0, 0
		}
		return from, to
	}
	hi = valueEnd(s, lo)
	if (name.word == "authorization" || name.word == "cookie") && hasPairs(s, lo, hi) {
		hi = endOfLine(s, lo) // Digest, AWS4-HMAC-SHA256, several cookies
		if at := strings.Index(s[lo:hi], Placeholder); at >= 0 {
			hi = lo + at
		}
	}
	switch {
	case harmless(s[lo:hi]),
		sep == ':' && strings.IndexByte("([{<", s[lo]) >= 0,
		broken && (hi-lo < 4 || !mixed(s[lo:hi])),
		prose && saysNothing(s, lo, hi):
		return 0, 0
	}
	return lo, wrapped(s, hi, any64|dot|tilde)
}

// quotedValue returns where a quoted value that opens at i begins and ends; ok
// is false for a bare value. The text of an element counts as quoted.
func quotedValue(s string, i int, sep byte) (from, to int, ok bool) {
	if i == len(s) {
		return i, i, false
	}
	if sep == '>' {
		to = closingEnd(s, i, "<")
		if end := valueEnd(s, i); fold(s, end, `\u003c`) { // in a JSON string
			to = end
		}
		return i, to, true
	}
	if s[i] == '{' && sep == '=' { // ODBC
		return i + 1, closingEnd(s, i+1, "}"), true
	}
	quote := i
	for quote < len(s) && s[quote] == '\\' { // of a string in a string
		quote++
	}
	if !isByte(s, quote, quoteByte) {
		return i, i, false
	}
	return quote + 1, closingEnd(s, quote+1, s[i:quote+1]), true
}

// closingEnd returns the end of the quoted value that begins at i: before
// what closes it, on this line or the next, or else at the end of this line. In
// a string in a string a quote with fewer backslashes closes both.
func closingEnd(s string, i int, closing string) int {
	lineEnd := 0
	depth := len(closing) - 1
	for j := i; j < len(s); j++ {
		switch s[j] {
		case closing[depth]:
			return j
		case '\n':
			if lineEnd > 0 || breakEnd(s, j) == j {
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

// valueEnd returns the end of the bare value that begins at i. Since a
// password may contain anything, punctuation ends it only where something else
// begins.
func valueEnd(s string, i int) int {
	from := i
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r', '"', '<':
			return trimEnd(s, from, i)
		case '\'', '`':
			if !isByte(s, i+1, alnum) {
				return trimEnd(s, from, i)
			}
		case '\\':
			if escapeEnd(s, i) > 0 || i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\'') {
				return trimEnd(s, from, i)
			}
		case '[':
			if strings.HasPrefix(s[i:], Placeholder) {
				return i
			}
		case '&', ';', ',':
			if strings.HasPrefix(s[i:], "&amp;") || pair(s, i+1) {
				return i
			}
		}
	}
	return trimEnd(s, from, i)
}

// pair reports whether a key and "=" follow at i, or what may have been
// a key before it was taken out.
func pair(s string, i int) bool {
	end := runEnd(s, i, url64|dot)
	return strings.HasPrefix(s[end:], Placeholder) || end > i && end < len(s) && s[end] == '='
}

// hasPairs reports whether a value has "=" otherwise than as the padding
// of base64.
func hasPairs(s string, lo, hi int) bool {
	unpadded := strings.TrimRight(s[lo:hi], "=")
	return strings.Contains(unpadded, "=") || lo+len(unpadded) < hi && strings.HasPrefix(s[hi:], `"`)
}

// harmless reports whether a value hides nothing: it is empty, masked,
// taken out already, or a literal of some language.
func harmless(v string) bool {
	v = strings.TrimSpace(v)
	switch {
	case strings.HasPrefix(v, Placeholder), strings.Trim(v, "*•.-_… ") == "":
		return true
	}
	return oneOf(v, []string{"null", "nil", "none", "true", "false", "undefined", "<nil>"})
}

// saysNothing reports whether what follows a colon is language and not a
// credential: a state, a link to the place where one changes it, or the first
// word of a sentence.
func saysNothing(s string, lo, hi int) bool {
	v := s[lo:hi]
	if fold(v, 0, "http://") || fold(v, 0, "https://") {
		return true
	}
	count := len(v) <= 2 && runEnd(v, 0, digit) == len(v) // "clave: 8 caracteres"
	if !count && !plainWord(v) {
		return false
	}
	if stem := strings.ToLower(strings.TrimRight(v, "aeosAEOS")); stem != "" && strings.Contains(states, " "+stem+" ") {
		return true
	}
	if strings.HasPrefix(s[hi:], Placeholder) {
		return true
	}
	next := runEnd(s, hi, blank)
	if next == hi || next == len(s) || !glued(s, next) && s[next] < 0x80 {
		return false
	}
	end := next
	for end < len(s) && end-next < 32 && (s[end] >= 0x80 || isByte(s, end, url64)) {
		end++
	}
	return end == len(s) || s[end] != ':' && s[end] != '='
}

// plainWord reports whether v could be a word of the language: letters
// only, not too many, and capitals only in front or all over.
func plainWord(v string) bool {
	var seen uint16
	for i := range len(v) {
		class := byteClass[v[i]] & letter
		if v[i] < 0x80 && class == 0 || class == upper && seen&lower != 0 {
			return false
		}
		if class == lower && i > 1 && isByte(v, 1, upper) {
			return false
		}
		seen |= class
	}
	return v != "" && len(v) <= 24
}
