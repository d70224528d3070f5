package redisstore_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// The scripts themselves are tested against a real server, in examples/redis.

// server stands for Redis and the client in front of it: it writes down the
// commands and gives the answers that it was told, the last one for ever. It puts
// the ticket of the question behind the status, as the scripts do.
type server struct {
	commands [][]any
	answers  []any // an error at this level is returned as such
}

func (s *server) do(_ context.Context, args ...any) (any, error) {
	s.commands = append(s.commands, args)
	switch answer := s.answers[min(len(s.commands), len(s.answers))-1].(type) {
	case error:
		return nil, answer
	case []any:
		if len(answer) > 0 && len(args) > 4 {
			return slices.Insert(slices.Clone(answer), 1, args[4]), nil
		}
		return answer, nil
	default:
		return answer, nil
	}
}

func newStore(t testing.TB, do redisstore.Do, opts ...redisstore.Option) *redisstore.Store {
	t.Helper()
	s, err := redisstore.New(do, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	key   = idempotency.Digest{0xab, 31: 0x01}
	claim = idempotency.Claim{
		Key: key, Fingerprint: idempotency.Digest{0, 0xff, '\n'}, Token: "TOKEN",
		Lease: 30 * time.Second, TTL: time.Hour,
	}
)

// steps are the methods, each with arguments that make sense.
var steps = map[string]func(context.Context, *redisstore.Store) error{
	"claim": func(ctx context.Context, s *redisstore.Store) error { _, err := s.Claim(ctx, claim); return err },
	"complete": func(ctx context.Context, s *redisstore.Store) error {
		return s.Complete(ctx, key, "TOKEN", []byte("r"), 1)
	},
	"release": func(ctx context.Context, s *redisstore.Store) error { return s.Release(ctx, key, "TOKEN") },
	"abandon": func(ctx context.Context, s *redisstore.Store) error { return s.Abandon(ctx, key, "TOKEN") },
	"extend":  func(ctx context.Context, s *redisstore.Store) error { return s.Extend(ctx, key, "TOKEN", time.Second) },
}

func TestNew(t *testing.T) {
	t.Parallel()
	redis := &server{answers: []any{[]any{int64(1)}}}
	session := func(_ context.Context, _ string, use func(redisstore.Do) error) error { return use(redis.do) }
	tests := map[string]struct {
		do   redisstore.Do
		opts []redisstore.Option
		want []string // nil: no error
	}{
		"defaults":     {redis.do, nil, nil},
		"all options":  {redis.do, []redisstore.Option{redisstore.WithPrefix(""), redisstore.WithReplicas(1, time.Second, session)}, nil},
		"no Do":        {nil, nil, []string{"Do is nil"}},
		"hash tag":     {redis.do, []redisstore.Option{redisstore.WithPrefix("{app}:")}, []string{"brace"}},
		"all problems": {nil, []redisstore.Option{redisstore.WithPrefix("}"), redisstore.WithReplicas(0, 0, nil)}, []string{"Do is nil", "brace", "one replica", "millisecond", "Session"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := redisstore.New(tt.do, tt.opts...)
			if (err == nil) != (tt.want == nil) || (s == nil) != (err != nil) {
				t.Fatalf("New = %v, %v; want an error: %v", s, err, tt.want != nil)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want %q in it", err, want)
				}
			}
		})
	}
}

// TestCommands: one command each, of strings alone, the key where clients look
// for it.
func TestCommands(t *testing.T) {
	t.Parallel()
	const name = "app:ab00000000000000000000000000000000000000000000000000000000000001"
	binary := "\x00\xff\r\n{}"
	takeover := claim
	takeover.Takeover, takeover.Lease, takeover.TTL = true, time.Nanosecond, 1500*time.Microsecond
	short := claim
	short.TTL = time.Second
	ctx := t.Context()
	tests := map[string]struct {
		step func(*redisstore.Store) error
		want []string // behind the key and the ticket
	}{
		"claim":            {func(s *redisstore.Store) error { _, err := s.Claim(ctx, claim); return err }, []string{string(claim.Fingerprint[:]), "TOKEN", "30000", "3600000", "0"}},
		"durations are up": {func(s *redisstore.Store) error { _, err := s.Claim(ctx, takeover); return err }, []string{string(claim.Fingerprint[:]), "TOKEN", "1", "2", "1"}},
		"lease above TTL":  {func(s *redisstore.Store) error { _, err := s.Claim(ctx, short); return err }, []string{string(claim.Fingerprint[:]), "TOKEN", "30000", "30000", "0"}},
		"complete": {func(s *redisstore.Store) error {
			return s.Complete(ctx, key, "TOKEN", []byte("123456789"), time.Minute)
		}, []string{"TOKEN", "k", "e3069283", "123456789", "60000"}},
		"any bytes":    {func(s *redisstore.Store) error { return s.Complete(ctx, key, "TOKEN", []byte(binary), time.Minute) }, []string{"TOKEN", "k", "08452134", binary, "60000"}},
		"empty result": {func(s *redisstore.Store) error { return s.Complete(ctx, key, "TOKEN", []byte{}, time.Minute) }, []string{"TOKEN", "k", "00000000", "", "60000"}},
		"no result":    {func(s *redisstore.Store) error { return s.Complete(ctx, key, "TOKEN", nil, time.Minute) }, []string{"TOKEN", "d", "00000000", "", "60000"}},
		"release":      {func(s *redisstore.Store) error { return s.Release(ctx, key, "TOKEN") }, []string{"TOKEN"}},
		"abandon":      {func(s *redisstore.Store) error { return s.Abandon(ctx, key, "TOKEN") }, []string{"TOKEN"}},
		"extend":       {func(s *redisstore.Store) error { return s.Extend(ctx, key, "TOKEN", time.Second) }, []string{"TOKEN", "1000"}},
	}
	for title, tt := range tests {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			redis := &server{answers: []any{[]any{int64(1)}}}
			if err := tt.step(newStore(t, redis.do, redisstore.WithPrefix("app:"))); err != nil {
				t.Fatal(err)
			}
			if len(redis.commands) != 1 {
				t.Fatalf("%d commands, want 1", len(redis.commands))
			}
			words := texts(t, redis.commands[0])
			if words[0] != "EVALSHA" || len(words[1]) != 40 || words[2] != "1" || words[3] != name {
				t.Errorf("command = %q, want EVALSHA sha 1 %s", words[:4], name)
			}
			if got := words[5:]; fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
				t.Errorf("arguments = %q,\nwant %q", got, tt.want)
			}
		})
	}
}

func texts(t *testing.T, command []any) []string {
	t.Helper()
	words := make([]string, len(command))
	for i, arg := range command {
		word, ok := arg.(string)
		if !ok {
			t.Fatalf("argument %d is %T, want a string", i, arg)
		}
		words[i] = word
	}
	return words
}

// TestSenseless: what must not reach a record does not reach the server.
func TestSenseless(t *testing.T) {
	t.Parallel()
	with := func(change func(*idempotency.Claim)) func(context.Context, *redisstore.Store) error {
		c := claim
		change(&c)
		return func(ctx context.Context, s *redisstore.Store) error { _, err := s.Claim(ctx, c); return err }
	}
	tests := map[string]func(context.Context, *redisstore.Store) error{
		"no token":      with(func(c *idempotency.Claim) { c.Token = "" }),
		"long token":    with(func(c *idempotency.Claim) { c.Token = strings.Repeat("x", 65) }),
		"no lease":      with(func(c *idempotency.Claim) { c.Lease = 0 }),
		"negative TTL":  with(func(c *idempotency.Claim) { c.TTL = -1 }),
		"complete, TTL": func(ctx context.Context, s *redisstore.Store) error { return s.Complete(ctx, key, "t", nil, 0) },
		"extend, lease": func(ctx context.Context, s *redisstore.Store) error { return s.Extend(ctx, key, "t", -time.Second) },
	}
	for name, step := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := &server{answers: []any{[]any{int64(1)}}}
			if err := step(t.Context(), newStore(t, redis.do)); err == nil {
				t.Error("no error")
			}
			if len(redis.commands) != 0 {
				t.Errorf("commands = %q, want none", redis.commands)
			}
		})
	}
}

// TestUnknownScript: a server that has not seen the script gets its text, once,
// however the client says so.
func TestUnknownScript(t *testing.T) {
	t.Parallel()
	unknown := errors.New("NOSCRIPT No matching script. Please use EVAL.") //nolint:revive // the text of the server
	other := errors.New("LOADING Redis is loading the dataset in memory")
	tests := map[string]struct {
		answers  []any
		commands string
		want     error // nil: none
	}{
		"known":             {[]any{[]any{int64(1)}}, "EVALSHA", nil},
		"unknown":           {[]any{unknown, []any{int64(1)}}, "EVALSHA EVAL", nil},
		"unknown, wrapped":  {[]any{fmt.Errorf("client: %w", unknown), []any{int64(1)}}, "EVALSHA EVAL", nil},
		"unknown, inside":   {[]any{[]any{unknown}, []any{int64(1)}}, "EVALSHA EVAL", nil},
		"another error":     {[]any{other}, "EVALSHA", other},
		"unknown as a text": {[]any{errors.New("connection closed; was NOSCRIPT")}, "EVALSHA", errAny},
		"error of the text": {[]any{unknown, other}, "EVALSHA EVAL", other},
		"always unknown":    {[]any{unknown}, "EVALSHA EVAL", unknown},
	}
	for name, tt := range tests {
		for step, run := range steps {
			t.Run(name+", "+step, func(t *testing.T) {
				t.Parallel()
				redis := &server{answers: tt.answers}
				err := run(t.Context(), newStore(t, redis.do))
				if !matches(err, tt.want) {
					t.Errorf("error = %v, want %v", err, tt.want)
				}
				var names []string
				for _, command := range redis.commands {
					names = append(names, texts(t, command)[0])
				}
				if got := strings.Join(names, " "); got != tt.commands {
					t.Fatalf("commands = %s, want %s", got, tt.commands)
				}
				if len(names) == 2 {
					wantSame(t, texts(t, redis.commands[0]), texts(t, redis.commands[1]))
				}
			})
		}
	}
}

// wantSame: EVAL says what EVALSHA said, with the text instead of its name.
func wantSame(t *testing.T, bySHA, byText []string) {
	t.Helper()
	sum := sha1.Sum([]byte(byText[1]))
	if got := hex.EncodeToString(sum[:]); got != bySHA[1] {
		t.Errorf("SHA-1 of the text = %s, want %s", got, bySHA[1])
	}
	if got, want := fmt.Sprintf("%q", byText[2:]), fmt.Sprintf("%q", bySHA[2:]); got != want {
		t.Errorf("arguments of EVAL = %s,\nwant %s", got, want)
	}
}

// errAny stands for an error of which a test knows no more.
var errAny = errors.New("any")

// matches reports whether an error is the one that a test wants, or whether
// there is none if it wants none.
func matches(err, want error) bool {
	if errors.Is(want, errAny) {
		return err != nil
	}
	return errors.Is(err, want)
}

// TestOutOfStep: a client that gives the answer to another question, although it
// is a good one, gets nobody a permission or another's result.
func TestOutOfStep(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ status, ticket any }{
		"acquired":        {int64(1), "ABCDEFGH.1"},
		"completed":       {int64(3), "ABCDEFGH.1"},
		"ticket as bytes": {int64(1), []byte("ABCDEFGH.1")},
		"no text":         {int64(1), int64(1)},
		"empty":           {int64(1), ""},
		"nil":             {int64(1), nil},
	}
	for name, tt := range tests {
		for step, run := range steps {
			t.Run(name+", "+step, func(t *testing.T) {
				t.Parallel()
				s := newStore(t, func(context.Context, ...any) (any, error) {
					return []any{tt.status, tt.ticket, int64(9000), "e3069283", "123456789"}, nil
				})
				if err := run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "out of step") {
					t.Errorf("error = %v, want one that says that the client is out of step", err)
				}
			})
		}
	}
	t.Run("tickets differ", func(t *testing.T) {
		t.Parallel()
		redis := &server{answers: []any{[]any{int64(1)}}}
		for range 2 {
			s := newStore(t, redis.do)
			for range 3 {
				succeeds(t, s.Release(t.Context(), key, "TOKEN"))
			}
		}
		seen := map[string]bool{}
		for _, command := range redis.commands {
			seen[texts(t, command)[4]] = true
		}
		if len(seen) != len(redis.commands) {
			t.Errorf("%d tickets for %d questions", len(seen), len(redis.commands))
		}
	})
}

func succeeds(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestContext: Do gets the caller's context, and is not called when that has
// ended, not even for the second command.
func TestContext(t *testing.T) {
	t.Parallel()
	for step, run := range steps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			calls := 0
			ctx, cancel := context.WithCancel(t.Context())
			s := newStore(t, func(got context.Context, _ ...any) (any, error) {
				calls++
				if got != ctx {
					t.Error("Do got another context")
				}
				cancel()
				return nil, errors.New("NOSCRIPT")
			})
			if err := run(ctx, s); !errors.Is(err, context.Canceled) {
				t.Errorf("ended in between: error = %v, want context.Canceled", err)
			}
			if err := run(ctx, s); !errors.Is(err, context.Canceled) {
				t.Errorf("ended before: error = %v, want context.Canceled", err)
			}
			if calls != 1 {
				t.Errorf("%d commands, want 1", calls)
			}
		})
	}
}
