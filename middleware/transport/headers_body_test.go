package transport_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/transport"
)

func TestHeadersGivesTheBodyBack(t *testing.T) {
	t.Parallel()
	var next seen
	body := modern("a") + "\n "
	r := post("")
	r.Body = io.NopCloser(strings.NewReader(body)) // in chunks, as over the wire
	r.ContentLength, r.TransferEncoding = -1, []string{"chunked"}
	serve(transport.Headers()(&next), r)
	if next.body != body {
		t.Errorf("body = %q, want %q", next.body, body)
	}
	if got := next.request.ContentLength; got != int64(len(body)) || next.request.TransferEncoding != nil {
		t.Errorf("length = %d, encoding = %v, want %d and none", got, next.request.TransferEncoding, len(body))
	}
	again, err := next.request.GetBody()
	if err != nil {
		t.Fatalf("GetBody: %v", err)
	}
	if got, _ := io.ReadAll(again); string(got) != body {
		t.Errorf("GetBody = %q, want %q", got, body)
	}
}

// failing is a body that breaks off.
type failing struct {
	text io.Reader
	err  error
}

func (f failing) Read(p []byte) (int, error) {
	if n, _ := f.text.Read(p); n > 0 {
		return n, nil
	}
	return 0, f.err
}

func TestHeadersAnswersBodiesItCannotRead(t *testing.T) {
	t.Parallel()
	const tooLong = "The request body is longer than the 1048576 bytes this server accepts."
	long := strings.Repeat(" ", 1<<20+1)
	for name, tc := range map[string]struct {
		opts   []transport.HeadersOption
		body   io.Reader
		length int64
		want   answer
	}{
		"announced":    {body: strings.NewReader(long), length: 1<<20 + 1, want: refusal(413, -32600, tooLong, "Connection", "close")},
		"in chunks":    {body: strings.NewReader(long), length: -1, want: refusal(413, -32600, tooLong, "Connection", "close")},
		"an own limit": {opts: []transport.HeadersOption{transport.WithMaxBody(9)}, body: strings.NewReader("0123456789"), length: -1, want: refusal(413, -32600, "The request body is longer than the 9 bytes this server accepts.", "Connection", "close")},
		"the client left": {
			body: failing{strings.NewReader(`{"method"`), io.ErrUnexpectedEOF}, length: 100,
			want: refusal(400, -32700, "The request body ended before it was complete.", "Connection", "close"),
		},
		"the client is slow": {
			body: failing{strings.NewReader(`{`), os.ErrDeadlineExceeded}, length: 100,
			want: refusal(408, -32700, "The request body did not arrive in time.", "Connection", "close"),
		},
		"malformed chunks": {
			body: failing{strings.NewReader(``), errors.New("malformed chunked encoding")}, length: -1,
			want: refusal(400, -32700, "The request body ended before it was complete.", "Connection", "close"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			r := post("")
			r.Body, r.ContentLength = io.NopCloser(tc.body), tc.length
			checkAnswer(t, serve(transport.Headers(tc.opts...)(&next), r).Result(), tc.want)
			if next.calls != 0 {
				t.Errorf("the server was called %d times, want none", next.calls)
			}
		})
	}
}

func TestHeadersTakesTheLimitInFront(t *testing.T) {
	t.Parallel()
	long := modern("a") + strings.Repeat(" ", 1<<20)
	for name, tc := range map[string]struct {
		front int64
		opts  []transport.HeadersOption
		want  int
	}{
		"wider":               {front: 2 << 20, want: http.StatusAccepted},
		"narrower":            {front: 100, want: http.StatusRequestEntityTooLarge},
		"its own, if it asks": {front: 2 << 20, opts: []transport.HeadersOption{transport.WithMaxBody(100)}, want: http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := transport.BodyLimit(tc.front)(transport.Headers(tc.opts...)(&seen{}))
			r := post(long)
			r.ContentLength = -1
			if got := serve(h, r).Code; got != tc.want {
				t.Errorf("status = %d, want %d", got, tc.want)
			}
		})
	}
}
