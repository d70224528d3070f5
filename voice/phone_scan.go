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
// bytes it takes, without allocating. Digits may be separated by single signs
// of " -./()", no-break spaces and the like; an extension may follow. ErrRange
// means that there are too few or too many digits.
func scanPhone(s string) (p phoneNumber, width int, err error) {
	i := len(s) - len(strings.TrimPrefix(s, "tel:"))
	if i < len(s) && strings.IndexByte("+*#", s[i]) >= 0 {
		p.international = s[i] == '+'
		if !p.international {
			p.sign = s[i]
		}
		i++
	}
	for i < len(s) {
		if p.international && strings.HasPrefix(s[i:], "(0)") {
			i += len("(0)") // the trunk prefix, not dialled from abroad
			continue
		}
		if isDigit(s[i]) {
			if p.size == maxPhoneDigits {
				return p, 0, ErrRange
			}
			p.buf[p.size] = s[i]
			p.size++
			i++
			width = i
			continue
		}
		n := phoneSeparatorWidth(s[i:])
		if n == 0 {
			break
		}
		if p.size > 0 {
			p.breaks |= 1 << (p.size - 1)
		}
		i += n
	}
	if p.size == 0 {
		return p, 0, ErrSyntax
	}
	if p.international && p.size < minPhoneDigits || p.size < minShortCode {
		return p, 0, ErrRange
	}
	if strings.HasPrefix(s[width:], ")") {
		width++
	}
	n := 0
	p.extension, n = scanExtension(s[width:])
	return p, width + n, nil
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
		j = skipSpaces(s, j)
		n := digitsWidth(s[j:])
		if n == 0 || n > maxExtension {
			return "", 0
		}
		return s[j : j+n], j + n
	}
	return "", 0
}
