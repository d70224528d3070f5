package whaapy_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	mwcall "github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

func key(fill byte) []byte { return bytes.Repeat([]byte{fill}, 32) }

// newSessions returns sessions with a key, which give Closed a minute: a machine may be
// busy for 100 ms.
func newSessions(tb testing.TB, cfg whaapy.SessionsConfig) *whaapy.Sessions {
	tb.Helper()
	cfg.Timeout = time.Minute
	if cfg.Keys == nil {
		cfg.Keys = [][]byte{key(1)}
	}
	s, err := whaapy.NewSessions(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// hangs is a [whaapy.Closed] that never answers.
type hangs struct{}

func (hangs) Close(ctx context.Context, _ string, _ time.Time) error {
	<-ctx.Done()
	return ctx.Err()
}

func (hangs) IsClosed(ctx context.Context, _ string) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

// TestSessionsDoNotWaitForClosed asks one that hangs: after 100 ms, or what the
// configuration says, the session counts as open.
func TestSessionsDoNotWaitForClosed(t *testing.T) {
	t.Parallel()
	for timeout, want := range map[time.Duration]time.Duration{0: 100 * time.Millisecond, time.Second: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var reported []error
			s, err := whaapy.NewSessions(whaapy.SessionsConfig{
				Keys: [][]byte{key(1)}, Closed: hangs{}, Timeout: timeout, Report: func(err error) { reported = append(reported, err) },
			})
			if err != nil {
				t.Fatal(err)
			}
			id, from := manager(s).Generate(), time.Now()
			checkState(t, "nobody answers", s, id, "open")
			if took := time.Since(from); took != want {
				t.Errorf("a call waited %v, want %v", took, want)
			}
			if _, err := manager(s).Terminate(id); err == nil {
				t.Error("nobody could be told that it is closed, and that is no error")
			}
			if took := time.Since(from); took != 2*want {
				t.Errorf("both waited %v, want %v", took, 2*want)
			}
			for _, err := range reported {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("reported is %v", err)
				}
			}
			if len(reported) != 2 {
				t.Errorf("%d failures are reported, want both", len(reported))
			}
		})
	}
}

// manager is what mcp-go asks during a request.
func manager(s *whaapy.Sessions) server.SessionIdManager {
	return s.ResolveSessionIdManager(httptest.NewRequest(http.MethodPost, "/", nil))
}

// state says in a word what becomes of a call with the id.
func state(s *whaapy.Sessions, id string) string {
	switch terminated, err := manager(s).Validate(id); {
	case err != nil:
		return "unknown"
	case terminated:
		return "closed"
	}
	return "open"
}

func checkState(tb testing.TB, what string, s *whaapy.Sessions, id, want string) {
	tb.Helper()
	if got := state(s, id); got != want {
		tb.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestSessionsForeignIDs(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	id := manager(s).Generate()
	checkState(t, "its own", s, id, "open")
	for name, other := range map[string]string{
		"none": "", "made up": "mcp-session-1", "no base64": "????", "long": strings.Repeat("A", 10_000),
		"cut": id[:len(id)-2], "longer": id + "AA", "padded": id + "=", "another key's": manager(newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(2)}})).Generate(),
	} {
		checkState(t, name, s, other, "unknown")
	}
	raw, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		forged := bytes.Clone(raw)
		forged[i] ^= 1
		checkState(t, fmt.Sprintf("byte %d changed", i), s, base64.RawURLEncoding.EncodeToString(forged), "unknown")
	}
}

// TestSessionsBelongToTheirCaller tries an id as somebody else: it is unknown, and to
// close it closes nothing.
func TestSessionsBelongToTheirCaller(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	as := func(caller mwcall.Caller) server.SessionIdManager {
		ctx := mwcall.WithCaller(t.Context(), caller)
		return s.ResolveSessionIdManager(httptest.NewRequestWithContext(ctx, http.MethodPost, "/", nil))
	}
	owner := as(mwcall.Caller{Name: "whaapy", Tenant: "acme", Scopes: []string{"a"}})
	id := owner.Generate()
	for name, stranger := range map[string]server.SessionIdManager{
		"nobody": manager(s), "another name": as(mwcall.Caller{Name: "asixto", Tenant: "acme"}), "another tenant": as(mwcall.Caller{Name: "whaapy"}),
		"the same letters": as(mwcall.Caller{Name: "whaapya", Tenant: "cme"}),
	} {
		if _, err := stranger.Validate(id); err == nil {
			t.Errorf("%s may use the session", name)
		}
		if _, err := stranger.Terminate(id); err != nil {
			t.Errorf("%s: Terminate = %v", name, err)
		}
	}
	if terminated, err := owner.Validate(id); terminated || err != nil {
		t.Errorf("the owner: %v, %v, want an open session", terminated, err)
	}
	if _, err := as(mwcall.Caller{Name: "whaapy", Tenant: "acme"}).Validate(id); err != nil {
		t.Errorf("the owner with other scopes: %v, want an open session", err)
	}
}

func TestSessionsRotateKeys(t *testing.T) {
	t.Parallel()
	before := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(1)}})
	during := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(2), key(1)}})
	after := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(2)}})
	old, young := manager(before).Generate(), manager(during).Generate()
	checkState(t, "an old id, both keys", during, old, "open")
	checkState(t, "a new id, both keys", during, young, "open")
	checkState(t, "a new id, the new key", after, young, "open")
	checkState(t, "an old id, the new key", after, old, "unknown")
	checkState(t, "a new id, the old key", before, young, "unknown")
}

func TestSessionsExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSessions(t, whaapy.SessionsConfig{TTL: time.Hour})
		id := manager(s).Generate()
		time.Sleep(time.Hour - time.Second)
		checkState(t, "a second before", s, id, "open")
		time.Sleep(time.Second)
		checkState(t, "after its time", s, id, "unknown")
	})
}

func TestSessionsClose(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	id, other := manager(s).Generate(), manager(s).Generate()
	for range 2 {
		if notAllowed, err := manager(s).Terminate(id); notAllowed || err != nil {
			t.Errorf("Terminate = %v, %v", notAllowed, err)
		}
	}
	checkState(t, "closed", s, id, "closed")
	checkState(t, "another", s, other, "open")
	if notAllowed, err := manager(s).Terminate("nonsense"); notAllowed || err != nil {
		t.Errorf("Terminate of nonsense = %v, %v", notAllowed, err)
	}
}

// TestSessionsOutliveTheCleaning closes nothing when mcp-go lets its bookkeeping go:
// another replica may be serving the session.
func TestSessionsOutliveTheCleaning(t *testing.T) {
	t.Parallel()
	s := newSessions(t, whaapy.SessionsConfig{})
	id := manager(s).Generate()
	if _, err := s.ResolveSessionIdManager(nil).Terminate(id); err != nil {
		t.Fatal(err)
	}
	checkState(t, "after the cleaning", s, id, "open")
}

func TestSessionsConfig(t *testing.T) {
	t.Parallel()
	_, err := whaapy.NewSessions(whaapy.SessionsConfig{Keys: [][]byte{key(1), []byte("short")}, TTL: -1})
	const want = "portavoz/whaapy: key 1 of Sessions has 5 bytes, below 32\nportavoz/whaapy: a duration of Sessions is negative"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if _, err := whaapy.NewSessions(whaapy.SessionsConfig{}); err == nil {
		t.Error("sessions without a key are accepted")
	}
}

func TestClosedForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		closed := whaapy.NewClosed(2)
		now := time.Now()
		note := func(session string, left time.Duration) {
			t.Helper()
			if err := closed.Close(t.Context(), session, now.Add(left)); err != nil {
				t.Fatal(err)
			}
		}
		check := func(when, want string) {
			t.Helper()
			var got []string
			for _, session := range []string{"a", "b", "c", "d"} {
				if is, err := closed.IsClosed(t.Context(), session); is && err == nil {
					got = append(got, session)
				}
			}
			if strings.Join(got, "") != want {
				t.Errorf("%s: closed are %q, want %q", when, got, want)
			}
		}
		note("a", time.Hour)
		note("b", 2*time.Hour)
		note("b", 2*time.Hour)
		check("two", "ab")
		note("c", 3*time.Hour)
		check("full: the one that ends first goes", "bc")
		time.Sleep(2 * time.Hour)
		note("d", 4*time.Hour)
		check("one has ended", "cd")
	})
}

// redis is a server that knows the two scripts.
type redis struct {
	mu   sync.Mutex
	keys map[string]bool
	fail error
}

func (r *redis) setDown(down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail = nil; down {
		r.fail = errors.New("connection to 10.0.0.7 refused")
	}
}

func (r *redis) do(ctx context.Context, args ...any) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := errors.Join(ctx.Err(), r.fail); err != nil {
		return nil, err
	}
	script, key, session := args[1].(string), args[3].(string), args[4].(string)
	switch {
	case strings.Contains(script, "'SET'"):
		if r.keys == nil {
			r.keys = map[string]bool{}
		}
		r.keys[key] = true
		return []byte(session), nil
	case r.keys[key]:
		return session + " 1", nil
	}
	return session + " 0", nil
}

func TestReplicasShareWhatIsClosed(t *testing.T) {
	t.Parallel()
	shared := new(redis)
	a := newSessions(t, whaapy.SessionsConfig{Closed: whaapy.NewRedisClosed(shared.do)})
	b := newSessions(t, whaapy.SessionsConfig{Closed: whaapy.NewRedisClosed(shared.do)})
	id := manager(a).Generate()
	checkState(t, "on the other replica", b, id, "open")
	if _, err := manager(b).Terminate(id); err != nil {
		t.Fatal(err)
	}
	checkState(t, "where it was made", a, id, "closed")
	checkState(t, "where it was closed", b, id, "closed")
}

func TestSessionsWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	down := new(redis)
	down.setDown(true)
	var reported []error
	s := newSessions(t, whaapy.SessionsConfig{
		Closed: whaapy.NewRedisClosed(down.do), Report: func(err error) { reported = append(reported, err) },
	})
	id := manager(s).Generate()
	checkState(t, "nobody can be asked", s, id, "open")
	_, err := manager(s).Terminate(id)
	if err == nil || strings.Contains(err.Error(), "10.0.0.7") {
		t.Errorf("Terminate = %v, want an error that the client may read", err)
	}
	checkState(t, "closed here", s, id, "closed")
	if len(reported) != 2 || !strings.Contains(reported[0].Error(), "10.0.0.7") {
		t.Errorf("reported are %v, want both failures", reported)
	}
}

func TestRedisClosedRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]any{
		"nothing": nil, "a number": int64(1), "a list": []any{"a"}, "another session": "b 1", "another question": "a 2", "no text": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			closed := whaapy.NewRedisClosed(func(context.Context, ...any) (any, error) { return answer, nil })
			if is, err := closed.IsClosed(t.Context(), "a"); is || err == nil {
				t.Errorf("IsClosed = %v, %v, want an error", is, err)
			}
			if err := closed.Close(t.Context(), "a", time.Now().Add(time.Hour)); err == nil {
				t.Error("Close takes it for its own")
			}
		})
	}
}

func FuzzSessionID(f *testing.F) {
	s := newSessions(f, whaapy.SessionsConfig{})
	f.Add(manager(s).Generate())
	f.Add("")
	f.Add(strings.Repeat("A", 60))
	f.Fuzz(func(t *testing.T, id string) {
		other := newSessions(t, whaapy.SessionsConfig{Keys: [][]byte{key(9)}})
		if got := state(other, id); got != "unknown" {
			t.Errorf("%q is %s for a key that signed nothing", id, got)
		}
	})
}

// BenchmarkSession measures what a session costs a call: the id is checked once.
func BenchmarkSession(b *testing.B) {
	s := newSessions(b, whaapy.SessionsConfig{})
	m := manager(s)
	id := m.Generate()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Validate(id); err != nil {
			b.Fatal(err)
		}
	}
}
