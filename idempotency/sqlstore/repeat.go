package sqlstore

import (
	"context"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/internal/sqltable"
)

// asker is a database or a transaction in it.
type asker = sqltable.Asker

// repeat takes a step again that failed. Every step of a store may be taken twice.
func (s *Store) repeat(ctx context.Context, step func(on asker) error) error {
	return s.dialect.Repeat(ctx, s.db, step, idempotency.ErrNotOwner, idempotency.ErrCorrupt)
}
