package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// replicas says who has to take a record before it counts as written.
type replicas struct {
	n        int
	patience time.Duration
	session  Session
}

func (r *replicas) validate() error {
	var problems []error
	if r.n < 1 {
		problems = append(problems, errors.New("portavoz/redisstore: fewer than one replica to wait for"))
	}
	if r.patience < time.Millisecond { // and WAIT takes 0 for ever
		problems = append(problems, errors.New("portavoz/redisstore: less than a millisecond to wait for replicas"))
	}
	if r.session == nil {
		problems = append(problems, errors.New("portavoz/redisstore: waiting for replicas needs a Session"))
	}
	return errors.Join(problems...)
}

// written runs a step and, if it wrote, waits for the replicas. WAIT counts from
// the last write of its own connection, hence the session.
func (s *Store) written(ctx context.Context, key string, step func(Do, string) (wrote bool, err error)) error {
	if s.replicas == nil {
		_, err := step(s.do, key)
		return err
	}
	err := errUnused
	errSession := s.replicas.session(ctx, key, func(do Do) error {
		var wrote bool
		if wrote, err = step(do, key); err == nil && wrote {
			err = s.replicas.wait(ctx, do)
		}
		return err
	})
	if errSession != nil {
		return errSession
	}
	return err
}

// errUnused: a session that says that all is well has to have done something.
var errUnused = errors.New("portavoz/redisstore: the Session returned without a call of use")

func (r *replicas) wait(ctx context.Context, do Do) error {
	answer, err := do(ctx, "WAIT", strconv.Itoa(r.n), millis(r.patience))
	if err != nil {
		return err
	}
	taken, ok := number([]any{answer}, 0)
	if !ok {
		return fmt.Errorf("portavoz/redisstore: the answer to WAIT is %T and not a number", answer)
	}
	if taken < int64(r.n) {
		return fmt.Errorf("portavoz/redisstore: %d of %d replicas took the record in time", taken, r.n)
	}
	return nil
}
