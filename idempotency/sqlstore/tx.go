package sqlstore

import (
	"context"
	"database/sql"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// ErrNoRun says that there is no run in the context whose completion a store of
// this package writes. A call without a key, or of a tool that is read-only, has
// none; middleware.RequireKey refuses the former before the tool runs.
var ErrNoRun = errors.New("portavoz/sqlstore: no run that a store of this package completes")

// Tx returns the transaction in which the key of the operation that runs in ctx
// will be written as completed: what is done in it happens together with that, or
// not at all. It begins when it is first asked for, until which the run holds no
// connection, and is the same one each time; options count the first time. A run that
// has it is not tried again by a middleware such as Retry: what the first try did in
// the transaction would be done twice.
//
// The run does not end it, nor by a COMMIT or ROLLBACK of its own: that is found out,
// whatever it begins next, and then a success counts as unknown, and a failure as what
// its error proves. Savepoints are the run's to use. When the run has ended, by
//
//	a success               the key is written and the transaction committed; only then is the
//	                        caller told. If that fails for certain, the transaction was rolled
//	                        back, and if it is not known, the database is asked.
//	an error, a panic       it is rolled back
//	somebody who took over  it is rolled back: the key is not this run's to complete
//
// What a rollback means for the key is the run's to say. An error that proves that
// nothing happened frees it, as everywhere; put one of the transaction's own into
// [errors.NoEffect] if the run has done nothing else. After any other error, and
// when the commit has failed, the outcome is unknown, since the run may have done
// more than is in the transaction; [WholeEffect] says that it has not.
//
// The errors of Tx prove that nothing happened in the transaction. They are
//
//	VALIDATION  idempotency_key_required  [ErrNoRun]
//	SYSTEM      idempotency_store         [idempotency.ErrNotOwner] if another one took over, that of
//	                                      ctx while all connections are in use, but after half a
//	                                      minute in any case, and the database's
func Tx(ctx context.Context, opts ...TxOption) (*Transaction, error) {
	j := jointIn(ctx)
	if j == nil {
		return nil, errors.Validation("", errors.WithCode(errors.CodeKeyRequired),
			errors.WithEffect(errors.EffectNone), errors.WithCause(ErrNoRun))
	}
	tx, err := j.begin(ctx, opts)
	if err != nil {
		return nil, notStored("begin", err)
	}
	return tx, nil
}

// A TxOption tunes the transaction of a run.
type TxOption func(*txOptions)

type txOptions struct {
	whole bool
	sql   sql.TxOptions
}

// WholeEffect says that the run does nothing that must not happen twice but what
// it does in the transaction. A rollback then proves that nothing happened: it
// frees the key after any error and after a panic, and a failed commit may be
// tried again; not so if the transaction was over before the run was. Where all runs of an engine are such, its Rerun is safe as well:
// what a dead owner left undone is run again, and happens once.
func WholeEffect() TxOption { return func(o *txOptions) { o.whole = true } }

// Isolation sets how the transaction is isolated. From repeatable read on, which
// is the default of MySQL and MariaDB, PostgreSQL and MariaDB 11.6 refuse to
// complete a key whose lease was renewed meanwhile: the transaction has to end
// within a third of the engine's Lease, or else is rolled back. Default: as the
// database has it.
func Isolation(level sql.IsolationLevel) TxOption {
	return func(o *txOptions) { o.sql.Isolation = level }
}

// Transaction is what a run may do in its transaction. It has the methods that
// query builders and generated code ask for, and neither Commit nor Rollback. It
// is safe for concurrent use as far as the driver's transactions are.
type Transaction struct{ tx *sql.Tx }

// ExecContext is that of [sql.Tx].
func (t *Transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(ctx, query, args...)
}

// QueryContext is that of [sql.Tx].
func (t *Transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.tx.QueryContext(ctx, query, args...)
}

// QueryRowContext is that of [sql.Tx].
func (t *Transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(ctx, query, args...)
}

// PrepareContext is that of [sql.Tx].
func (t *Transaction) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return t.tx.PrepareContext(ctx, query)
}

// StmtContext is that of [sql.Tx].
func (t *Transaction) StmtContext(ctx context.Context, stmt *sql.Stmt) *sql.Stmt {
	return t.tx.StmtContext(ctx, stmt)
}

// Raw returns the transaction for libraries that ask for a [sql.Tx]. If somebody
// commits it or rolls it back, nobody can tell afterwards which of the two, see [Tx].
func (t *Transaction) Raw() *sql.Tx { return t.tx }

type jointKey struct{}

// jointIn returns what the run in ctx has in common with a store, or nil.
func jointIn(ctx context.Context) *joint {
	j, _ := ctx.Value(jointKey{}).(*joint)
	return j
}

// Join implements [idempotency.Joiner].
func (s *Store) Join(ctx context.Context, key idempotency.Digest, token string) (context.Context, idempotency.Conclude) {
	j := &joint{store: s, key: key, token: token}
	return context.WithValue(ctx, jointKey{}, j), j.conclude
}
