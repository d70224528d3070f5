package voice

// Code says a verification code, a booking reference, a password: digits and
// letters one by one with pauses where a hand would make them: "482193" is
// "cuatro ocho dos, uno nueve tres", "A7K9" "a siete ka nueve". Spaces and
// hyphens in the text are pauses instead. Where capitals and small letters mix,
// case counts and capitals are said: "aB3" is "a be mayúscula tres".
//
// ErrSyntax: empty, or a character without a name ([Speaker.Spell] lists
// those).
func (s *Speaker) Code(text string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendCode(buf[:0], text))
}

// AppendCode appends what [Speaker.Code] says. On error dst is returned as it
// was.
func (s *Speaker) AppendCode(dst []byte, text string) ([]byte, error) {
	shape := shapeOf(text)
	sizes := codeGroups(shape.length)
	if shape.separated {
		sizes = "9"
	}
	k := newCadence(dst)
	said := 0
	for text != "" {
		if text[0] == ' ' || text[0] == '-' {
			k.rest()
			text = text[1:]
			continue
		}
		l, width := s.spellRune(text)
		if width == 0 {
			return dst, parseError("code", hiddenInput, ErrSyntax)
		}
		text = text[width:]
		l.sayTo(&k)
		if l.upper && shape.mixedCase {
			k.say("mayúscula")
		}
		if said++; !shape.separated && said == int(sizes[0]-'0') {
			k.rest()
			said = 0
			sizes = sizes[min(1, len(sizes)-1):]
		}
	}
	if len(k.text) == k.start {
		return dst, parseError("code", hiddenInput, ErrSyntax)
	}
	return k.text, nil
}

// codeShape is what decides how a code is paced.
type codeShape struct {
	length               int
	separated, mixedCase bool
}

func shapeOf(code string) codeShape {
	var shape codeShape
	upper, lower := false, false
	for i := range len(code) {
		switch c := code[i]; {
		case c == ' ' || c == '-':
			shape.separated = true
			continue
		case 'A' <= c && c <= 'Z':
			upper = true
		case 'a' <= c && c <= 'z':
			lower = true
		}
		shape.length++
	}
	shape.mixedCase = upper && lower
	return shape
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
