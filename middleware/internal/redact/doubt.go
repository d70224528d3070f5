package redact

import (
	"slices"
	"strings"
)

// Doubt says what the value of a field has to be like for it to be a secret, if the
// name alone does not tell.
type Doubt uint8

// The doubts.
const (
	// NoDoubt is for names that say nothing of the kind, and those that [Name] knows.
	NoDoubt Doubt = iota
	// Opaque is for firma, sesion, session, hmac and their kin: the signature of a
	// request, and the login that a server knows a browser by, are text that looks
	// random. The date of a signature, the person who signed and the third session
	// of a course are not.
	Opaque
	// Card is for numero_tarjeta, card_number and their kin: the whole number of a
	// payment card is a secret (PCI DSS 4.0.1, requirement 3.4), its last four
	// digits, and the number of a card of another kind, are what a person asks for.
	Card
)

// DoubtOf reads the name of a field.
func DoubtOf(name string) Doubt {
	words := fieldNameWords(legible(name))
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	switch {
	case has("tarjeta", "tarjetas", "card", "cards", "cardnumber", "pan"):
		return Card
	case has("firma", "firmas", "sesion", "session", "hmac"):
		return Opaque
	}
	return NoDoubt
}

// Holds reports whether a value, the text or the number as it is written, is a secret
// under a name of this doubt.
func (d Doubt) Holds(value string) bool {
	switch d {
	case Opaque:
		const shortest = 20 // 120 bits of base64url, less than any digest or session id
		return len(value) >= shortest && runEnd(value, 0, any64|dot) == len(value) && looksRandom(value)
	case Card:
		return isCardNumber(value)
	case NoDoubt:
	}
	return false
}

// isCardNumber reports whether a text is the number of a payment card: 13 to 19
// digits, blanks and hyphens between them, the last of which is right for the others
// (ISO/IEC 7812-1, annex B).
func isCardNumber(s string) bool {
	const fewest, most = 13, 19
	sum, digits := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			d := int(c - '0')
			if digits%2 == 1 {
				d = d*2%10 + d/5
			}
			sum += d
			digits++
		case strings.IndexByte(" -", c) < 0:
			return false
		}
	}
	return digits >= fewest && digits <= most && sum%10 == 0
}
