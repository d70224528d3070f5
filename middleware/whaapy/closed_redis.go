package whaapy

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Do sends one command to Redis and returns its answer: it is the Do method of any
// client, and has the shape of that of package redisstore, which shows adapters. The
// command's name comes first; every argument is a string. An answer is a string or a
// []byte, or a []any of those and nil. It is safe for concurrent use and returns soon
// after ctx has ended.
type Do func(ctx context.Context, args ...any) (any, error)

// closedPrefix begins every key.
const closedPrefix = "portavoz:closed:"

// NewRedisClosed returns a [Closed] in Redis, or Valkey, for processes that share their
// sessions: one key with an expiry for each session that was closed, under
// "portavoz:closed:". The commands are SET and MGET. It panics if do is nil.
func NewRedisClosed(do Do) Closed {
	if do == nil {
		panic("portavoz/whaapy: NewRedisClosed needs a Do")
	}
	return redisClosed{do}
}

type redisClosed struct{ do Do }

var _ Closed = redisClosed{}

// Close implements [Closed].
func (r redisClosed) Close(ctx context.Context, session string, until time.Time) error {
	left := time.Until(until).Milliseconds()
	if left <= 0 {
		return nil
	}
	// The value says whose it is, see IsClosed.
	answer, err := r.do(ctx, "SET", closedPrefix+session, session, "PX", strconv.FormatInt(left, 10))
	if err != nil {
		return fmt.Errorf("portavoz/whaapy: SET: %w", err)
	}
	if said, ok := word(answer); !ok || said != "OK" {
		return fmt.Errorf("portavoz/whaapy: the answer to SET is %T and not OK", answer)
	}
	return nil
}

// IsClosed implements [Closed]. An answer to another question, from a connection that is
// out of step, is an error.
func (r redisClosed) IsClosed(ctx context.Context, session string) (bool, error) {
	answer, err := r.do(ctx, "MGET", closedPrefix+session) // GET has no key for an error in some clients
	if err != nil {
		return false, fmt.Errorf("portavoz/whaapy: MGET: %w", err)
	}
	values, ok := answer.([]any)
	if !ok || len(values) != 1 {
		return false, fmt.Errorf("portavoz/whaapy: the answer to MGET is %T and not one value", answer)
	}
	if values[0] == nil {
		return false, nil
	}
	if said, ok := word(values[0]); !ok || said != session {
		return false, errors.New("portavoz/whaapy: the answer is that to another question; the client is out of step")
	}
	return true, nil
}

func word(answer any) (string, bool) {
	switch t := answer.(type) {
	case string:
		return t, true
	case []byte:
		return string(t), true
	}
	return "", false
}
