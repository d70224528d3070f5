package voice

// Rounding says what becomes of digits that are not spoken.
type Rounding uint8

const (
	// Unrounded drops nothing: an amount with more decimals than its currency has
	// is read as a decimal number. It is the default.
	Unrounded Rounding = iota
	// HalfEven rounds to the nearest, ties to the even neighbour: the default
	// of IEEE 754 and of CLDR's number formats.
	HalfEven
	// HalfUp rounds to the nearest, ties away from zero: the practice of
	// commerce and of tax authorities.
	HalfUp
)

// Round rounds amounts to the decimals of their currency. Quantities and plain
// numbers keep theirs.
func Round(mode Rounding) Option {
	return func(s *Speaker) { s.rounding, s.wholeUnits = mode, false }
}

// WholeUnits rounds amounts and quantities to whole units: "89900.40" COP is
// "ochenta y nueve mil novecientos pesos". It replaces [Round].
func WholeUnits(mode Rounding) Option {
	return func(s *Speaker) { s.rounding, s.wholeUnits = mode, true }
}

// round rounds d as the options say, to the given decimals or to none. It fails
// when that makes a number too large to be said.
func (s *Speaker) round(kind string, d *decimal, places int) error {
	if s.wholeUnits {
		places = 0
	}
	d.round(places, s.rounding)
	if d.whole > maxDigits {
		return parseError(kind, string(d.appendText(nil)), ErrRange)
	}
	return nil
}

// round leaves at most the given decimals.
func (d *decimal) round(places int, mode Rounding) {
	if mode == Unrounded || d.frac <= places {
		return
	}
	up := d.roundsUp(d.whole+places, mode)
	d.frac = places
	if up {
		d.increment()
	}
	d.negative = d.negative && !d.isZero()
}

// roundsUp reports whether dropping the digits from cut on moves the size up.
func (d *decimal) roundsUp(cut int, mode Rounding) bool {
	dropped := d.digits[cut : d.whole+d.frac]
	if dropped[0] != 5 {
		return dropped[0] > 5
	}
	for _, digit := range dropped[1:] {
		if digit != 0 {
			return true
		}
	}
	return mode == HalfUp || cut > 0 && d.digits[cut-1]%2 == 1
}

// increment adds one to the last digit. The whole part may grow to one digit
// more than maxDigits, which is for the caller to refuse.
func (d *decimal) increment() {
	used := d.whole + d.frac
	for i := used - 1; i >= 0; i-- {
		if d.digits[i] < 9 {
			d.digits[i]++
			return
		}
		d.digits[i] = 0
	}
	copy(d.digits[1:used+1], d.digits[:used])
	d.digits[0] = 1
	d.whole++
}
