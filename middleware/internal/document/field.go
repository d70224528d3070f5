package document

import (
	"strings"
	"unicode"
)

// FieldName is a name in the form in which encoding/json compares names with those of
// the fields of a struct. Names of one form are one field to it: "monto" and "Monto",
// or "k" and the Kelvin sign.
func FieldName(name string) string { return strings.Map(foldRune, name) }

// foldRune is the first of the characters that differ in nothing but their case.
func foldRune(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r { // the circle begins anew
			return next
		}
		r = next
	}
}
