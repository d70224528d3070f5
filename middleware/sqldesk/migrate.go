package sqldesk

import (
	"context"
	"embed"
	"fmt"

	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/internal/sqltable"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns all steps from an empty database to the tables of this version,
// in their order, for teams that run their own. What is run that way is not run again
// by [Desk.Migrate].
func (d *Desk) Migrations() []sqlstore.Migration {
	var all []sqlstore.Migration
	for i, text := range d.tables().Steps {
		all = append(all, sqlstore.Migration{Version: i + 1, SQL: text})
	}
	return all
}

// Migrate runs the migrations that have not been run. It may be called at every
// start, by several processes at once: one migrates, the others wait for it. Tables of
// a newer version than this package knows are an error. If there is nothing to do, it
// needs no right but to read.
func (d *Desk) Migrate(ctx context.Context) error {
	if err := d.tables().Migrate(ctx, d.db); err != nil {
		return fmt.Errorf("portavoz/sqldesk: migrate: %w", err)
	}
	return nil
}

func (d *Desk) tables() sqltable.Tables {
	return sqltable.Tables{
		Dialect: d.dialect.Dialect, Versions: d.names.versions, Name: d.names.name,
		Steps: d.dialect.Steps(migrations, d.names.fill),
	}
}
