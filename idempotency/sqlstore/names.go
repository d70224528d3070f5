package sqlstore

import (
	"fmt"
	"strings"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/internal/sqltable"
)

// names are those of the store's tables, quoted.
type names struct {
	table    string
	bare     string // the table without its schema, for SQLite's CREATE INDEX
	index    string
	versions string
	name     string // the table's name as a value
}

func newNames(d sqltable.Dialect, schema, table string) (names, error) {
	var problems []error
	problem := sqltable.Wrong(table, sqltable.MaxName)
	if strings.EqualFold(table, sqltable.VersionsTable) {
		problem = "is that of the table of versions"
	}
	if problem != "" {
		problems = append(problems, fmt.Errorf("portavoz/sqlstore: the name of the table %s", problem))
	}
	if schema != "" {
		if problem := sqltable.Wrong(schema, sqltable.MaxName); problem != "" {
			problems = append(problems, fmt.Errorf("portavoz/sqlstore: the name of the schema %s", problem))
		}
	}
	prefix := d.In(schema)
	n := names{
		table:    prefix + sqltable.Quoted(table, d.Quote),
		bare:     sqltable.Quoted(table, d.Quote),
		index:    sqltable.Quoted(table+"_expires_at", d.Quote),
		versions: prefix + sqltable.Quoted(sqltable.VersionsTable, d.Quote),
		name:     sqltable.Quoted(table, "'"),
	}
	if d.File == sqltable.SQLite.File {
		n.index = prefix + n.index // there the index names the schema, and not its table
	}
	return n, errors.Join(problems...)
}
