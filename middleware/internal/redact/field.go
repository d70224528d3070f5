package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldWords make a credential of a field with one of them as a word. In a text they
// say nothing: "otp" and "jwt" are explained there.
var fieldWords = [...]string{"cvv", "cvv2", "cvc", "cvc2", "otp", "jwt"}

// lastFieldWords do so as the last word: codigo_pin, and not pin_mapa.
var lastFieldWords = [...]string{"pin", "nip", "credenciales", "salt"}

// fieldEnds are ends of names, without separators.
var fieldEnds = [...]string{
	"codigoseguridad", "codigodeseguridad", "codigosecreto", "securitycode", "llaveapi", "llavedeapi", "frasesecreta",
	"palabrasecreta", "frasesemilla", "seedphrase", "contrasenya", "passhash", "hashclave",
}

// isFieldName looks for the words that are credentials as names of fields only.
func isFieldName(name string) bool {
	words := strings.Fields(strings.ToLower(spaced(name)))
	if len(words) == 0 {
		return false
	}
	if slices.Contains(lastFieldWords[:], words[len(words)-1]) {
		return true
	}
	joined := strings.Join(words, "")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(fieldWords[:], w) }) ||
		slices.ContainsFunc(fieldEnds[:], func(end string) bool { return strings.HasSuffix(joined, end) })
}

// legible is a name as a person reads it: without what is invisible, without a number
// behind a separator, with Latin letters for those of other scripts that look the
// same (Unicode TS 39, confusables), and without accents but that of the ñ.
func legible(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			name = strings.Map(latin, name)
			break
		}
	}
	if short := strings.TrimRight(name, "0123456789"); short != name {
		if base := strings.TrimRight(short, "_-. "); base != "" && base != short {
			return base
		}
	}
	return name
}

// latin is the Latin letter that a rune looks like, -1 for what is invisible.
func latin(r rune) rune {
	const (
		alike = "аеорсухіјѕԁһԛԝкмтнвАЕОРСУХІЈЅКМТНВαορυικντΑΒΕΖΗΙΚΜΝΟΡΤΥΧıáéíóúüÁÉÍÓÚÜ"
		plain = "aeopcyxijsdhqwkmtnbAEOPCYXIJSKMTHBaopyikvtABEZHIKMNOPTYXiaeiouuAEIOUU"
	)
	switch {
	case r < utf8.RuneSelf || r == 'ñ' || r == 'Ñ':
		return r
	case hidden(r) || unicode.Is(unicode.Mn, r) && r != '\u0303': // that of a decomposed ñ
		return -1
	case r >= '！' && r <= '～': // full width
		return r - '！' + '!'
	}
	at := 0
	for _, other := range alike {
		if other == r {
			return rune(plain[at])
		}
		at++
	}
	return r
}
