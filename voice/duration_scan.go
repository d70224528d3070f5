package voice

import "strings"

// isoDuration is a duration of ISO 8601 as it is written.
type isoDuration struct {
	negative bool
	parts    [7]durationPart
	size     int
}

// durationPart is one number with its unit; frac are the digits after the mark.
type durationPart struct {
	whole, frac string
	unit        timeUnit
}

// SayDuration says an ISO 8601 duration with the units that it is written with:
// "PT60S" is "sesenta segundos" and "PT1H" "una hora". Parts that are zero are
// left out unless all are. The last part may have decimals, after a point or a
// comma: "PT1.5H" is "una hora y media", "P1.25Y" "uno coma veinticinco años".
// A minus sign before the P is accepted as in ISO 8601-2.
//
// Units out of order, repeated or absent are ErrSyntax, more than 36 digits
// ErrRange.
func (s *Speaker) SayDuration(iso string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayDuration(buf[:0], iso))
}

// AppendSayDuration appends what [Speaker.SayDuration] says. On error dst is
// returned as it was.
func (s *Speaker) AppendSayDuration(dst []byte, iso string) ([]byte, error) {
	d, width, err := scanDuration(iso)
	if err == nil && width != len(iso) {
		err = ErrSyntax
	}
	if err != nil {
		return dst, parseError("duration", iso, err)
	}
	return s.appendISODuration(dst, &d), nil
}

// scanDuration reads a duration at the beginning of s and returns how many
// bytes it takes, without allocating.
func scanDuration(s string) (d isoDuration, width int, err error) {
	rest := s
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		d.negative = rest[0] == '-'
		rest = rest[1:]
	}
	if rest == "" || rest[0] != 'P' {
		return d, 0, ErrSyntax
	}
	if rest, err = d.scanParts(rest[1:], "YMWD", years); err != nil {
		return d, 0, err
	}
	if rest != "" && rest[0] == 'T' {
		before := d.size
		if rest, err = d.scanParts(rest[1:], "HMS", hours); err == nil && d.size == before {
			err = ErrSyntax
		}
		if err != nil {
			return d, 0, err
		}
	}
	if d.size == 0 {
		return d, 0, ErrSyntax
	}
	return d, len(s) - len(rest), nil
}

// scanParts reads parts with the given letters, which stand for the units from
// first on, and returns what is left of s.
func (d *isoDuration) scanParts(s, letters string, first timeUnit) (string, error) {
	for startsWithDigit(s) {
		if d.size > 0 && d.parts[d.size-1].frac != "" {
			return s, ErrSyntax // only the last part may have decimals
		}
		n := digitsWidth(s)
		part := durationPart{whole: s[:n]}
		if f := fractionWidth(s[n:]); f > 0 {
			part.frac = s[n+1 : n+f]
			n += f
		}
		if n == len(s) {
			return s, ErrSyntax
		}
		i := strings.IndexByte(letters, s[n])
		if i < 0 {
			return s, ErrSyntax
		}
		if len(part.whole) > maxDigits || len(part.frac) > maxDigits {
			return s, ErrRange
		}
		part.unit = first + timeUnit(i)
		letters, first = letters[i+1:], part.unit+1
		d.parts[d.size] = part
		d.size++
		s = s[n+1:]
	}
	return s, nil
}

// digitsWidth returns how many digits s begins with.
func digitsWidth(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func (s *Speaker) appendISODuration(dst []byte, d *isoDuration) []byte {
	left := 0
	for _, part := range d.parts[:d.size] {
		if !part.isZero() {
			left++
		}
	}
	if left == 0 {
		return s.AppendCount(dst, 0, timeNouns[d.parts[d.size-1].unit])
	}
	if d.negative {
		dst = append(dst, "menos "...)
	}
	single := left == 1
	for _, part := range d.parts[:d.size] {
		if part.isZero() {
			continue
		}
		if single && part.isHalf() {
			return s.appendHalf(dst, part)
		}
		n := part.value()
		dst = s.appendQuantity(dst, &n, &timeNouns[part.unit])
		left--
		dst = appendListMark(dst, left)
	}
	return dst
}

// value returns the number, without zeros at the end of its decimals.
func (p durationPart) value() decimal {
	var n decimal
	n.addWhole(p.whole)
	n.addFrac(p.frac)
	n.trim()
	return n
}

func (p durationPart) isZero() bool {
	return strings.Trim(p.whole, "0") == "" && strings.Trim(p.frac, "0") == ""
}

func (p durationPart) isHalf() bool { return strings.TrimRight(p.frac, "0") == "5" }

// appendHalf appends a number and a half: "media hora", "un mes y medio". Half a
// day is "doce horas": "medio día" sounds like noon.
func (s *Speaker) appendHalf(dst []byte, p durationPart) []byte {
	noun := &timeNouns[p.unit]
	half := "medio"
	if noun.Feminine {
		half = "media"
	}
	p.frac = ""
	if !p.isZero() {
		n := p.value()
		return append(append(s.appendQuantity(dst, &n, noun), " y "...), half...)
	}
	if p.unit == days {
		return s.AppendCount(dst, 12, timeNouns[hours])
	}
	return append(append(append(dst, half...), ' '), noun.Singular...)
}
