package voice

import (
	"strings"
	"unicode/utf8"
)

const (
	maxPhoneDigits = 15 // ITU E.164 6.1
	minPhoneDigits = 7  // of an international number, short as some islands' are
	minShortCode   = 2
	maxExtension   = 7
	maxApart       = 3 // signs between two digits, as in ") - "
)

// phoneNumber is a phone number as it is written.
type phoneNumber struct {
	international bool // began with +
	sign          byte // '*' or '#' before a service code, or zero
	buf           [maxPhoneDigits]byte
	size          int
	breaks        uint16 // bit i: a separator follows digit i
	extension     string
}

func (p *phoneNumber) digits() []byte { return p.buf[:p.size] }

// scanPhone reads a phone number at the beginning of s and returns how many
// bytes it takes, without allocating. Between digits there may be a few of the
// signs " -./", their typographic forms, and a pair of parentheses around digits;
// an extension may follow. ErrRange means that there are too few or too many
// digits.
func scanPhone(s string) (p phoneNumber, width int, err error) {
	i := len(s) - len(strings.TrimPrefix(s, "tel:"))
	open := 0
	switch {
	case strings.HasPrefix(s[i:], "(+"):
		p.international, open = true, 1
		i += len("(+")
	case strings.HasPrefix(s[i:], "+"):
		p.international = true
		i++
	case i < len(s) && (s[i] == '*' || s[i] == '#'):
		p.sign = s[i]
		i++
	}
	width = p.scanDigits(s, i, open)
	switch {
	case p.size == 0:
		return p, 0, ErrSyntax
	case p.size > maxPhoneDigits, p.size < minShortCode, p.international && p.size < minPhoneDigits:
		return p, 0, ErrRange
	}
	var more int
	p.extension, more = scanExtension(s[width:])
	return p, width + more, nil
}

// scanDigits reads digits and what separates them from s[i:] on and returns
// where the last digit ends, or the parenthesis around it; open is how many
// parentheses are. It stops counting at one digit too many.
func (p *phoneNumber) scanDigits(s string, i, open int) (end int) {
	apart := 0 // signs since the last digit
	for i < len(s) && p.size <= maxPhoneDigits {
		if p.international && strings.HasPrefix(s[i:], "(0)") {
			i += len("(0)") // the trunk prefix, not dialled from abroad
			continue
		}
		if isDigit(s[i]) {
			p.add(s[i])
			i++
			end, apart = i, 0
			continue
		}
		n := phoneSeparatorWidth(s[i:])
		switch {
		case s[i] == '(':
			open++
		case s[i] == ')':
			open--
			if end == i && open == 0 {
				end = i + n
			}
		case p.size == 0:
			n = 0
		}
		if apart++; n == 0 || open < 0 || open > 1 || apart > maxApart {
			break
		}
		if p.size > 0 {
			p.breaks |= 1 << (p.size - 1)
		}
		i += n
	}
	return end
}

// add takes one more digit; one too many is only counted.
func (p *phoneNumber) add(digit byte) {
	if p.size < maxPhoneDigits {
		p.buf[p.size] = digit
	}
	p.size++
}

// phoneSeparatorWidth returns the length of a sign between digits, zero for
// anything else.
func phoneSeparatorWidth(s string) int {
	r, width := utf8.DecodeRuneInString(s)
	switch r {
	case ' ', '-', '.', '/', '(', ')', '\u00a0', '\u202f', '‐', '‑', '–':
		return width
	default:
		return 0
	}
}

// scanExtension reads "ext. 12", "x12", ";ext=12" (RFC 3966), "anexo 12" or
// "interno 12" after a number. The width is zero when there is none.
func scanExtension(s string) (digits string, width int) {
	i := skipSpaces(s, 0)
	if i < len(s) && (s[i] == ',' || s[i] == ';') {
		i = skipSpaces(s, i+1)
	}
	rest := s[i:]
	for _, word := range [...]string{"extensión", "extension", "ext", "anexo", "interno", "int", "x"} {
		if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
			continue
		}
		j := i + len(word)
		if j < len(s) && strings.IndexByte(".:=#", s[j]) >= 0 {
			j++
		}
		if word != "x" { // "x 2" is a factor
			j = skipSpaces(s, j)
		}
		n := digitsWidth(s[j:])
		if n == 0 || n > maxExtension {
			return "", 0
		}
		return s[j : j+n], j + n
	}
	return "", 0
}
