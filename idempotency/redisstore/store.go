package redisstore

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"sync/atomic"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// Do sends one command to Redis and returns its answer: it is the Do method of
// any client, see the package comment. The command's name comes first; every
// argument is a string, which may hold any bytes. It is safe for concurrent use
// and returns soon after ctx has ended.
//
// An answer is an int64, a string or a []byte that nobody writes to any more,
// or a []any of those. An error of the server, whose text is its own, is
// returned or is an element of the answer.
type Do func(ctx context.Context, args ...any) (any, error)

// Session calls use with a Do whose commands all go over one connection, which
// nobody else uses meanwhile, to the server that holds key. It returns the error
// of use, or its own if there was no connection.
type Session func(ctx context.Context, key string, use func(Do) error) error

// Store is an [idempotency.Store] in Redis. It is safe for concurrent use, holds
// no resources, and needs no closing.
type Store struct {
	do       Do
	prefix   string
	replicas *replicas // nil: nobody waits for any

	name    string // random; begins every ticket
	tickets atomic.Uint64

	claim, complete, release, abandon, extend script
}

var _ idempotency.Store = (*Store)(nil)

// Option tunes a [Store].
type Option func(*Store)

// WithPrefix begins every key with the prefix; the rest are 64 hexadecimal
// digits. Programs that share keys have the same prefix. It holds no braces,
// which would gather all keys on one node of a cluster. Default: "portavoz:".
func WithPrefix(prefix string) Option { return func(s *Store) { s.prefix = prefix } }

// WithReplicas makes Claim and Complete wait until that many replicas have taken
// what was written, for at most patience; if they have not by then, the call
// fails. An effect then happens only if its claim is known elsewhere.
//
// It costs a second round trip and a connection of its own, and it narrows what
// a failover forgets without closing it: a replica that did not take the record
// may be the one that is promoted. Patience is at least a millisecond and
// shorter than the time after which the client gives up an answer. Default: no
// waiting.
func WithReplicas(n int, patience time.Duration, session Session) Option {
	return func(s *Store) { s.replicas = &replicas{n, patience, session} }
}

// New returns a store that speaks to Redis through do. It does not connect; call
// [Check] to learn whether the server keeps what it is told. All that is wrong
// with the configuration is reported together.
func New(do Do, opts ...Option) (*Store, error) {
	s := &Store{
		do: do, prefix: "portavoz:", name: rand.Text()[:8] + ".",
		claim: newScript(claimLua), complete: newScript(completeLua), release: newScript(releaseLua),
		abandon: newScript(abandonLua), extend: newScript(extendLua),
	}
	for _, opt := range opts {
		opt(s)
	}
	var problems []error
	if do == nil {
		problems = append(problems, errors.New("portavoz/redisstore: Do is nil"))
	}
	if strings.ContainsAny(s.prefix, "{}") {
		problems = append(problems, errors.New("portavoz/redisstore: the prefix holds a brace"))
	}
	if s.replicas != nil {
		problems = append(problems, s.replicas.validate())
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return s, nil
}

// key is where the record of an operation is.
func (s *Store) key(operation idempotency.Digest) string {
	buf := make([]byte, 0, len(s.prefix)+2*len(operation))
	return string(hex.AppendEncode(append(buf, s.prefix...), operation[:]))
}
