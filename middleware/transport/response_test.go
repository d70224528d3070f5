package transport_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware/transport"
)

// wrapped are the parts that put a writer of their own before the handler.
func wrapped(h http.Handler) map[string]http.Handler {
	logger, _ := lines()
	return map[string]http.Handler{
		"Log":            transport.Log(logger)(h),
		"OutcomeHeaders": transport.OutcomeHeaders("")(h),
		"BodyLimit":      transport.BodyLimit(0)(h),
		"all":            transport.Log(logger)(transport.OutcomeHeaders("")(transport.BodyLimit(0)(h))),
	}
}

func TestWritersStream(t *testing.T) {
	t.Parallel()
	for name, h := range wrapped(http.HandlerFunc(stream)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(h)
			defer server.Close()
			resp, err := http.Post(server.URL, "application/json", strings.NewReader("go"))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			events := bufio.NewReader(resp.Body)
			for i := range 3 {
				line, err := events.ReadString('\n')
				if want := fmt.Sprintf("data: %d\n", i); err != nil || line != want {
					t.Fatalf("event = %q, %v, want %q", line, err, want)
				}
			}
		})
	}
}

// stream sends three events and then waits for the client to leave: the client
// reads them only if every flush gets through.
func stream(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	for i := range 3 {
		_, _ = fmt.Fprintf(w, "data: %d\n", i)
		if i == 0 {
			w.(http.Flusher).Flush()
			continue
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
	}
	<-r.Context().Done()
}

func TestWritersReachTheOneBelow(t *testing.T) {
	t.Parallel()
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		control := http.NewResponseController(w)
		if err := control.SetWriteDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Errorf("SetWriteDeadline: %v", err)
		}
		if _, ok := w.(io.ReaderFrom); !ok {
			t.Error("the writer is no io.ReaderFrom")
		}
		w.Header().Set("Link", "</a>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusTeapot)
		if n, err := io.Copy(w, io.LimitReader(strings.NewReader("short and stout"), 5)); n != 5 || err != nil {
			t.Errorf("copy = %d, %v, want 5", n, err)
		}
	})
	for name, h := range wrapped(handler) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(h)
			defer server.Close()
			var hints []int
			trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
				hints = append(hints, code)
				return nil
			}}
			r, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodGet, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != http.StatusTeapot || string(body) != "short" || !slices.Equal(hints, []int{103}) {
				t.Errorf("answer = %d %q after %v, want 418 \"short\" after [103]", resp.StatusCode, body, hints)
			}
		})
	}
}

// deaf is a writer that cannot flush, like that of http.TimeoutHandler. A
// handler must not be told that it can.
type deaf struct{ w *httptest.ResponseRecorder }

func (d deaf) Header() http.Header         { return d.w.Header() }
func (d deaf) Write(p []byte) (int, error) { return d.w.Write(p) }
func (d deaf) WriteHeader(status int)      { d.w.WriteHeader(status) }

func TestWritersPromiseNoFlush(t *testing.T) {
	t.Parallel()
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, ok := w.(http.Flusher); ok {
			t.Error("the writer says it can flush")
		}
		_, _ = io.WriteString(w, "ok")
	})
	for name, h := range wrapped(handler) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := httptest.NewRecorder()
			h.ServeHTTP(deaf{rec}, post("{}"))
			if rec.Code != http.StatusOK || rec.Body.String() != "ok" {
				t.Errorf("answer = %d %q, want 200 \"ok\"", rec.Code, rec.Body)
			}
		})
	}
}
