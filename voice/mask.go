package voice

import "unicode/utf8"

// Masked says only the end of a number that must not be heard whole:
// "terminada en cuatro ocho dos uno", for a card, an account, a line. Pass
// Masculine for a number: "terminado en". Show is how many characters are said;
// separators and the signs that mask the rest ("**** 4821") do not count.
//
// ErrRange: show is below one, or nothing would stay hidden. ErrSyntax: what is
// to be said is not all letters and digits.
func (s *Speaker) Masked(text string, show int, form ...Form) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendMasked(buf[:0], text, show, form...))
}

// AppendMasked appends what [Speaker.Masked] says. On error dst is returned as
// it was, and the error does not hold the text.
func (s *Speaker) AppendMasked(dst []byte, text string, show int, form ...Form) ([]byte, error) {
	from, shown := len(text), 0
	for from > 0 && shown < show {
		r, width := utf8.DecodeLastRuneInString(text[:from])
		from -= width
		if !isMaskSeparator(r) {
			shown++
		}
	}
	if show < 1 || !hasCharacter(text[:from]) {
		return dst, parseError("masked number", hiddenInput, ErrRange)
	}
	k := newCadence(dst)
	if len(form) > 0 && foldForms(form)&Feminine == 0 {
		k = k.say("terminado en")
	} else {
		k = k.say("terminada en")
	}
	for rest := text[from:]; rest != ""; {
		r, width := utf8.DecodeRuneInString(rest)
		l, named := s.spellRune(rest)
		switch {
		case isMaskSeparator(r):
			k = k.rest()
		case named == 0 || !isLetterOrDigit(r):
			return dst, parseError("masked number", hiddenInput, ErrSyntax)
		default:
			width = named
			k = l.sayTo(k)
		}
		rest = rest[width:]
	}
	return k.text, nil
}

// hiddenInput stands in an error for a text that no log may hold.
const hiddenInput = "(hidden)"

func isMaskSeparator(r rune) bool { return r < utf8.RuneSelf && isSeparator(byte(r)) }

func isLetterOrDigit(r rune) bool {
	return r < utf8.RuneSelf && (isDigit(byte(r)) || 'a' <= r|0x20 && r|0x20 <= 'z')
}

// hasCharacter reports whether something other than separators is in text.
func hasCharacter(text string) bool {
	for _, r := range text {
		if !isMaskSeparator(r) {
			return true
		}
	}
	return false
}
