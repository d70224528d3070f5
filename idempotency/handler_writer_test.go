package idempotency_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// TestHandlerStreams: the client of the request gets an answer that is flushed
// as it is made; it is not kept, and that is said.
func TestHandlerStreams(t *testing.T) {
	t.Parallel()
	for name, flush := range map[string]func(http.ResponseWriter){
		"Flusher":            func(w http.ResponseWriter) { w.(http.Flusher).Flush() },
		"ResponseController": func(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen incidents
			read := make(chan struct{})
			engine := newEngine(t, newStore(t), idempotency.Config{Report: seen.report})
			server := httptest.NewServer(protectWith(t, engine, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.WriteHeader(http.StatusAccepted)
				_, _ = io.WriteString(w, "data: 1\n")
				flush(w)
				<-read // the client has it before the handler ends
				_, _ = io.WriteString(w, "data: 2\n")
			}))
			defer server.Close()
			resp := send(t, server, "k")
			defer resp.Body.Close()
			events := bufio.NewReader(resp.Body)
			line, err := events.ReadString('\n')
			close(read)
			rest, _ := io.ReadAll(events)
			if err != nil || line+string(rest) != "data: 1\ndata: 2\n" || resp.StatusCode != http.StatusAccepted ||
				resp.Header.Get("Idempotent-Replayable") != "false" || resp.Header.Get("Content-Type") != "text/event-stream" {
				t.Errorf("got %d %q, %v with %v", resp.StatusCode, line+string(rest), err, resp.Header)
			}
			again := httptest.NewRecorder()
			server.Config.Handler.ServeHTTP(again, post("/", "k", "{}"))
			wantProblem(t, again, http.StatusConflict, errors.CodeAlreadyDone, "")
			if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentStreamed}) {
				t.Errorf("incidents %v, want one: %s", got, idempotency.IncidentStreamed)
			}
		})
	}
}

// send posts to a real server, over a real connection.
func send(t *testing.T, server *httptest.Server, key string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = post("/", key, "{}").Header
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestHandlerTooLong(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body, header string
		kept         bool
	}{
		"as long as it may be": {strings.Repeat("x", 100-4), "", true},
		"one byte more":        {strings.Repeat("x", 100-3), "", false},
		"by its header":        {"", strings.Repeat("h", 100), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen incidents
			engine := newEngine(t, newStore(t), idempotency.Config{MaxResult: 100, Report: seen.report})
			h := protectWith(t, engine, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
				if tc.header != "" {
					w.Header().Set("Location", tc.header)
				}
				for len(tc.body) > 0 {
					n := min(50, len(tc.body))
					_, _ = io.WriteString(w, tc.body[:n])
					tc.body = tc.body[n:]
				}
			})
			body := tc.body
			first := serve(h, post("/", "k", "{}"))
			wantAnswer(t, first, http.StatusOK, body, false)
			if marked := first.Header().Get("Idempotent-Replayable") == "false"; marked == tc.kept {
				t.Errorf("marked as not replayable: %v, kept: want %v", marked, tc.kept)
			}
			second := serve(h, post("/", "k", "{}"))
			if tc.kept {
				wantAnswer(t, second, http.StatusOK, body, true)
				return
			}
			wantProblem(t, second, http.StatusConflict, errors.CodeAlreadyDone, "")
			if got := seen.kinds(); !slices.Equal(got, []string{idempotency.IncidentTooLarge}) {
				t.Errorf("incidents %v, want one: %s", got, idempotency.IncidentTooLarge)
			}
		})
	}
}

// TestHandlerStreamedFailure: a failure that was streamed frees the key as well.
func TestHandlerStreamedFailure(t *testing.T) {
	t.Parallel()
	h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		w.(http.Flusher).Flush()
	})
	for range 2 {
		wantAnswer(t, serve(h, post("/", "k", "{}")), http.StatusTooManyRequests, "", false)
	}
}

// TestHandlerClientLeavesStream: the handler goes on writing, to nobody; the
// client sees that the answer broke off.
func TestHandlerClientLeavesStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
			for i := range 10 {
				if n, err := fmt.Fprintf(w, "%d", i); n != 1 || err != nil {
					t.Errorf("Write = %d, %v, want 1", n, err)
				}
				if err := http.NewResponseController(w).Flush(); err != nil {
					t.Errorf("Flush: %v", err)
				}
				time.Sleep(time.Second)
			}
			if _, _, err := http.NewResponseController(w).Hijack(); err == nil {
				t.Error("Hijack gave a connection of which nothing is left")
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		w := httptest.NewRecorder()
		v := caught(func() { h.ServeHTTP(w, post("/", "k", "{}").WithContext(ctx)) })
		if v != http.ErrAbortHandler || w.Body.String() != "012" {
			t.Errorf("got %q and panic %v, want what was written so far and http.ErrAbortHandler", w.Body, v)
		}
		time.Sleep(10 * time.Second)
		wantProblem(t, serve(h, post("/", "k", "{}")), http.StatusConflict, errors.CodeAlreadyDone, "")
	})
}

// caught returns what f panics with.
func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestHandlerHijack(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Errorf("Hijack: %v", err)
			return
		}
		defer conn.Close()
		_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: close\r\n\r\nhello")
		_ = rw.Flush()
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = post("/", "k", "{}").Write(conn)
	got, _ := io.ReadAll(conn)
	if !strings.HasSuffix(string(got), "\r\n\r\nhello") {
		t.Errorf("got %q, want what the handler wrote", got)
	}
	again := httptest.NewRecorder()
	server.Config.Handler.ServeHTTP(again, post("/", "k", "{}"))
	wantProblem(t, again, http.StatusConflict, errors.CodeAlreadyDone, "")
}

// TestHandlerPanics: a panic comes up where the request is served, so that the
// middlewares outside see it, and the outcome is unknown.
func TestHandlerPanics(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, tc := range map[string]struct {
		panics func()
		check  func(v any) bool
	}{
		"text": {func() { panic("boom") }, func(v any) bool {
			return strings.Contains(fmt.Sprint(v), "boom") && strings.Contains(fmt.Sprint(v), "handler_writer_test.go")
		}},
		"error":  {func() { panic(boom) }, func(v any) bool { err, ok := v.(error); return ok && errors.Is(err, boom) }},
		"abort":  {func() { panic(http.ErrAbortHandler) }, func(v any) bool { return v == http.ErrAbortHandler }},
		"status": {nil, func(v any) bool { return strings.Contains(fmt.Sprint(v), "three digits") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
				if tc.panics == nil {
					w.WriteHeader(1000)
				}
				_, _ = io.WriteString(w, "half an answer")
				tc.panics()
			})
			w := httptest.NewRecorder()
			if v := caught(func() { h.ServeHTTP(w, post("/", "k", "{}")) }); !tc.check(v) {
				t.Errorf("panic %v, want the handler's", v)
			}
			if w.Body.Len() > 0 {
				t.Errorf("the client got %q, want nothing", w.Body)
			}
			wantProblem(t, serve(h, post("/", "k", "{}")), http.StatusConflict, errors.CodeOutcomeUnknown, "")
		})
	}
}

func TestHandlerGoexit(t *testing.T) {
	t.Parallel()
	h := protect(t, idempotency.HandlerConfig{}, func(http.ResponseWriter, *http.Request) { runtime.Goexit() })
	for range 2 {
		wantProblem(t, serve(h, post("/", "k", "{}")), http.StatusConflict, errors.CodeOutcomeUnknown, "")
	}
}

// TestHandlerWriter: the handler's writer keeps the rules of net/http's.
func TestHandlerWriter(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		handler http.HandlerFunc
		status  int
		body    string
		header  string // X-Test
	}{
		"second status": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			w.WriteHeader(http.StatusTeapot)
		}, http.StatusCreated, "", "outer"},
		"status after a write": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "ok")
			w.WriteHeader(http.StatusTeapot)
		}, http.StatusOK, "ok", "outer"},
		"header too late": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.Header().Set("X-Test", "late")
		}, http.StatusOK, "", "outer"},
		"header of the middleware outside": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Test", w.Header().Get("X-Test")+" and inner")
		}, http.StatusOK, "", "outer and inner"},
		"deleted header": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Del("X-Test")
		}, http.StatusOK, "", ""},
		"informational": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusCreated)
		}, http.StatusCreated, "", "outer"},
		"no body allowed": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			if _, err := io.WriteString(w, "x"); !errors.Is(err, http.ErrBodyNotAllowed) {
				panic(err)
			}
		}, http.StatusNoContent, "", "outer"},
		"no deadlines": {func(w http.ResponseWriter, _ *http.Request) {
			if err := http.NewResponseController(w).SetWriteDeadline(time.Now()); !errors.Is(err, http.ErrNotSupported) {
				panic(err)
			}
		}, http.StatusOK, "", "outer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := protect(t, idempotency.HandlerConfig{}, tc.handler)
			w := httptest.NewRecorder()
			w.Header().Set("X-Test", "outer")
			h.ServeHTTP(w, post("/", "k", "{}"))
			wantAnswer(t, w, tc.status, tc.body, false)
			if got := w.Header().Get("X-Test"); got != tc.header {
				t.Errorf("X-Test: %q, want %q", got, tc.header)
			}
			wantAnswer(t, serve(h, post("/", "k", "{}")), tc.status, tc.body, true)
		})
	}
}

// deaf is a writer that cannot flush, as that of http.TimeoutHandler.
type deaf struct{ http.ResponseWriter }

func TestHandlerPromisesNoFlush(t *testing.T) {
	t.Parallel()
	h := protect(t, idempotency.HandlerConfig{}, func(w http.ResponseWriter, _ *http.Request) {
		if _, ok := w.(http.Flusher); ok {
			t.Error("the writer says that it can flush")
		}
		if err := http.NewResponseController(w).Flush(); !errors.Is(err, http.ErrNotSupported) {
			t.Errorf("Flush: %v, want http.ErrNotSupported", err)
		}
	})
	h.ServeHTTP(deaf{httptest.NewRecorder()}, post("/", "k", "{}"))
	wantAnswer(t, serve(h, post("/", "k", "{}")), http.StatusOK, "", true)
}

// given is a store in which every operation is completed with one result.
type given struct {
	idempotency.Store
	result []byte
}

func (s given) Claim(context.Context, idempotency.Claim) (idempotency.Answer, error) {
	return idempotency.Answer{Status: idempotency.Completed, Result: s.result}, nil
}

// FuzzHandlerRecord replays what a store may hold after a bit has flipped: the
// answer is a whole one, or that it cannot be given. Nothing runs.
func FuzzHandlerRecord(f *testing.F) {
	var kept spyComplete
	h := protectWith(f, newEngine(f, &kept, idempotency.Config{}), idempotency.HandlerConfig{}, new(counter).ServeHTTP)
	serve(h, post("/", "k", "{}"))
	f.Add(kept.result)
	f.Add(kept.result[:len(kept.result)/2])
	f.Add([]byte{})
	f.Add([]byte{2, 0})
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, record []byte) {
		h := protectWith(t, newEngine(t, given{result: record}, idempotency.Config{}), idempotency.HandlerConfig{},
			func(http.ResponseWriter, *http.Request) { t.Error("the handler ran") })
		w := serve(h, post("/", "k", "{}"))
		if w.Header().Get("Idempotent-Replayed") == "true" {
			if w.Code < 100 || w.Code > 999 {
				t.Errorf("status %d", w.Code)
			}
			return
		}
		wantProblem(t, w, http.StatusConflict, errors.CodeAlreadyDone, "")
	})
}

// spyComplete remembers the result that it is given.
type spyComplete struct {
	idempotency.Store
	result []byte
}

func (s *spyComplete) Claim(context.Context, idempotency.Claim) (idempotency.Answer, error) {
	return idempotency.Answer{Status: idempotency.Acquired}, nil
}

func (s *spyComplete) Complete(_ context.Context, _ idempotency.Digest, _ string, result []byte, _ time.Duration) error {
	s.result = result
	return nil
}

// FuzzHandlerKey: whatever the header holds, the request is served or refused,
// and a key that is served is the same in quotes.
func FuzzHandlerKey(f *testing.F) {
	for _, field := range []string{`"k"`, "k", `"a\"b"`, `"k";a=1`, "k,k", "", "\xff", `"\`} {
		f.Add(field)
	}
	f.Fuzz(func(t *testing.T, field string) {
		h := protect(t, idempotency.HandlerConfig{}, new(counter).ServeHTTP)
		w := serve(h, post("/", "", "{}", "Idempotency-Key", field))
		if w.Code == http.StatusBadRequest {
			wantProblem(t, w, http.StatusBadRequest, errors.CodeInvalidKey, "")
			return
		}
		wantAnswer(t, w, http.StatusCreated, `{"payment":1}`, false)
		if !strings.ContainsAny(field, "\"; \t") {
			field = `"` + field + `"`
		}
		wantAnswer(t, serve(h, post("/", "", "{}", "Idempotency-Key", field)), http.StatusCreated, `{"payment":1}`, true)
	})
}
