package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letters are the names of the letters (OLE 2010, chapter I) by their place in
// the alphabet of 26; those that vary are in the profile.
var letters = [...]string{
	"a", "", "ce", "de", "e", "efe", "ge", "hache", "i", "jota", "ka", "ele", "eme",
	"ene", "o", "pe", "cu", "erre", "ese", "te", "u", "", "", "equis", "", "zeta",
}

// Spell says a text letter by letter, with the country's names: "ABC 123" is "a
// be ce, uno dos tres". It rests where the text has spaces. Accents are said ("a
// con tilde"), digits one by one, and the signs of a keyboard by name: "guion",
// "punto", "guion bajo", "arroba". Upper and lower case sound the same; where
// they matter use [Speaker.Code]. Other letters and signs stay as they are, and
// what cannot be seen is left out, so that the result may be empty.
func (s *Speaker) Spell(text string) string {
	var buf [stackText]byte
	return string(s.AppendSpell(buf[:0], text))
}

// AppendSpell appends what [Speaker.Spell] says.
func (s *Speaker) AppendSpell(dst []byte, text string) []byte {
	k := newCadence(dst)
	for text != "" {
		l, width := s.spellRune(text)
		if width > 0 {
			k = l.sayTo(k)
			text = text[width:]
			continue
		}
		r, width := utf8.DecodeRuneInString(text)
		switch {
		case unicode.IsSpace(r):
			k = k.rest()
		case r != utf8.RuneError && unicode.IsPrint(r) && !unicode.IsMark(r):
			k = k.say(text[:width])
		}
		text = text[width:]
	}
	return k.text
}

// spelled is the name of one letter, digit or sign.
type spelled struct {
	name, mark string // mark: " con tilde", " con diéresis"
	upper      bool
}

func (l spelled) sayTo(k cadence) cadence {
	k = k.say(l.name)
	k.text = append(k.text, l.mark...)
	return k
}

const (
	withAcute     = " con tilde"
	withDiaeresis = " con diéresis"
)

// spellRune names what text begins with and returns how many bytes that takes,
// accents that are written apart included; zero when it has no name.
func (s *Speaker) spellRune(text string) (l spelled, width int) {
	r, width := utf8.DecodeRuneInString(text)
	if l.upper = 'A' <= r && r <= 'Z'; l.upper {
		r += 'a' - 'A'
	}
	switch {
	case 'a' <= r && r <= 'z':
		if r == 'n' && strings.HasPrefix(text[width:], combiningTilde) {
			l.name = s.signName('ñ')
			return l, width + len(combiningTilde)
		}
		l.name = s.letterName(byte(r))
		var more int
		l.mark, more = scanMark(text[width:])
		return l, width + more
	case '0' <= r && r <= '9':
		l.name = digitName(byte(r))
		return l, width
	}
	if base, mark, upper := splitAccent(r); base != 0 {
		return spelled{s.letterName(base), mark, upper}, width
	}
	if l.name = s.signName(r); l.name == "" {
		return l, 0
	}
	l.upper = r == 'Ñ' || r == 'Ç'
	return l, width
}

func (s *Speaker) letterName(c byte) string {
	own := &s.rules().letters
	switch c {
	case 'b':
		return own.b
	case 'v':
		return own.v
	case 'w':
		return own.w
	case 'y':
		return own.y
	default:
		return letters[c-'a']
	}
}

// Accents that are written as runes of their own, after their letter.
const (
	combiningAcute     = "\u0301"
	combiningTilde     = "\u0303"
	combiningDiaeresis = "\u0308"
)

// scanMark reads the accent of a letter at the beginning of s; the width is zero
// when there is none.
func scanMark(s string) (name string, width int) {
	switch {
	case strings.HasPrefix(s, combiningAcute):
		return withAcute, len(combiningAcute)
	case strings.HasPrefix(s, combiningDiaeresis):
		return withDiaeresis, len(combiningDiaeresis)
	default:
		return "", 0
	}
}

// splitAccent takes apart the accented letters of Spanish.
func splitAccent(r rune) (base byte, mark string, upper bool) {
	const marked, plain = "áéíóúüÁÉÍÓÚÜ", "aeiouuAEIOUU"
	i := 0
	for _, m := range marked {
		if m == r {
			base, mark = plain[i]|0x20, withAcute
			if base == 'u' && (r == 'ü' || r == 'Ü') {
				mark = withDiaeresis
			}
			return base, mark, plain[i] < 'a'
		}
		i++
	}
	return 0, "", false
}

// signName names ñ, ç and the signs of a keyboard; empty for the rest.
func (s *Speaker) signName(r rune) string {
	switch {
	case r == 'ñ', r == 'Ñ':
		return "eñe"
	case r == 'ç', r == 'Ç':
		return "ce cedilla"
	case r == '‐', r == '‑', r == '–':
		return signs['-']
	case r == '€':
		return "signo euro"
	case r == '#':
		return s.rules().hash
	case r == '$' && s.rules().dollar == "USD":
		return "signo dólar"
	case r >= 0 && int(r) < len(signs):
		return signs[r]
	default:
		return ""
	}
}

// signs are the names of the ASCII signs (OLE 2010, chapter III) but for #.
var signs = [...]string{
	'!': "signo de exclamación", '"': "comillas", '$': "signo pesos", '%': "por ciento",
	'&': "ampersand", '\'': "apóstrofo", '(': "abre paréntesis", ')': "cierra paréntesis",
	'*': "asterisco", '+': "más", ',': "coma", '-': "guion", '.': "punto", '/': "barra",
	':': "dos puntos", ';': "punto y coma", '<': "menor que", '=': "igual", '>': "mayor que",
	'?': "signo de interrogación", '@': "arroba", '[': "abre corchete", '\\': "barra invertida",
	']': "cierra corchete", '^': "acento circunflejo", '_': "guion bajo", '`': "acento grave",
	'{': "abre llave", '|': "barra vertical", '}': "cierra llave", '~': "virgulilla",
}
