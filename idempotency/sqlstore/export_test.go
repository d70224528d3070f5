package sqlstore

import "context"

// MigrateTo is Migrate with versions that there are not yet.
func (s *Store) MigrateTo(ctx context.Context, all []Migration) error { return s.migrateTo(ctx, all) }
