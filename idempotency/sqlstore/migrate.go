package sqlstore

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/portavoz/portavoz/internal/sqltable"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migration is one step from an empty database to the tables of this version.
type Migration struct {
	// Version counts from 1.
	Version int
	// SQL are the statements, each with a semicolon at its end. The last one
	// writes the version down.
	SQL string
}

// Migrations returns all steps, in their order, for teams that run their own.
// What is run that way is not run again by [Store.Migrate].
func (s *Store) Migrations() []Migration {
	var all []Migration
	for i, text := range s.tables().Steps {
		all = append(all, Migration{i + 1, text})
	}
	return all
}

// Migrate runs the migrations that have not been run. It may be called at every
// start, by several processes at once: one migrates, the others wait for it.
// Tables of a newer version than this package knows are an error. If there is
// nothing to do, it needs no right but to read.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.tables().Migrate(ctx, s.db); err != nil {
		return fmt.Errorf("portavoz/sqlstore: migrate: %w", err)
	}
	return nil
}

func (s *Store) tables() sqltable.Tables {
	fill := strings.NewReplacer("{table}", s.names.table, "{bare}", s.names.bare, "{index}", s.names.index,
		"{versions}", s.names.versions, "{name}", s.names.name)
	return sqltable.Tables{
		Dialect: s.dialect.Dialect, Versions: s.names.versions, Name: s.names.name, Steps: s.dialect.Steps(migrations, fill),
	}
}
