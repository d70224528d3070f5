package voice

import "strings"

// Amount is money in the form that [Speaker.Money] takes.
type Amount struct {
	Value    string // decimal text with a point
	Currency string // ISO 4217
}

// ParseMoney reads an amount as people write it, by the habits of the country:
//
//	89900.00   $ 89.900   $89,900.00 MXN   USD 1,234.5   1.234.567,89
//	-$500   S/ 12.50   1'234.567   $25 000   10 mil pesos   2,5 millones de euros   $10k
//
// Marks that can be read in one way only are read so in every country: in
// "1.234,56" and "89900.00" nothing is in doubt. A single mark before exactly
// three digits groups thousands where the country uses it for that: "$89.900"
// in Colombia, "$89,900" in Mexico. The other mark would leave three decimals,
// which no price has, and is as likely the habit of another country; it is
// [ErrAmbiguous], and so are both marks in neutral Spanish and in Costa Rica.
//
// "$" is what it means in the country, an amount without any mark is in its
// currency (see [Tender]); where that is open, as in neutral Spanish, or two
// marks contradict each other, the answer is [ErrAmbiguous] as well. Anything
// else is [ErrSyntax].
func (s *Speaker) ParseMoney(written string) (Amount, error) {
	a, err := s.parseMoney(written)
	if err != nil {
		return Amount{}, err
	}
	var buf [2*maxDigits + len("-0.")]byte
	return Amount{Value: string(a.value.appendText(buf[:0])), Currency: a.currency}, nil
}

// SayMoney says an amount as people write it: [Speaker.ParseMoney] and then
// [Speaker.Money], with the errors of both.
func (s *Speaker) SayMoney(written string) (string, error) {
	var buf [stackText]byte
	return spoken(s.AppendSayMoney(buf[:0], written))
}

// AppendSayMoney appends what [Speaker.SayMoney] says. On error dst is returned
// as it was.
func (s *Speaker) AppendSayMoney(dst []byte, written string) ([]byte, error) {
	a, err := s.parseMoney(written)
	if err != nil {
		return dst, err
	}
	return s.appendMoney(dst, &a.value, a.currency)
}

func (s *Speaker) parseMoney(written string) (amount, error) {
	text := strings.TrimSpace(written)
	a, width, ok := s.scanAmount(text)
	switch {
	case !ok || width < len(text):
		return a, parseError("money", written, ErrSyntax)
	case a.doubtful || a.currency == "":
		return a, parseError("money", written, ErrAmbiguous)
	}
	return a, nil
}
