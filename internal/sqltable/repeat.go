package sqltable

import (
	"context"
	"database/sql"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// tries is how often a step is taken that fails.
const tries = 3

// FirstPause is how soon it is taken again at first.
const FirstPause = 5 * time.Millisecond

// Asker is a database, a connection to it, or a transaction in it.
type Asker interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Repeat takes a step again that failed, as long as ctx lasts: the connection was
// dead since the database had restarted, or the database chose the statement to end
// a deadlock. Every step has to be one that may be taken twice. All errors come back,
// since one that proves that nothing happened speaks of its own try only; one of the
// answers ends it at once.
//
// Where the database isolates by more than read committed unless told otherwise, steps
// on one row may fail each other for ever. So it is told otherwise, which takes a
// transaction, from the second try on.
func (d Dialect) Repeat(ctx context.Context, db *sql.DB, step func(on Asker) error, answers ...error) error {
	err := step(db)
	var failed []error
	for pause := FirstPause; ; pause *= 4 {
		if err == nil || isAny(err, answers) {
			return err
		}
		failed = append(failed, err)
		if len(failed) == tries || !Sleep(ctx, pause) {
			return errors.Join(failed...)
		}
		if d.Alone {
			err = step(db)
		} else {
			err = committed(ctx, db, step)
		}
	}
}

func isAny(err error, answers []error) bool {
	for _, answer := range answers {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}

// committed takes a step in a transaction that reads what is committed.
func committed(ctx context.Context, db *sql.DB, step func(on Asker) error) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	defer func() { _ = End(ctx, tx.Rollback) }() // unless it was committed
	if err := step(tx); err != nil {
		return err
	}
	return End(ctx, tx.Commit)
}

// errDriver is what became of a driver that panicked.
var errDriver = errors.New("the driver panicked, or ended its goroutine")

// End commits a transaction or rolls it back, which takes no context: some drivers
// wait for the answer as long as the network lets them, and so hold a connection.
// Nobody waits for them when ctx has ended.
func End(ctx context.Context, how func() error) error {
	ended := make(chan error, 1)
	go func() {
		err := errDriver
		defer func() {
			_ = recover() // and err says so
			ended <- err
		}()
		err = how()
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Sleep reports whether ctx lasted that long.
func Sleep(ctx context.Context, d time.Duration) bool {
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
