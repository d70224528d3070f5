package contract

import (
	"strings"
	"unicode"
)

// unaccented holds the letters of Spanish that are written with a mark.
var unaccented = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n", "’", "'")

// fold is a text in the form in which texts are compared: lower case, without
// accents, spaces joined.
func fold(s string) string {
	return strings.Join(strings.Fields(unaccented.Replace(strings.ToLower(s))), " ")
}

// nameWords splits the name of a tool or a property into words: at every
// character that is no letter or digit, and before a capital after a small letter.
func nameWords(name string) []string {
	var words []string
	var word []rune
	cut := func() {
		if len(word) > 0 {
			words = append(words, fold(string(word)))
			word = word[:0]
		}
	}
	small := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			cut()
			small = false
			continue
		}
		if unicode.IsUpper(r) && small {
			cut()
		}
		word = append(word, r)
		small = unicode.IsLower(r)
	}
	cut()
	return words
}

// squeeze is a name without what only joins its words: "idempotency_key" and
// "idempotencyKey" are one.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(name))
}

// textWords splits a folded text into its words.
func textWords(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// among reports whether a word is one of a list of words that have spaces on both
// sides.
func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }
