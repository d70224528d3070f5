package redact

import (
	"strings"
	"unicode"
)

// Name reports whether a field of this name holds a credential: what Text takes for
// a key before a value, such as password, DB_PASSWORD, apiKey, contraseña,
// clave_de_acceso, sessionId, in the plural too, and what is one only as a name of a
// field: pin, nip, cvv, otp, claves, secreto_webhook. Letters in disguise are read as
// what they look like. The token of a next page is none, and neither is palabra_clave.
// Where the value decides, see [DoubtOf].
func Name(name string) bool {
	name = legible(name)
	if isFieldName(fieldNameWords(name)) {
		return true
	}
	word := credential(name)
	if word == "" {
		if one := strings.TrimSuffix(strings.TrimSuffix(name, "s"), "S"); one != name {
			word = credential(one)
		}
		return word != "" && word != "clave" // palabras_claves
	}
	return true
}

// credential returns the word for which a name stands, or "".
func credential(name string) string {
	r := scanner{s: name}
	found, _, ok := r.keyBefore(len(name))
	if ok && found.word != "clave" || !ok && !qualifies(name) {
		return found.credential(ok)
	}
	// Nouns before the word, and qualifiers behind it, are looked for as words.
	r = scanner{s: spaced(name)}
	found, _, ok = r.keyBefore(len(r.s))
	if !ok {
		found, _, ok = r.qualified(len(r.s))
	}
	return found.credential(ok)
}

func (n keyName) credential(ok bool) string {
	if !ok || n.form == placeKey || n.form == queryKey {
		return ""
	}
	return n.word
}

// qualifies reports whether a name ends with a word that may stand behind that of a
// credential.
func qualifies(name string) bool {
	for _, qualifier := range keyQualifiers {
		if at := len(name) - len(qualifier); at > 0 && strings.EqualFold(name[at:], qualifier) {
			return true
		}
	}
	return false
}

// spaced writes the words of a name apart: clave_de_acceso, claveDeAcceso.
func spaced(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
