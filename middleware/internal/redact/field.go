package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldWords make a credential of a field with one of them as a word. In a text they
// say nothing: "otp" and "jwt" are explained there.
var fieldWords = [...]string{"cvv", "cvv2", "cvc", "cvc2", "otp", "jwt", "csrf", "xsrf", "dsn"}

// lastFieldWords do so as the last word: codigo_pin, and not pin_mapa. "Claves" are
// many of what clave is one of; key points are puntos_clave.
var lastFieldWords = [...]string{"pin", "nip", "credenciales", "salt", "claves"}

// fieldEnds are ends of names, without separators.
var fieldEnds = [...]string{
	"codigoseguridad", "codigodeseguridad", "codigosecreto", "securitycode", "llaveapi", "llavedeapi", "frasesecreta",
	"palabrasecreta", "frasesemilla", "seedphrase", "contrasenya", "passhash", "hashclave",
	"frasederecuperacion", "fraserecuperacion", "recoveryphrase", "frasedepaso", "backupcodes", "recoverycodes",
	"codigosderespaldo", "codigosrespaldo", "codigosderecuperacion", "codigosrecuperacion",
	"respuestasecreta", "respuestadeseguridad", "respuestaseguridad", "securityanswer",
	"sessionkey", "authheader", "connectionstring", "cadenadeconexion", "cadenaconexion",
}

// heads are words behind which Spanish says what the credential is for, with one of
// the complements: secreto_webhook, clave_de_cifrado, token_sesion. Alone, "llave" is
// not one of the words that name a credential: it is what people are paid by (Bre-B);
// and "clave_rastreo" follows a transfer.
var heads = [...]string{
	"clave", "claves", "llave", "llaves", "secreto", "secretos", "token", "tokens", "pin", "nip",
	"contrasena", "contraseña", "contrasenas", "contraseñas", "credenciales",
}

var complements = [...]string{
	"acceso", "anterior", "api", "app", "cajero", "cifrado", "cliente", "compartida", "compartido", "encriptacion", "firma", "hash", "maestra",
	"maestro", "privada", "privadas", "privado", "push", "refresco", "refresh", "secreta", "secretas", "secreto",
	"seguridad", "servicio", "sesion", "tarjeta", "temporal", "usuario", "usuarios", "webhook", "wifi",
}

// codes are complements that make something else of a clave or a llave: the code of a
// client in a catalogue, as México has them, or what a user of Bre-B is paid by.
var codes = [...]string{"cliente", "servicio", "usuario"}

// isFieldName looks for the words that are credentials as names of fields only.
func isFieldName(words []string) bool {
	if len(words) == 0 {
		return false
	}
	last := len(words) - 1
	adjective := last > 0 && words[last] == "claves" && oneOf(words[last-1], nouns[:]) // palabras_claves
	if slices.Contains(lastFieldWords[:], words[last]) && !adjective || endsInComplement(words) {
		return true
	}
	joined := strings.Join(words, "")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(fieldWords[:], w) }) ||
		slices.ContainsFunc(fieldEnds[:], func(end string) bool { return strings.HasSuffix(joined, end) })
}

// endsInComplement reports whether a name ends with a head and what it is for.
func endsInComplement(words []string) bool {
	last := len(words) - 1
	for i := last; i > 0; i-- {
		switch word := words[i]; {
		case i < last && (word == "de" || word == "del" || word == "la"):
		case !slices.Contains(complements[:], word):
			return false
		}
		head := words[i-1]
		if slices.Contains(heads[:], head) {
			of := strings.TrimSuffix(head, "s")
			return of != "clave" && of != "llave" || !slices.Contains(codes[:], words[last])
		}
	}
	return false
}

// fieldNameWords are the words of a name that is legible, in lower case.
func fieldNameWords(name string) []string { return strings.Fields(strings.ToLower(spaced(name))) }

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
