package sqltable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the most bytes of a table's name. It leaves room for the end of an
// index's: PostgreSQL cuts names at 63 bytes, and would take two long ones for the same.
const MaxName = 50

// Quoted puts a name, or a value, between quotes, in which it may hold them.
func Quoted(name, quote string) string {
	return quote + strings.ReplaceAll(name, quote, quote+quote) + quote
}

// In is the prefix of what is in a schema: its name and a dot, or "" for none.
func (d Dialect) In(schema string) string {
	if schema == "" {
		return ""
	}
	return Quoted(schema, d.Quote) + "."
}

// Wrong says why a name of most bytes at most cannot be used, or "". A question mark
// or a backslash means something else to some drivers, also between quotes; braces
// are ours.
func Wrong(name string, most int) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > most:
		return fmt.Sprintf("has more than %d bytes", most)
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl), strings.ContainsAny(name, `?\{}`):
		return "has a character that may not be in it"
	}
	return ""
}
