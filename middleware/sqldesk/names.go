package sqldesk

import (
	"fmt"
	"strings"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/internal/sqltable"
)

// maxPrefix leaves room for what follows it.
const maxPrefix = sqltable.MaxName - len("_approvals")

// names are those of the desk's tables, as they are written in statements.
type names struct {
	fill     *strings.Replacer // of {jobs} and so on
	versions string
	name     string // by which the table of versions knows them
}

func newNames(d sqltable.Dialect, schema, prefix string) (names, error) {
	var problems []error
	if problem := sqltable.Wrong(prefix, maxPrefix); problem != "" {
		problems = append(problems, fmt.Errorf("portavoz/sqldesk: the prefix of the tables %s", problem))
	}
	if problem := sqltable.Wrong(schema, sqltable.MaxName); schema != "" && problem != "" {
		problems = append(problems, fmt.Errorf("portavoz/sqldesk: the name of the schema %s", problem))
	}
	quoted := func(end string) string { return sqltable.Quoted(prefix+end, d.Quote) }
	in := d.In(schema)
	index := ""
	if d.File == sqltable.SQLite.File {
		index = in // there the index names the schema, and not its table
	}
	n := names{
		versions: in + sqltable.Quoted(sqltable.VersionsTable, d.Quote),
		name:     sqltable.Quoted(prefix+"_jobs", "'"),
	}
	n.fill = strings.NewReplacer(
		"{jobs}", in+quoted("_jobs"), "{jobs_bare}", quoted("_jobs"),
		"{jobs_state}", index+quoted("_jobs_state"), "{jobs_token}", index+quoted("_jobs_token"),
		"{approvals}", in+quoted("_approvals"), "{approvals_bare}", quoted("_approvals"),
		"{approvals_state}", index+quoted("_approvals_state"),
		"{versions}", n.versions, "{name}", n.name,
	)
	return n, errors.Join(problems...)
}
