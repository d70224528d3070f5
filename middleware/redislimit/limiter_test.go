package redislimit_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/redislimit"
)

// charge is one unit of the key's own bucket.
func charge(limit call.Limit) call.Charge {
	return call.Charge{Key: "asixto", Buckets: [call.Buckets]call.Bucket{{Limit: limit, Cost: 1}}}
}

// server stands for Redis. It answers what answer says, to the ticket that it was
// given, and counts the commands.
type server struct {
	commands atomic.Int64
	answer   func(command, ticket string) (any, error)
}

func (s *server) do(_ context.Context, args ...any) (any, error) {
	s.commands.Add(1)
	keys := args[2].(string)
	ticket := args[3+int(keys[0]-'0')].(string)
	return s.answer(args[0].(string), ticket)
}

func paid(_, ticket string) (any, error) { return "paid " + ticket, nil }

func gone(string, string) (any, error) { return nil, errGone }

var errGone = errors.New("dial tcp 10.0.0.7:6379: connect: connection refused")

func newLimiter(t *testing.T, s *server, cfg redislimit.Config) *redislimit.Limiter {
	t.Helper()
	l, err := redislimit.New(s.do, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	is := func(text string) func(string, string) (any, error) {
		return func(_, ticket string) (any, error) { return strings.ReplaceAll(text, "TICKET", ticket), nil }
	}
	for name, tc := range map[string]struct {
		answer   func(command, ticket string) (any, error)
		want     call.Verdict
		err      string // "": none
		commands int64
	}{
		"paid":              {is("paid TICKET"), call.Verdict{}, "", 1},
		"paid, in bytes":    {func(_, ticket string) (any, error) { return []byte("paid " + ticket), nil }, call.Verdict{}, "", 1},
		"to wait":           {is("wait TICKET 1500000 1"), call.Verdict{Wait: 1500 * time.Millisecond, Bucket: call.OfKey}, "", 1},
		"for the other key": {is("wait TICKET 7 2"), call.Verdict{Wait: 7 * time.Microsecond, Bucket: call.OfTool}, "", 1},
		"for ever":          {is("wait TICKET 9223372036854775807 1"), call.Verdict{Wait: 9223372036854774 * time.Microsecond}, "", 1},
		"an unknown script": {func(command, ticket string) (any, error) {
			if command == "EVALSHA" {
				return nil, fmt.Errorf("wrapped: %w", errors.New("NOSCRIPT No matching script"))
			}
			return paid(command, ticket)
		}, call.Verdict{}, "", 2},
		"another ticket":     {is("paid 8XY.1"), call.Verdict{}, "out of step", 1},
		"nothing":            {func(string, string) (any, error) { return nil, nil }, call.Verdict{}, "<nil> and not text", 1},
		"an integer":         {func(string, string) (any, error) { return int64(1), nil }, call.Verdict{}, "int64 and not text", 1},
		"an unknown word":    {is("free TICKET"), call.Verdict{}, "not understood", 1},
		"paid and more":      {is("paid TICKET 1"), call.Verdict{}, "not understood", 1},
		"no time":            {is("wait TICKET 0 1"), call.Verdict{}, "not understood", 1},
		"no number":          {is("wait TICKET 1e3 1"), call.Verdict{}, "not understood", 1},
		"a third key of two": {is("wait TICKET 7 3"), call.Verdict{}, "not understood", 1},
		"an error":           {gone, call.Verdict{}, "connection refused", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{answer: tc.answer}
			l := newLimiter(t, s, redislimit.Config{Away: redislimit.AwayDeny})
			c := charge(call.Rate(1, time.Second, 5))
			c.Buckets[call.OfTool] = call.Bucket{Name: "t", Limit: call.Rate(1, time.Second, 5), Cost: 1}
			got, err := l.Take(t.Context(), c)
			if got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("got error %v, want %q", err, tc.err)
			}
			if got := s.commands.Load(); got != tc.commands {
				t.Errorf("%d commands, want %d", got, tc.commands)
			}
		})
	}
}

// FuzzAnswer: but for the two answers that the script gives, nothing is a verdict.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"paid TICKET", "wait TICKET 1500000 1", "wait TICKET -1 1", "wait TICKET 1 0", "paid", "", " TICKET"} {
		f.Add(seed)
	}
	verdict := regexp.MustCompile(`^(paid TICKET|wait TICKET \+?0*[1-9][0-9]* \+?0*1)$`)
	f.Fuzz(func(t *testing.T, text string) {
		s := &server{answer: func(_, ticket string) (any, error) { return strings.ReplaceAll(text, "TICKET", ticket), nil }}
		v, err := newLimiter(t, s, redislimit.Config{Away: redislimit.AwayDeny}).Take(t.Context(), charge(call.Rate(1, time.Second, 5)))
		if err == nil && (!verdict.MatchString(text) || v.Allowed() != (text == "paid TICKET")) {
			t.Errorf("%q reads as %+v", text, v)
		}
	})
}

func TestCommand(t *testing.T) {
	t.Parallel()
	var got []string
	l, err := redislimit.New(func(_ context.Context, args ...any) (any, error) {
		for _, arg := range args {
			got = append(got, arg.(string))
		}
		return nil, errGone
	}, redislimit.Config{Prefix: "citas:"})
	if err != nil {
		t.Fatal(err)
	}
	c := charge(call.Rate(3, time.Second, 40))
	c.Buckets[call.OfConversation] = call.Bucket{Name: "cnv_1", Limit: call.Rate(1, time.Second, 10)}
	_, _ = l.Take(t.Context(), c)
	if len(got) != 12 || got[0] != "EVALSHA" || got[2] != "2" {
		t.Fatalf("the command is %q", got)
	}
	keys := []string{got[3], got[4]}
	tag, _, _ := strings.Cut(keys[0], "}")
	if !strings.HasPrefix(tag, "citas:{") || keys[0] != tag+"}k" || !strings.HasPrefix(keys[1], tag+"}c") || len(keys[1]) != len(keys[0])+20 {
		t.Errorf("the keys are %q, want both with the same tag", keys)
	}
	if strings.Contains(strings.Join(keys, ""), "asixto") || strings.Contains(strings.Join(keys, ""), "cnv_1") {
		t.Errorf("the keys %q tell names", keys)
	}
	if args := strings.Join(got[6:], " "); args != "333334 40 1 1000000 10 0" {
		t.Errorf("the arguments are %q, want microseconds, burst and cost of both", args)
	}
}

// TestWithoutRedis: what needs no counting asks nobody, while Redis answers and
// while it is away, and says nothing of whether it has come back.
func TestWithoutRedis(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: gone}
		l := newLimiter(t, s, redislimit.Config{Away: redislimit.AwayDeny})
		limit := call.Rate(1, time.Second, 5)
		tooMuch := charge(limit)
		tooMuch.Buckets[call.OfConversation] = call.Bucket{Name: "c", Limit: call.Rate(1, time.Second, 2), Cost: 3}
		for _, step := range []struct {
			name     string
			asks     bool
			pause    time.Duration
			commands int64
		}{
			{name: "before", commands: 0},
			{name: "in the pause after a failure", asks: true, commands: 1},
			{name: "after the pause", pause: time.Second, commands: 1},
			{name: "and asked again", asks: true, commands: 2},
		} {
			time.Sleep(step.pause)
			if step.asks {
				if v, err := l.Take(t.Context(), charge(limit)); !errors.Is(err, errGone) {
					t.Errorf("%s: got %+v, %v, want that Redis is gone", step.name, v, err)
				}
			}
			if v, err := l.Take(t.Context(), call.Charge{Key: "k"}); err != nil || !v.Allowed() {
				t.Errorf("%s, no limit: got %+v, %v", step.name, v, err)
			}
			if v, err := l.Take(t.Context(), tooMuch); err != nil || v != (call.Verdict{Wait: call.Never, Bucket: call.OfConversation}) {
				t.Errorf("%s, more than a bucket can hold: got %+v, %v", step.name, v, err)
			}
			if got := s.commands.Load(); got != step.commands {
				t.Errorf("%s: %d commands, want %d", step.name, got, step.commands)
			}
		}
		if _, err := l.Take(t.Context(), charge(limit)); err == nil || errors.Is(err, errGone) || s.commands.Load() != 2 {
			t.Errorf("in the second pause: got %v after %d commands, want Redis not asked", err, s.commands.Load())
		}
	})
}

func TestAway(t *testing.T) {
	t.Parallel()
	limit := call.Rate(1, time.Hour, 12)
	for _, tc := range []struct {
		name    string
		cfg     redislimit.Config
		allowed int // of 20 calls while Redis is away
		fails   bool
	}{
		{"in this process, by default", redislimit.Config{}, 12, false},
		{"a quarter of it", redislimit.Config{Processes: 4}, 3, false},
		{"deny", redislimit.Config{Away: redislimit.AwayDeny}, 0, true},
		{"allow", redislimit.Config{Away: redislimit.AwayAllow}, 20, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(t, &server{answer: gone}, tc.cfg)
				allowed := 0
				for range 20 {
					v, err := l.Take(t.Context(), charge(limit))
					if (err != nil) != tc.fails {
						t.Fatalf("got error %v", err)
					}
					if err == nil && v.Allowed() {
						allowed++
					}
				}
				if allowed != tc.allowed {
					t.Errorf("%d of 20 calls were allowed, want %d", allowed, tc.allowed)
				}
			})
		})
	}
}

// TestAwayGivesNoFreshBurst: what was paid in Redis is known here when it goes.
func TestAwayGivesNoFreshBurst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: paid}
		l := newLimiter(t, s, redislimit.Config{})
		limit := call.Rate(1, time.Hour, 10)
		for range 7 {
			if v, err := l.Take(t.Context(), charge(limit)); err != nil || !v.Allowed() {
				t.Fatalf("got %+v, %v", v, err)
			}
		}
		s.answer = func(_, ticket string) (any, error) { return "wait " + ticket + " 1000000 1", nil }
		for range 50 { // what Redis refuses costs nothing here either
			_, _ = l.Take(t.Context(), charge(limit))
		}
		s.answer = gone
		left := 0
		for range 20 {
			if v, _ := l.Take(t.Context(), charge(limit)); v.Allowed() {
				left++
			}
		}
		if left != 3 {
			t.Errorf("%d calls got through without Redis, want the 3 that were left", left)
		}
	})
}

// TestPause: after a failure nobody waits for Redis, but one call each second.
func TestPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: gone}
		var reports []error
		l := newLimiter(t, s, redislimit.Config{Away: redislimit.AwayDeny, Report: func(err error) { reports = append(reports, err) }})
		limit := call.Rate(100, time.Second, 100)
		for range 5 * 100 { // five seconds of outage
			if _, err := l.Take(t.Context(), charge(limit)); err == nil {
				t.Fatal("a call was allowed while Redis was away")
			}
			time.Sleep(10 * time.Millisecond)
		}
		if got := s.commands.Load(); got != 5 {
			t.Errorf("Redis was asked %d times, want once a second", got)
		}
		if len(reports) != 5 || !errors.Is(reports[0], errGone) {
			t.Errorf("%d reports, the first %v; want one for each time that it was asked", len(reports), reports[0])
		}
		s.answer = paid
		for range 10 {
			if _, err := l.Take(t.Context(), charge(limit)); err != nil {
				t.Fatalf("after the outage: %v", err)
			}
		}
		if got := s.commands.Load(); got != 15 {
			t.Errorf("Redis was asked %d times, want every time again", got-5)
		}
	})
}

// TestTimeout: a Redis that is silent holds a call up once, and no longer than
// was said.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, err := redislimit.New(func(ctx context.Context, _ ...any) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, redislimit.Config{Timeout: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for range 3 {
			if v, err := l.Take(t.Context(), charge(call.Rate(1, time.Second, 5))); err != nil || !v.Allowed() {
				t.Errorf("got %+v, %v, want it counted here", v, err)
			}
		}
		if got := time.Since(begun); got != 50*time.Millisecond {
			t.Errorf("three calls took %v, want the timeout once", got)
		}
	})
}

// TestCallerLeaves: a call that ends is no failure of Redis.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{answer: paid}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		l := newLimiter(t, s, redislimit.Config{Report: func(err error) { t.Errorf("reported %v", err) }})
		if _, err := l.Take(ctx, charge(call.Rate(1, time.Second, 5))); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the end of the call", err)
		}
		if _, err := l.Take(t.Context(), charge(call.Rate(1, time.Second, 5))); err != nil || s.commands.Load() != 1 {
			t.Errorf("the next call got %v, and Redis was asked %d times", err, s.commands.Load())
		}
	})
}

func TestNewProblems(t *testing.T) {
	t.Parallel()
	_, err := redislimit.New(nil, redislimit.Config{Prefix: "a{b", Timeout: -1, Away: 3, Processes: -1})
	for _, want := range []string{"Do is nil", "a brace", "negative", "no such policy", "number of processes"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want all problems, also %q", err, want)
		}
	}
}

func Example() {
	// go-redis: func(ctx context.Context, args ...any) (any, error) { return client.Do(ctx, args...).Result() }
	do := (&server{answer: gone}).do

	limiter, err := redislimit.New(do, redislimit.Config{
		Away:      redislimit.AwayLocal,
		Processes: 4, // each gives a quarter while Redis is away
		Report:    func(err error) { fmt.Println("Redis:", err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = middleware.RateLimit(call.Rate(20, time.Second, 40), middleware.RateLimitConfig{Limiter: limiter})

	verdict, err := limiter.Take(context.Background(), charge(call.Rate(20, time.Second, 40)))
	fmt.Println(verdict.Allowed(), err)
	// Output:
	// Redis: dial tcp 10.0.0.7:6379: connect: connection refused
	// true <nil>
}
