package voice

const million = 1_000_000

// appendCardinal appends n in words.
func appendCardinal(dst []byte, n uint64, f Form) []byte {
	if n < million {
		return appendThousands(dst, uint32(n), f)
	}
	var groups [4]uint32
	size := 0
	for ; n > 0; n /= million {
		groups[size] = uint32(n % million)
		size++
	}
	return appendGroups(dst, groups[:size], f)
}

// appendGroups appends a number given in groups of six digits, least first. The
// multipliers of millón are masculine and shortened whatever the gender of the
// whole (NGLE 21.3b: doscientos millones doscientas mil casas).
func appendGroups(dst []byte, groups []uint32, f Form) []byte {
	start := len(dst)
	for power := len(groups) - 1; power > 0; power-- {
		n := groups[power]
		if n == 0 {
			continue
		}
		dst = appendSpace(dst, start)
		if n == 1 {
			dst = append(dst, "un "...)
			dst = append(dst, millions[power].one...)
			continue
		}
		dst = appendThousands(dst, n, BeforeNoun)
		dst = append(dst, ' ')
		dst = append(dst, millions[power].many...)
	}
	if groups[0] == 0 && len(dst) > start {
		return dst
	}
	return appendThousands(appendSpace(dst, start), groups[0], f)
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
		dst = append(dst, hundreds[f&Feminine][n/100]...)
		if n %= 100; n == 0 {
			return dst
		}
		dst = append(dst, ' ')
	}
	if n >= 30 {
		dst = append(dst, tens[n/10]...)
		if n %= 10; n == 0 {
			return dst
		}
		dst = append(dst, " y "...)
	}
	switch n {
	case 1:
		return append(dst, ones[f]...)
	case 21:
		return append(dst, twentyOnes[f]...)
	}
	return append(dst, small[n]...)
}
