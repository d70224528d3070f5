package voice

// maxOrdinal is the last number that is ordered with a word of its own.
const maxOrdinal = million - 1

// Ordinal says a position: 1 is "primero", Feminine "primera", BeforeNoun
// "primer"; 23 "vigesimotercero", 45 "cuadragésimo quinto", 2000
// "dosmilésimo". Beyond 999,999, and for zero and negative numbers, it says the
// cardinal in the same form, as speech does with high positions (DPD
// "ordinales"): "un millón".
func (s *Speaker) Ordinal(n int64, form ...Form) string {
	var buf [stackText]byte
	return string(s.AppendOrdinal(buf[:0], n, form...))
}

// AppendOrdinal appends what [Speaker.Ordinal] says.
func (s *Speaker) AppendOrdinal(dst []byte, n int64, form ...Form) []byte {
	f := foldForms(form)
	if n < 1 || n > maxOrdinal {
		return appendInt(dst, n, f)
	}
	return appendOrdinal(dst, uint32(n), f)
}

// appendOrdinal appends n, from 1 to maxOrdinal (OLE 2010, VIII 3.2). Every
// word agrees: ducentésima cuadragésima quinta.
func appendOrdinal(dst []byte, n uint32, f Form) []byte {
	end := byte('o')
	if f&Feminine != 0 {
		end = 'a'
	}
	if n >= 1000 {
		dst = append(appendThousandth(dst, n/1000), end)
		if n %= 1000; n == 0 {
			return dst
		}
		dst = append(dst, ' ')
	}
	if n >= 100 {
		dst = append(append(dst, hundredth[n/100]...), end)
		if n %= 100; n == 0 {
			return dst
		}
		dst = append(dst, ' ')
	}
	ten, unit := n/10, n%10
	switch {
	case n == 11: // the Latin forms, preferred to decimoprimero (DPD "undécimo")
		return append(append(dst, "undécim"...), end)
	case n == 12:
		return append(append(dst, "duodécim"...), end)
	case unit == 0:
		return append(append(dst, tenth[ten]...), end)
	case ten == 1 || ten == 2: // one word, invariable inside: decimotercera
		dst = append(dst, tenthPrefix[ten]...)
		if unit == 8 {
			dst = dst[:len(dst)-1] // decimoctavo
		}
	case ten > 2: // two words rather than trigesimoprimero, also valid
		dst = append(append(dst, tenth[ten]...), end, ' ')
	}
	dst = append(dst, unitth[unit]...)
	if (unit == 1 || unit == 3) && f&(Feminine|BeforeNoun) == BeforeNoun {
		return dst // primer, tercer (DPD "primero", "tercero")
	}
	return append(dst, end)
}

// appendThousandth appends "milésim" after the number of thousands, in one word
// and without its accents: dosmilésimo, veintiunmilésimo (OLE 2010, VIII 3.2).
func appendThousandth(dst []byte, thousands uint32) []byte {
	if thousands > 1 {
		start := len(dst)
		dst = appendHundreds(dst, thousands, BeforeNoun)
		dst = fuse(dst, start)
	}
	return append(dst, "milésim"...)
}

// fuse makes one word of the number that starts at start: "treinta y un" is
// "treintaiun".
func fuse(dst []byte, start int) []byte {
	words := dst[start:]
	dst = dst[:start]
	for i := 0; i < len(words); i++ {
		switch c := words[i]; c {
		case ' ':
		case 'y':
			dst = append(dst, 'i')
		case "é"[0]: // the accents of dieciséis, veintidós, veintiún
			i++
			dst = append(dst, plainVowel(words[i]))
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// plainVowel returns the vowel without the accent whose second byte is c.
func plainVowel(c byte) byte {
	switch c {
	case "é"[1]:
		return 'e'
	case "ó"[1]:
		return 'o'
	default:
		return 'u'
	}
}
