package voice

const million = 1_000_000

// appendCardinal appends n in words.
func appendCardinal(dst []byte, n uint64, f Form) []byte {
	switch {
	case n < million:
		return appendThousands(dst, uint32(n), f)
	case n < million*million:
		dst = appendMillions(dst, uint32(n/million), 1)
		rest := uint32(n % million)
		if rest == 0 {
			return dst
		}
		return appendThousands(append(dst, ' '), rest, f)
	}
	return appendBillions(dst, n, f)
}

// appendBillions appends n from a billón on.
func appendBillions(dst []byte, n uint64, f Form) []byte {
	var groups [4]uint32
	size := 0
	for ; n > 0; n /= million {
		groups[size] = uint32(n % million)
		size++
	}
	return appendGroups(dst, groups[:size], f)
}

// appendGroups appends a number given in groups of six digits, least first.
func appendGroups(dst []byte, groups []uint32, f Form) []byte {
	start := len(dst)
	for power := len(groups) - 1; power > 0; power-- {
		if n := groups[power]; n > 0 {
			dst = appendMillions(appendSpace(dst, start), n, power)
		}
	}
	if groups[0] == 0 && len(dst) > start {
		return dst
	}
	return appendThousands(appendSpace(dst, start), groups[0], f)
}

// appendMillions appends n times a power of a million. The multiplier is
// masculine and shortened whatever the gender of the whole (NGLE 21.3b:
// doscientos millones doscientas mil casas).
func appendMillions(dst []byte, n uint32, power int) []byte {
	if n == 1 {
		return append(append(dst, "un "...), millions[power].one...)
	}
	dst = appendThousands(dst, n, BeforeNoun)
	return append(append(dst, ' '), millions[power].many...)
}

// appendSpace separates words after start.
func appendSpace(dst []byte, start int) []byte {
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	return dst
}

// appendThousands appends n below a million: "mil", never "un mil" (DPD "mil").
// Before mil the hundreds agree with the noun and uno is shortened:
// doscientas veintiún mil personas (RAE, "veintiún mil" or "veintiuna mil
// personas": both are correct).
func appendThousands(dst []byte, n uint32, f Form) []byte {
	if n < 1000 {
		return appendHundreds(dst, n, f)
	}
	if n >= 2000 {
		dst = appendHundreds(dst, n/1000, f|BeforeNoun|beforeTonic)
		dst = append(dst, ' ')
	}
	dst = append(dst, "mil"...)
	if n %= 1000; n == 0 {
		return dst
	}
	return appendHundreds(append(dst, ' '), n, f)
}

// appendHundreds appends n below a thousand.
func appendHundreds(dst []byte, n uint32, f Form) []byte {
	start := len(dst)
	dst = append(dst, below1000[n]...)
	if f == Masculine {
		return dst
	}
	if f&Feminine != 0 && n >= 200 {
		hundred := below1000[n-n%100]
		dst[start+len(hundred)-len("os")] = 'a' // doscientas veintiuna
	}
	if n%10 == 1 && n%100 != 11 {
		return inflectOne(dst, n, f)
	}
	return dst
}

// inflectOne gives the uno at the end of dst, which is that of n, the form f.
func inflectOne(dst []byte, n uint32, f Form) []byte {
	stem := dst[:len(dst)-1]
	switch {
	case f&Feminine != 0 && f&(BeforeNoun|beforeTonic) != BeforeNoun|beforeTonic:
		return append(stem, 'a')
	case f&BeforeNoun == 0:
		return dst
	case n%100 == 21:
		return append(stem[:len(stem)-len("un")], "ún"...)
	default:
		return stem
	}
}
