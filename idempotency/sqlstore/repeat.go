package sqlstore

import (
	"context"
	"database/sql"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// How often, and how soon, a step is taken again that failed.
const (
	tries      = 3
	firstPause = 5 * time.Millisecond
)

// asker is a database or a transaction in it.
type asker interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// repeat takes a step again that failed, as long as ctx lasts: the connection
// was dead since the database had restarted, or the database chose the statement
// to end a deadlock. Every step of a store may be taken twice. All errors come
// back, since one that proves that nothing happened speaks of its own try only.
//
// Where the database isolates by more than read committed unless told otherwise,
// claims of one operation may fail each other for ever. So it is told otherwise,
// which takes a transaction, from the second try on.
func (s *Store) repeat(ctx context.Context, step func(on asker) error) error {
	err := step(s.db)
	var failed []error
	for pause := firstPause; ; pause *= 4 {
		if err == nil || errors.Is(err, idempotency.ErrNotOwner) || errors.Is(err, idempotency.ErrCorrupt) {
			return err
		}
		failed = append(failed, err)
		if len(failed) == tries || !sleep(ctx, pause) {
			return errors.Join(failed...)
		}
		if s.dialect.alone {
			err = step(s.db)
		} else {
			err = s.committed(ctx, step)
		}
	}
}

// committed takes a step in a transaction that reads what is committed.
func (s *Store) committed(ctx context.Context, step func(on asker) error) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	defer func() { _ = end(ctx, tx.Rollback) }() // unless it was committed
	if err := step(tx); err != nil {
		return err
	}
	return end(ctx, tx.Commit)
}

// sleep reports whether ctx lasted that long.
func sleep(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
