package sqlstore

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/errors"
)

// maxName leaves room for the end of the index's name: PostgreSQL cuts names at
// 63 bytes, and would take two long ones for the same.
const maxName = 50

// names are those of the store's tables, quoted.
type names struct {
	table    string
	bare     string // the table without its schema, for SQLite's CREATE INDEX
	index    string
	versions string
	name     string // the table's name as a value
}

func newNames(d Dialect, quote, schema, table string) (names, error) {
	var problems []error
	problem := wrong(table)
	if strings.EqualFold(table, versionsTable) {
		problem = "is that of the table of versions"
	}
	if problem != "" {
		problems = append(problems, fmt.Errorf("portavoz/sqlstore: the name of the table %s", problem))
	}
	prefix := ""
	if schema != "" {
		if problem := wrong(schema); problem != "" {
			problems = append(problems, fmt.Errorf("portavoz/sqlstore: the name of the schema %s", problem))
		}
		prefix = quoted(schema, quote) + "."
	}
	n := names{
		table:    prefix + quoted(table, quote),
		bare:     quoted(table, quote),
		index:    quoted(table+"_expires_at", quote),
		versions: prefix + quoted(versionsTable, quote),
		name:     quoted(table, "'"),
	}
	if d == SQLite {
		n.index = prefix + n.index // there the index names the schema, and not its table
	}
	return n, errors.Join(problems...)
}

// quoted puts a name, or a value, between quotes, in which it may hold them.
func quoted(name, quote string) string {
	return quote + strings.ReplaceAll(name, quote, quote+quote) + quote
}

// wrong says why a name cannot be used, or "". A question mark or a backslash
// means something else to some drivers, also between quotes; braces are ours.
func wrong(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > maxName:
		return fmt.Sprintf("has more than %d bytes", maxName)
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl), strings.ContainsAny(name, `?\{}`):
		return "has a character that may not be in it"
	}
	return ""
}
