package redisstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// TestReplicas: after a write, and only then, the same connection waits.
func TestReplicas(t *testing.T) {
	t.Parallel()
	done := []any{int64(1)}
	tests := map[string]struct {
		step    string
		answers []any
		want    string // names of the commands of the session
		err     error  // nil: none
	}{
		"claim":               {"claim", []any{done, int64(2)}, "EVALSHA WAIT", nil},
		"one more":            {"claim", []any{done, int64(3)}, "EVALSHA WAIT", nil},
		"count as text":       {"claim", []any{done, []byte("2")}, "EVALSHA WAIT", nil},
		"one too few":         {"claim", []any{done, int64(1)}, "EVALSHA WAIT", errAny},
		"no count":            {"claim", []any{done, nil}, "EVALSHA WAIT", errAny},
		"WAIT fails":          {"claim", []any{done, errServer}, "EVALSHA WAIT", errServer},
		"nothing written":     {"claim", []any{[]any{int64(4)}}, "EVALSHA", nil},
		"claim fails":         {"claim", []any{errServer}, "EVALSHA", errServer},
		"unknown script":      {"claim", []any{errors.New("NOSCRIPT"), done, int64(2)}, "EVALSHA EVAL WAIT", nil},
		"complete":            {"complete", []any{done, int64(2)}, "EVALSHA WAIT", nil},
		"complete, too few":   {"complete", []any{done, int64(0)}, "EVALSHA WAIT", errAny},
		"complete, no owner":  {"complete", []any{[]any{int64(-1)}}, "EVALSHA", errAny},
		"release needs none":  {"release", nil, "", nil},
		"abandon needs none":  {"abandon", nil, "", nil},
		"extension asks none": {"extend", nil, "", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shared, own := &server{answers: []any{done}}, &server{answers: tt.answers}
			session := func(_ context.Context, key string, use func(redisstore.Do) error) error {
				if !strings.HasPrefix(key, "portavoz:ab00") {
					t.Errorf("session for the key %q", key)
				}
				return use(own.do)
			}
			s := newStore(t, shared.do, redisstore.WithReplicas(2, 1500*time.Microsecond, session))
			err := steps[tt.step](t.Context(), s)
			if !matches(err, tt.err) {
				t.Errorf("error = %v, want %v", err, tt.err)
			}
			var names []string
			for _, command := range own.commands {
				words := texts(t, command)
				names = append(names, words[0])
				if words[0] == "WAIT" && strings.Join(words, " ") != "WAIT 2 2" {
					t.Errorf("command = %q, want WAIT 2 2", words)
				}
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("commands of the session = %s, want %s", got, tt.want)
			}
			if own := tt.want != ""; own == (len(shared.commands) > 0) {
				t.Errorf("%d commands outside of the session", len(shared.commands))
			}
		})
	}
}

// TestSessionFails: without a connection there is no claim, and an error that the
// session keeps to itself is one all the same.
func TestSessionFails(t *testing.T) {
	t.Parallel()
	redis := &server{answers: []any{errServer}}
	tests := map[string]struct {
		session redisstore.Session
		want    error
	}{
		"no connection": {func(context.Context, string, func(redisstore.Do) error) error { return errServer }, errServer},
		"does nothing":  {func(context.Context, string, func(redisstore.Do) error) error { return nil }, errAny},
		"keeps errors":  {func(_ context.Context, _ string, use func(redisstore.Do) error) error { _ = use(redis.do); return nil }, errServer},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t, redis.do, redisstore.WithReplicas(1, time.Second, tt.session))
			if answer, err := s.Claim(t.Context(), claim); !matches(err, tt.want) || answer.Status != 0 {
				t.Errorf("claim = %v, %v; want the error %v", answer, err, tt.want)
			}
			if err := s.Complete(t.Context(), key, "TOKEN", nil, time.Hour); !matches(err, tt.want) {
				t.Errorf("complete = %v, want the error %v", err, tt.want)
			}
		})
	}
}
