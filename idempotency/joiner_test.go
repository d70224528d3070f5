package idempotency_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// joining is a store that takes part in runs.
type joining struct {
	idempotency.Store
	conclude idempotency.Conclude
	join     func() // called by Join
	told     []string
	waits    []time.Duration
}

type joinedKey struct{}

func (s *joining) Join(ctx context.Context, _ idempotency.Digest, token string) (context.Context, idempotency.Conclude) {
	if s.join != nil {
		s.join()
	}
	return context.WithValue(ctx, joinedKey{}, token), s.conclude
}

func (s *joining) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	s.note(ctx, complete, token)
	return s.Store.Complete(ctx, key, token, result, ttl)
}

func (s *joining) Release(ctx context.Context, key idempotency.Digest, token string) error {
	s.note(ctx, "Release", token)
	return s.Store.Release(ctx, key, token)
}

func (s *joining) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	s.note(ctx, "Abandon", token)
	return s.Store.Abandon(ctx, key, token)
}

// note writes down a settlement, and whether it came under the joined context.
func (s *joining) note(ctx context.Context, method, token string) {
	if ctx.Value(joinedKey{}) != token {
		method += " elsewhere"
	}
	s.told = append(s.told, method)
}

func (s *joining) Wait(ctx context.Context, _ idempotency.Digest, d time.Duration) {
	s.waits = append(s.waits, d)
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// TestJoin: what the store makes of the end of a run is what everybody is told,
// and what the store is told unless it knows.
func TestJoin(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300<<10)
	gone := errors.System("", errors.WithCode(errors.CodeStore), errors.WithEffect(errors.EffectNone))
	says := func(verdict idempotency.Verdict, err error, told bool) idempotency.Conclude {
		return func(_ context.Context, run idempotency.Settlement, _ time.Duration) (idempotency.Settlement, bool) {
			run.Verdict, run.Err = verdict, err
			return run, told
		}
	}
	for name, tt := range map[string]struct {
		run      runFunc
		conclude idempotency.Conclude
		join     func()
		result   string
		ran      bool
		code     string
		told     string
	}{
		"nothing to end":    {run: keep("done"), result: "done", ran: true, told: complete},
		"it stands":         {run: keep("done"), conclude: says(idempotency.Keep, nil, false), result: "done", ran: true, told: complete},
		"it stands, known":  {run: keep("done"), conclude: says(idempotency.Keep, nil, true), result: "done", ran: true},
		"a long one":        {run: keep(long), conclude: says(idempotency.Keep, nil, true), result: long, ran: true},
		"undone":            {run: keep("done"), conclude: says(idempotency.Release, gone, false), code: errors.CodeStore, told: "Release"},
		"undone, known":     {run: keep("done"), conclude: says(idempotency.Release, gone, true), code: errors.CodeStore},
		"undone, no reason": {run: keep("done"), conclude: says(idempotency.Release, nil, false), code: errors.CodeOutcomeUnknown, told: "Release"},
		"unknown":           {run: keep("done"), conclude: says(idempotency.Abandon, nil, false), code: errors.CodeOutcomeUnknown, told: "Abandon"},
		"failed":            {run: fails(errDown), conclude: says(idempotency.Abandon, nil, false), ran: true, told: "Abandon"},
		"failed, freed":     {run: fails(errDown), conclude: says(idempotency.Release, nil, false), ran: true, told: "Release"},
		"panicked, freed":   {run: panics, conclude: says(idempotency.Release, nil, false), ran: true, code: errors.CodePanic, told: "Release"},
		"conclude panics": {run: keep("done"), conclude: func(context.Context, idempotency.Settlement, time.Duration) (idempotency.Settlement, bool) {
			panic("boom")
		}, code: errors.CodeOutcomeUnknown, told: "Abandon"},
		"join panics": {run: keep("done"), join: func() { panic("boom") }, result: "done", ran: true, told: complete + " elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &joining{Store: newStore(t), conclude: tt.conclude, join: tt.join}
				engine := newEngine(t, store, idempotency.Config{})
				var joined any
				reply, err := engine.Do(t.Context(), operation("k"), func(ctx context.Context) idempotency.Settlement {
					joined = ctx.Value(joinedKey{})
					return tt.run(ctx)
				})
				if string(reply.Result) != tt.result || reply.Ran != tt.ran {
					t.Errorf("Do = %.20q, ran %t; want %.20q, ran %t", reply.Result, reply.Ran, tt.result, tt.ran)
				}
				if e := errors.From(err); (err == nil) != (tt.result != "") || tt.code != "" && e.Code != tt.code {
					t.Errorf("Do: %v, want code %q", err, tt.code)
				}
				if got := strings.Join(store.told, " "); got != tt.told {
					t.Errorf("the store was told %q, want %q", got, tt.told)
				}
				if (joined == nil) != (tt.join != nil) {
					t.Errorf("the run's context had %v", joined)
				}
			})
		})
	}
}

// TestJoinUnprotected: a run of which the store knows nothing is not its own.
func TestJoinUnprotected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &joining{Store: &faulty{store: newStore(t), before: failing(claim, 1, errDown)}, join: func() { t.Error("joined") }}
		engine := newEngine(t, store, idempotency.Config{DangerouslyRunWithoutStore: true})
		reply, err := engine.Do(t.Context(), operation("k"), keep("done"))
		want(t, reply, err, "done", true)
	})
}

// TestWaiter: who waits for another process does so in the store, if it can.
func TestWaiter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newStore(t)
		die(t, store, operation("k"))
		waiting := &joining{Store: store}
		_, err := newEngine(t, waiting, idempotency.Config{}).Do(t.Context(), operation("k"), never(t))
		wantError(t, err, errors.TypeUnknown, errors.CodeOutcomeUnknown, errors.EffectUnknown)
		if n := len(waiting.waits); n < 10 || slices.Max(waiting.waits) > 1500*time.Millisecond {
			t.Errorf("waits = %v, want some, none longer than a second and a half", waiting.waits)
		}
	})
}

// TestHandlerUndone: an answer that does not stand does not reach its client; if
// it has begun to, it does not end.
func TestHandlerUndone(t *testing.T) {
	t.Parallel()
	for name, flushes := range map[string]bool{"at its end": false, "as it is made": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &joining{Store: newStore(t), conclude: func(context.Context, idempotency.Settlement, time.Duration) (idempotency.Settlement, bool) {
				return idempotency.Settlement{Verdict: idempotency.Release, Err: errors.System("", errors.WithCode(errors.CodeStore))}, false
			}}
			engine := newEngine(t, store, idempotency.Config{})
			server := httptest.NewServer(protectWith(t, engine, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, "paid")
				if flushes {
					w.(http.Flusher).Flush()
				}
			}))
			defer server.Close()
			r := post("/payments", "k", "{}")
			r.RequestURI, r.URL.Scheme, r.URL.Host = "", "http", strings.TrimPrefix(server.URL, "http://")
			res, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if flushes != (err != nil) || !flushes && (res.StatusCode != http.StatusServiceUnavailable || strings.Contains(string(body), "paid")) {
				t.Errorf("answer = %d %s, %v; want it cut: %t", res.StatusCode, body, err, flushes)
			}
		})
	}
}
