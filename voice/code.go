package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code says a verification code or a booking reference: digits and letters one
// by one with pauses where a hand would make them: "482193" is "cuatro ocho dos,
// uno nueve tres", "A7K9" "a siete ka nueve". Spaces and hyphens are pauses too,
// and not said. Where capitals and small letters mix, case counts and capitals
// are said: "aB3" is "a be mayúscula tres".
//
// ErrSyntax: empty, or a character that has no name. The error does not hold the
// code.
func (s *Speaker) Code(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendCode(buf[:0], text))
}

// AppendCode appends what [Speaker.Code] says. On error dst is returned as it
// was.
func (s *Speaker) AppendCode(dst []byte, text string) ([]byte, error) {
	k := newCadence(dst)
	loud := isMixedCase(text)
	for rest := text; rest != ""; {
		run := runOfCode(rest)
		var ok bool
		if k, ok = s.sayCodeRun(k, rest[:run], loud); !ok {
			return dst, parseError("code", hiddenInput, ErrSyntax)
		}
		k = k.rest()
		rest = rest[min(run+1, len(rest)):]
	}
	if len(k.text) == k.start {
		return dst, parseError("code", hiddenInput, ErrSyntax)
	}
	return k.text, nil
}

// runOfCode returns where the first space or hyphen is, or the length.
func runOfCode(text string) int {
	if i := strings.IndexAny(text, " -"); i >= 0 {
		return i
	}
	return len(text)
}

// sayCodeRun says a run without separators, and reports whether everything in
// it has a name. Loud says which letters are capitals.
func (s *Speaker) sayCodeRun(k cadence, run string, loud bool) (cadence, bool) {
	sizes := codeGroups(utf8.RuneCountInString(run))
	for said := 1; run != ""; said++ {
		l, width := s.spellRune(run)
		if width == 0 {
			return k, false
		}
		run = run[width:]
		k = l.sayTo(k)
		if l.upper && loud {
			k = k.say("mayúscula")
		}
		if said == int(sizes[0]-'0') {
			k = k.rest()
			said = 0
			sizes = sizes[min(1, len(sizes)-1):]
		}
	}
	return k, true
}

func isMixedCase(text string) bool {
	return strings.ContainsFunc(text, unicode.IsUpper) && strings.ContainsFunc(text, unicode.IsLower)
}

// codeGroups returns the sizes of the groups of a code: threes, with a four
// where a three would leave one alone.
func codeGroups(length int) string {
	switch {
	case length <= 4:
		return "4"
	case length == 5:
		return "32"
	case length == 8:
		return "4"
	case length%3 == 1:
		return "43"
	default:
		return "3"
	}
}
