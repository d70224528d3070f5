package idempotency

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Engine runs operations once per key. It is safe for concurrent use. Make one
// per store with [New] and call [Engine.Drain] at shutdown.
type Engine struct {
	store  Store
	cfg    Config
	name   string        // what the tokens of this engine begin with
	tokens atomic.Uint64 // how many there have been

	mu        sync.Mutex
	flights   map[Digest]*flight // the board
	open      int                // flights that have not ended, on the board or not
	unsettled int                // those of them that wait for the store
	draining  bool
	idle      chan struct{} // closed when draining and no flight is open
	giveUp    chan struct{} // closed when nobody waits for the store any more
	stop      sync.Once
}

// New returns an engine over the store. All that is wrong with the
// configuration is reported together, as a [*ConfigError] each.
func New(store Store, cfg Config) (*Engine, error) {
	cfg, err := cfg.withDefaults()
	if store == nil {
		err = errors.Join(err, &ConfigError{"store", "is nil"})
	}
	if err != nil {
		return nil, err
	}
	return &Engine{
		store: store, cfg: cfg, name: rand.Text(), flights: map[Digest]*flight{},
		idle: make(chan struct{}), giveUp: make(chan struct{}),
	}, nil
}

// Do runs the operation unless it is done, running, or its end is unknown.
//
// The function runs at most once at a time per key, in a goroutine of its own,
// under a context that keeps the values of ctx and not its end: a client that
// leaves does not stop it, [Config.RunLimit] does. A caller that finds it
// running waits and gets the same reply. Do returns early when ctx ends; the run
// goes on, and the next call finds its result. A ctx that has ended already
// starts nothing.
//
// The errors are those of the settlement, and typed ones of package errors:
//
//	VALIDATION  idempotency_key_required  op has no key
//	VALIDATION  idempotency_key_reused    the key is known with another fingerprint
//	SYSTEM      canceled, timeout         ctx ended before anything was started
//	SYSTEM      idempotency_store         the store could not be asked, or Drain was called
//	SYSTEM      busy                      MaxRunning operations are under way
//	SYSTEM      idempotency_full          the store has no room for another key
//	SYSTEM      in_progress               ctx ended before the run did
//	SYSTEM      panic                     the function panicked, or ended its goroutine
//	UNKNOWN     outcome_unknown           an earlier run stopped without saying how it ended
//	BLOCKER     already_done              it is done, and there is no result to give
//
// All but in_progress, panic and outcome_unknown prove that this call had no
// effect. An operation must not wait for itself: Do within its own run answers
// in_progress at once.
//
// It panics if run is nil.
func (e *Engine) Do(ctx context.Context, op Operation, run func(context.Context) Settlement) (Reply, error) {
	if run == nil {
		panic("portavoz/idempotency: Do needs a function")
	}
	if op.Key == "" {
		return Reply{}, errNoKey()
	}
	key := op.digest()
	for {
		f, leads, err := e.board(key, op)
		switch {
		case err != nil:
			return Reply{}, err
		case leads:
			e.lead(ctx, f, run)
		case within(ctx, key):
			return Reply{}, errInProgress(errWithin)
		case f.op.Fingerprint != op.Fingerprint:
			if !wait(ctx, f.known) {
				return Reply{}, errInProgress(context.Cause(ctx))
			}
			if f.holds {
				return Reply{}, errConflict()
			}
			continue // the key is not that flight's either, which has left
		}
		if !wait(ctx, f.done) {
			return Reply{}, errInProgress(context.Cause(ctx))
		}
		if leads || !f.again {
			return Reply{Result: f.reply.Result, Ran: leads && f.ran && !f.undone}, f.reply.Err
		}
	}
}

// wait reports whether ch was ready before ctx ended.
func wait[T any](ctx context.Context, ch <-chan T) bool {
	select {
	case <-ch:
		return true
	default:
	}
	select {
	case <-ch:
		return true
	case <-ctx.Done():
		return false
	}
}

// Drain refuses new operations and waits until those that run have ended and
// the store has taken their outcome, or until ctx ends; outcomes that the store
// has not taken by then are lost, and Drain returns the error of ctx.
// http.Server.Shutdown does not see such runs: call Drain after it. A second
// call waits as well.
func (e *Engine) Drain(ctx context.Context) error {
	e.mu.Lock()
	if !e.draining {
		e.draining = true
		if e.open == 0 {
			close(e.idle)
		}
	}
	e.mu.Unlock()
	if wait(ctx, e.idle) {
		return nil
	}
	e.stop.Do(func() { close(e.giveUp) })
	return context.Cause(ctx)
}

// report tells the operator. What goes wrong there must not change what becomes
// of an operation.
func (e *Engine) report(kind string, op Operation, err error) {
	if e.cfg.Report == nil {
		return
	}
	defer func() { _ = recover() }()
	e.cfg.Report(Incident{Kind: kind, Operation: op, Err: err})
}

// takesOver reports whether an engine like this one may run an operation whose
// owner is still running it, and only seems dead.
func (e *Engine) takesOver() bool { return e.cfg.Rerun || e.cfg.Probe != nil }

// ttl is how long an operation stays completed.
func (e *Engine) ttl(op Operation) time.Duration {
	if op.TTL > 0 {
		return op.TTL
	}
	return e.cfg.TTL
}
