package transport_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/transport"
)

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	tooLong := refusal(413, -32600, "The request body is longer than the 10 bytes this server accepts.", "Connection", "close")
	accepted := answer{status: 202}
	for name, tc := range map[string]struct {
		body    string
		chunked bool
		want    answer
		calls   int
	}{
		"none":                  {body: "", want: accepted, calls: 1},
		"the longest":           {body: "0123456789", want: accepted, calls: 1},
		"the longest in chunks": {body: "0123456789", chunked: true, want: accepted, calls: 1},
		"announced":             {body: "0123456789a", want: tooLong},
		"in chunks":             {body: "0123456789a", chunked: true, want: tooLong, calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			r := post(tc.body)
			if tc.chunked {
				r.ContentLength = -1
			}
			checkAnswer(t, serve(transport.BodyLimit(10)(&next), r).Result(), tc.want)
			if next.calls != tc.calls {
				t.Errorf("the server was called %d times, want %d", next.calls, tc.calls)
			}
		})
	}
}

func TestBodyLimitDefault(t *testing.T) {
	t.Parallel()
	for _, n := range []int64{0, -1} {
		h := transport.BodyLimit(n)(&seen{})
		if got := serve(h, post(strings.Repeat(" ", 1<<20))).Code; got != http.StatusAccepted {
			t.Errorf("BodyLimit(%d) answers %d to 1 MiB, want %d", n, got, http.StatusAccepted)
		}
		if got := serve(h, post(strings.Repeat(" ", 2<<20))).Code; got != http.StatusRequestEntityTooLarge {
			t.Errorf("BodyLimit(%d) answers %d to 2 MiB, want %d", n, got, http.StatusRequestEntityTooLarge)
		}
	}
}

// Whatever a handler makes of the error, the client learns the reason.
func TestBodyLimitReplacesTheAnswer(t *testing.T) {
	t.Parallel()
	want := refusal(413, -32600, "The request body is longer than the 10 bytes this server accepts.", "Connection", "close")
	for name, handle := range map[string]http.HandlerFunc{
		"an error of its own": func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			var tooLarge *http.MaxBytesError
			if !errors.As(err, &tooLarge) || tooLarge.Limit != 10 {
				t.Errorf("error = %v, want a MaxBytesError with limit 10", err)
			}
			w.Header().Set("Content-Length", "4")
			http.Error(w, "bad", http.StatusBadRequest)
		},
		"a body without a status": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			_, _ = io.WriteString(w, "ok")
		},
		"a copy": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			_, _ = io.Copy(w, io.LimitReader(strings.NewReader("ok"), 2))
		},
		"a flush": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			w.(http.Flusher).Flush()
			w.WriteHeader(http.StatusEarlyHints)
		},
		"nothing": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := post("0123456789a")
			r.ContentLength = -1
			checkAnswer(t, serve(transport.BodyLimit(10)(handle), r).Result(), want)
		})
	}
}

func TestBodyLimitAfterTheAnswerBegan(t *testing.T) {
	t.Parallel()
	r := post("0123456789a")
	r.ContentLength = -1
	h := transport.BodyLimit(10)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "begun")
		if _, err := io.ReadAll(r.Body); err == nil {
			t.Error("reading went past the limit")
		}
		_, _ = io.WriteString(w, " and ended")
	}))
	w := serve(h, r)
	if w.Code != http.StatusOK || w.Body.String() != "begun and ended" {
		t.Errorf("answer = %d %q, want the handler's own", w.Code, w.Body)
	}
}

func TestBodyLimitStreams(t *testing.T) {
	t.Parallel()
	pr, pw := io.Pipe()
	r := post("")
	r.Body, r.ContentLength = pr, -1
	h := transport.BodyLimit(10)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first := make([]byte, 3)
		if _, err := io.ReadFull(r.Body, first); err != nil {
			t.Errorf("read: %v", err)
		}
		_, _ = w.Write(first)
	}))
	go func() { _, _ = pw.Write([]byte("abc")) }() // and never ends
	if got := serve(h, r).Body.String(); got != "abc" {
		t.Errorf("answer = %q, want what had arrived", got)
	}
}
