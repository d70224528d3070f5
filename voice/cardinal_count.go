package voice

// Noun is what is counted, in both numbers and its gender. TonicA is for
// feminine nouns that start with a stressed a, such as aula, agua, área: "un
// aula", "veintiún aulas".
type Noun struct {
	Singular, Plural string
	Feminine         bool
	TonicA           bool
}

// form is the form of a number right before the noun.
func (n *Noun) form() Form {
	f := BeforeNoun
	if n.Feminine {
		f |= Feminine
		if n.TonicA {
			f |= beforeTonic
		}
	}
	return f
}

// Count says how many: "una cita", "veintiún días", "doscientas mil personas",
// "un millón de pesos". Only 1 and -1 take the singular: "cero citas", "ciento
// un pesos" (DPD "cero", "uno" 2.2).
func (s *Speaker) Count(n int64, noun Noun) string {
	var buf [stackText]byte
	return string(s.AppendCount(buf[:0], n, noun))
}

// AppendCount appends what [Speaker.Count] says.
func (s *Speaker) AppendCount(dst []byte, n int64, noun Noun) []byte {
	dst = appendInt(dst, n, noun.form())
	if n == 1 || n == -1 {
		return append(append(dst, ' '), noun.Singular...)
	}
	if n != 0 && n%million == 0 {
		dst = append(dst, ofMillions...)
	}
	return append(append(dst, ' '), noun.Plural...)
}

// ofMillions links millón, billón and the rest to the noun when nothing comes
// between: they are nouns themselves (DPD "millón").
const ofMillions = " de"

// appendQuantity appends a number and what it counts: plural with decimals and
// zero ("cero coma cinco litros", OLE 2010 VIII 3.1).
func (s *Speaker) appendQuantity(dst []byte, d *decimal, noun *Noun) []byte {
	return appendNoun(s.appendDecimal(dst, d, noun.form()), d, noun)
}

// appendNoun appends the noun after the number d.
func appendNoun(dst []byte, d *decimal, noun *Noun) []byte {
	if d.isOne() {
		return append(append(dst, ' '), noun.Singular...)
	}
	if d.endsInMillions() {
		dst = append(dst, ofMillions...)
	}
	return append(append(dst, ' '), noun.Plural...)
}

func (d *decimal) endsInMillions() bool { return d.frac == 0 && d.whole > 6 && d.zeros() >= 6 }
