package whaapy

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// Do sends one command to Redis and returns its answer: it is the Do method of any
// client, and the adapters that package redisstore shows fit. The command's name comes
// first; every argument is a string. The answers here are a string or a []byte. It is
// safe for concurrent use and returns soon after ctx has ended.
type Do func(ctx context.Context, args ...any) (any, error)

// closedPrefix begins every key.
const closedPrefix = "portavoz:closed:"

// The steps on one key. Both answer with the session that was asked about, so that the
// answer to another question, from a connection that is out of step, is not taken for
// their own.
const (
	closeLua    = "redis.call('SET', KEYS[1], '', 'PX', ARGV[2]) return ARGV[1]"
	isClosedLua = "return ARGV[1] .. ' ' .. redis.call('EXISTS', KEYS[1])"
)

// NewRedisClosed returns a [Closed] in Redis, or Valkey, for processes that share their
// sessions: one key with an expiry for each session that was closed, under
// "portavoz:closed:". The command is EVAL, and inside of the scripts SET and EXISTS. It
// panics if do is nil.
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
	answer, err := r.eval(ctx, closeLua, session, strconv.FormatInt(left, 10))
	if err == nil && answer != session {
		return errForeign
	}
	return err
}

// IsClosed implements [Closed].
func (r redisClosed) IsClosed(ctx context.Context, session string) (bool, error) {
	answer, err := r.eval(ctx, isClosedLua, session)
	switch {
	case err != nil:
		return false, err
	case answer == session+" 0":
		return false, nil
	case answer == session+" 1":
		return true, nil
	}
	return false, errForeign
}

var errForeign = errors.New("portavoz/whaapy: the answer of Redis is that to another question; the client is out of step")

func (r redisClosed) eval(ctx context.Context, script, session string, args ...string) (string, error) {
	words := []any{"EVAL", script, "1", closedPrefix + session, session}
	for _, arg := range args {
		words = append(words, arg)
	}
	answer, err := r.do(ctx, words...)
	if err != nil {
		return "", fmt.Errorf("portavoz/whaapy: Redis: %w", err)
	}
	switch t := answer.(type) {
	case string:
		return t, nil
	case []byte:
		return string(t), nil
	}
	return "", fmt.Errorf("portavoz/whaapy: the answer of Redis is %T and not text", answer)
}
