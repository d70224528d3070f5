package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/internal/sqltable"
)

const (
	beginLimit  = 30 * time.Second // of waiting for a connection, whatever the context of the run allows
	commitLimit = 30 * time.Second // of writing the key and committing, or of rolling back
	askLimit    = 2 * time.Second  // of asking what became of it, while the caller waits
)

// What an operator reads in the log as the cause of an outcome.
var (
	errEndedByRun = errors.New("portavoz/sqlstore: the run, or a failed statement in it, ended its transaction")
	errRunOver    = errors.New("portavoz/sqlstore: the run has ended")
)

// A savepoint that is set first and released last tells whether a transaction is
// still the one that it was, in the databases that are fragile. It costs two round
// trips.
const (
	setMark    = `SAVEPOINT portavoz_run`
	removeMark = `RELEASE SAVEPOINT portavoz_run`
)

// joint is what a run has in common with its store: a transaction, once it has
// been asked for.
type joint struct {
	store *Store
	key   idempotency.Digest
	token string

	mu        sync.Mutex
	shared    *Transaction
	cancel    context.CancelFunc // ends the transaction's context
	whole     bool
	writing   bool // the gate was entered
	over      bool // the run has ended
	undecided bool // the commit has failed, and may have been made
}

func (j *joint) isOf(s *Store, key idempotency.Digest, token string) bool {
	return j != nil && j.store == s && j.key == key && j.token == token
}

// begin begins the transaction, or returns the one that there is. It lasts until
// the run is concluded and not until ctx ends: database/sql would roll it back
// then, between the run and its commit. Beginning ends with ctx; also a ctx that
// the run has freed of its end waits for a connection no longer than beginLimit,
// which somebody may hold who waits for this one.
func (j *joint) begin(ctx context.Context, opts []TxOption) (*Transaction, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.over:
		return nil, errRunOver
	case j.shared != nil:
		return j.shared, nil
	}
	var o txOptions
	for _, opt := range opts {
		opt(&o)
	}
	beginning, begun := context.WithTimeout(ctx, beginLimit)
	defer begun()
	if err := j.store.writing.enter(beginning); err != nil {
		return nil, err
	}
	j.writing = true
	defer func() {
		if j.shared == nil {
			j.leave()
		}
	}()
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(beginning, cancel)
	tx, err := j.store.db.BeginTx(lasting, &o.sql)
	if err == nil && j.store.dialect.Alone {
		err = j.hold(beginning, tx)
	}
	if err == nil {
		_, err = tx.ExecContext(beginning, j.store.dialect.mark)
	}
	if !stop() {
		err = errors.Join(context.Cause(beginning), err)
	}
	if err != nil {
		if tx != nil {
			_ = sqltable.End(beginning, tx.Rollback)
		}
		cancel()
		return nil, err
	}
	j.shared, j.cancel, j.whole = &Transaction{tx}, cancel, o.whole
	idempotency.ForbidRepeat(ctx)
	return j.shared, nil
}

// leave lets others write, once.
func (j *joint) leave() {
	if j.writing {
		j.writing = false
		j.store.writing.leave()
	}
}

// hold makes sure that the transaction may write, and that the key is the run's.
func (j *joint) hold(ctx context.Context, tx *sql.Tx) error {
	rows, err := changed(tx.ExecContext(ctx, j.store.say.hold, j.key[:], []byte(j.token)))
	if err == nil && rows == 0 {
		return idempotency.ErrNotOwner
	}
	return err
}

// conclude implements [idempotency.Conclude].
func (j *joint) conclude(ctx context.Context, run idempotency.Settlement, ttl time.Duration) (stands idempotency.Settlement, told bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.over = true
	if j.shared == nil {
		return run, false
	}
	defer j.leave()
	defer j.cancel()
	if run.Verdict == idempotency.Keep {
		return j.commit(ctx, run, ttl)
	}
	// Nothing was committed, whatever the database says to the rollback, unless
	// there is nothing left to roll back.
	ctx, cancel := context.WithTimeout(ctx, commitLimit)
	defer cancel()
	lost := j.whole && errors.Is(j.intact(ctx), errEndedByRun)
	if err := sqltable.End(ctx, j.shared.tx.Rollback); j.whole && !lost && !errors.Is(err, sql.ErrTxDone) {
		run.Verdict = idempotency.Release
	}
	return run, false
}

// intact is nil if the transaction is the one that began, errEndedByRun if that
// has ended, and another error if nothing of it can be committed any more: a
// statement in it has failed, or the connection is lost.
func (j *joint) intact(ctx context.Context) error {
	var one int
	if j.store.say.marked != "" {
		err := j.shared.tx.QueryRowContext(ctx, j.store.say.marked).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return errEndedByRun
		}
		return err
	}
	_, err := j.shared.tx.ExecContext(ctx, removeMark)
	if err == nil {
		return nil
	}
	// If the connection answers, it is the savepoint that is not there.
	if j.shared.tx.QueryRowContext(ctx, `SELECT 1`).Scan(&one) == nil {
		return fmt.Errorf("%w: %w", errEndedByRun, err)
	}
	return err
}

// commit completes the key, or finds out what has become of it.
func (j *joint) commit(ctx context.Context, run idempotency.Settlement, ttl time.Duration) (stands idempotency.Settlement, told bool) {
	sent, err := j.write(ctx, run.Result, ttl)
	j.leave() // asking is writing, too
	switch {
	case err == nil:
		return run, true
	case errors.Is(err, errEndedByRun):
		return unknown(err), false
	case !sent:
		return j.undone(err), false
	}
	committed, asked := j.askAgain(ctx)
	switch {
	case asked != nil:
		return unknown(errors.Join(err, asked)), false
	case committed:
		return run, true
	default:
		return j.undone(err), true
	}
}

// write writes the key and commits. Sent says that the database may have been
// told to commit; without that, it comes to a rollback in any case.
func (j *joint) write(ctx context.Context, result []byte, ttl time.Duration) (sent bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, commitLimit)
	defer cancel()
	tx := j.shared.tx
	if err := j.complete(ctx, result, ttl); errors.Is(err, sql.ErrTxDone) {
		return false, errEndedByRun
	} else if err != nil {
		_ = sqltable.End(ctx, tx.Rollback)
		return false, err
	}
	if err = sqltable.End(ctx, tx.Commit); err != nil {
		j.cancel() // if the driver is still at it, it is not to be any more
	}
	return true, err
}

// complete completes the key in the transaction, if that is the one that began.
func (j *joint) complete(ctx context.Context, result []byte, ttl time.Duration) error {
	if j.store.dialect.fragile {
		if err := j.intact(ctx); err != nil {
			return err
		}
	}
	rows, err := changed(j.shared.tx.ExecContext(ctx, j.store.say.join,
		completion(result), result, millis(ttl), j.key[:], []byte(j.token)))
	if err != nil || rows > 0 {
		return err
	}
	if !j.store.dialect.fragile {
		if err := j.intact(ctx); err != nil {
			return err
		}
	}
	return idempotency.ErrNotOwner
}

// askAgain asks until it knows, or the caller has waited long enough.
func (j *joint) askAgain(ctx context.Context) (committed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	for pause := sqltable.FirstPause; ; pause *= 2 {
		if committed, err = j.ask(ctx); err == nil || !sqltable.Sleep(ctx, pause) {
			return committed, err
		}
	}
}

// ask finds out whether a commit that failed was made, by doing with the key what
// is to be done if it was not. As the transaction has written to the row, that
// waits until the transaction is over: it is not taken for lost while it may
// still be on its way.
func (j *joint) ask(ctx context.Context) (committed bool, err error) {
	undo := j.store.say.abandon
	if j.whole {
		undo = j.store.say.release
	}
	err = j.store.repeat(ctx, func(on asker) error {
		rows, err := j.store.exec(ctx, on, undo, j.key[:], []byte(j.token))
		if err != nil || rows > 0 {
			return err
		}
		r, err := j.store.find(ctx, on, j.key)
		committed = err == nil && r != nil && r.isOf(j.token) && (r.state == kept || r.state == dropped)
		return err
	})
	j.undecided = err != nil
	return committed, err
}

// decide is what the engine does in the background, until the database answers.
func (j *joint) decide(ctx context.Context) (wasUndecided bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.undecided {
		return false, nil
	}
	_, err = j.ask(ctx)
	return true, err
}

// undone is what stands after a success whose transaction was rolled back.
func (j *joint) undone(cause error) idempotency.Settlement {
	if !j.whole {
		return unknown(cause)
	}
	return idempotency.Settlement{Verdict: idempotency.Release, Err: notStored("the transaction was rolled back", cause)}
}

// notStored is what the caller gets where nothing was done.
func notStored(what string, cause error) error {
	return errors.System("", errors.WithCode(errors.CodeStore), errors.WithRetryable(), errors.WithEffect(errors.EffectNone),
		errors.WithCause(fmt.Errorf("portavoz/sqlstore: %s: %w", what, errors.NoEffect(cause))))
}

// unknown is what stands if nobody knows what happened.
func unknown(cause error) idempotency.Settlement {
	return idempotency.Settlement{Verdict: idempotency.Abandon, Err: errors.Unknown("",
		errors.WithCode(errors.CodeOutcomeUnknown), errors.WithEffect(errors.EffectUnknown),
		errors.WithCause(fmt.Errorf("portavoz/sqlstore: the transaction was not completed: %w", cause)))}
}

// changed is how many rows a statement has changed.
func changed(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
