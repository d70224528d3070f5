package middleware

import "strings"

// redactStates are what a message says of a credential, up to the last vowel:
// "Clave: vencida". They are no credentials.
const redactStates = " activ actualizad bloquead cambiad correct enviad equivocad errad expirad inactiv incorrect " +
	"invalid inválid ningun obligatori olvidad opcional pendient requerid temporal válid vencid vací " +
	"empty expired fals hidden incorrect invalid missing nil non null optional redacted required revoked tru undefined " +
	"unknown valid wrong sí no "

// redactSchemes are the schemes of an Authorization header whose credential is
// one token (the IANA registry, and what servers made up).
var redactSchemes = [...]string{"basic", "bearer", "token", "apikey", "negotiate", "ntlm", "dpop"}

// value returns the value behind the separator at i; hi is 0 if there is
// nothing to hide.
func (r *redactScanner) value(i, w int, name redactKeyName, form redactForm) (lo, hi int) {
	s := r.s
	lo = i + w
	if lo < len(s) && s[i] != '>' && (s[lo] == '=' || s[lo] == '>') { // ":=", "==", "=>"
		lo++
		form = redactData
	}
	lo = redactRun(s, lo, redactSpace)
	for lo < len(s) && s[lo] == '*' && form == redactProse { // **Clave:** x
		lo = redactRun(s, lo+1, redactSpace)
	}
	broken := lo < len(s) && redactNewline(s, lo) > 0
	if broken {
		from := lo
		if lo = redactBreak(s, from); lo == from {
			return 0, 0
		}
	}
	if lo == len(s) {
		return 0, 0
	}
	if from, closing := redactOpening(s, lo, s[i]); closing != "" {
		hi = redactClosing(s, from, closing)
		if redactHarmless(s[from:hi]) {
			return 0, 0
		}
		return from, hi
	}
	hi = redactValueEnd(s, lo)
	if name.word == "authorization" && redactOneOf(s[lo:hi], redactSchemes[:]) {
		lo = redactBreak(s, redactRun(s, hi, redactSpace))
		hi = redactValueEnd(s, lo)
		form = redactData
	}
	if (name.word == "authorization" || name.word == "cookie") && strings.Contains(s[lo:hi], "=") {
		hi = redactLineEnd(s, lo) // Digest, AWS4-HMAC-SHA256, several cookies
	}
	switch {
	case redactHarmless(s[lo:hi]), strings.IndexByte("([{<", s[lo]) >= 0 && s[i] == ':':
		return 0, 0
	case broken && (hi-lo < 4 || !redactMixed(s[lo:hi])):
		return 0, 0
	case form == redactProse && redactSaysNothing(s, lo, hi):
		return 0, 0
	}
	return lo, redactWrapped(s, hi, redactAny64)
}

// redactOpening returns where a quoted value that opens at i begins and what
// closes it; closing is "" for a bare value.
func redactOpening(s string, i int, sep byte) (from int, closing string) {
	switch {
	case sep == '>':
		return i, "<"
	case s[i] == '{' && sep == '=':
		return i + 1, "}" // ODBC
	case s[i] == '"', s[i] == '\'', s[i] == '`':
		return i + 1, s[i : i+1]
	case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\''):
		return i + 2, s[i : i+2]
	}
	return i, ""
}

// redactClosing returns the end of the quoted value that begins at i: before
// what closes it, on this line or the next, or else at the end of this line.
func redactClosing(s string, i int, closing string) int {
	lineEnd := 0
	for j := i; j < len(s); j++ {
		switch {
		case strings.HasPrefix(s[j:], closing), s[j] == '"' && len(closing) == 2:
			return j
		case s[j] == '\n':
			if lineEnd > 0 || redactBreak(s, j) == j {
				return redactFirst(lineEnd, j)
			}
			lineEnd = j
		case s[j] == '\\' && len(closing) == 1:
			j++
		case s[j] == '\\' && strings.HasPrefix(s[j:], `\\`): // an escape inside of the inner string
			j += 2
		}
	}
	return redactFirst(lineEnd, len(s))
}

// redactFirst returns a, or b if a is 0.
func redactFirst(a, b int) int {
	if a > 0 {
		return a
	}
	return b
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

// redactPair reports whether a key and "=" follow at i.
func redactPair(s string, i int) bool {
	end := redactRun(s, i, redactURL64|redactDot)
	return end > i && end < len(s) && s[end] == '='
}

// redactHarmless reports whether a value hides nothing: it is empty, masked,
// taken out already, or a literal of some language.
func redactHarmless(v string) bool {
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
// only, not too many, and no capital after a small one.
func redactPlainWord(v string) bool {
	var lower bool
	for i := range len(v) {
		class := redactBytes[v[i]]
		switch {
		case v[i] < 0x80 && class&redactLetter == 0, class&redactUpper != 0 && lower:
			return false
		case class&redactLower != 0:
			lower = true
		}
	}
	return v != "" && len(v) <= 24
}
