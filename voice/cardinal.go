package voice

const million = 1_000_000

// appendCardinal appends n in words.
func appendCardinal(dst []byte, n uint64, f Form) []byte {
	if n < million {
		return appendThousands(dst, uint32(n), f)
	}
	if n < million*million {
		dst = appendMillions(dst, uint32(n/million), 1)
		if n %= million; n == 0 {
			return dst
		}
		return appendThousands(append(dst, ' '), uint32(n), f)
	}
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
	if n >= 100 {
		if n == 100 {
			return append(dst, "cien"...) // DPD "ciento": ciento only before a smaller number
		}
		hundred := hundreds[f&Feminine][n/100]
		if n %= 100; n == 0 {
			return append(dst, hundred[:len(hundred)-1]...)
		}
		dst = append(dst, hundred...)
	}
	dst = append(dst, below100[n]...)
	if f != Masculine && n%10 == 1 && n != 11 {
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
	case n == 21:
		return append(stem[:len(stem)-len("un")], "ún"...)
	default:
		return stem
	}
}
