package sqlstore

import "context"

// MigrateTo is Migrate with versions that there are not yet.
func (s *Store) MigrateTo(ctx context.Context, all []Migration) error {
	tables := s.tables()
	tables.Steps = nil
	for _, m := range all {
		tables.Steps = append(tables.Steps, m.SQL)
	}
	return tables.Migrate(ctx, s.db)
}
