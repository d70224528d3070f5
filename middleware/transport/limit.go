package transport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// DefaultBodyLimit is the longest request body accepted where nothing else was
// said: 1 MiB. The arguments of a tool are a few kilobytes.
const DefaultBodyLimit int64 = 1 << 20

// BodyLimit refuses requests whose body is longer than n bytes with 413 and a
// JSON-RPC error: at once when the client announces the length, else when
// reading passes the limit. Until then the body streams through. An n of zero
// or less means [DefaultBodyLimit].
//
// A handler below sees a [*http.MaxBytesError] when it reads too far; whatever
// it makes of it, the client gets the 413, unless the answer had begun before.
func BodyLimit(n int64) func(http.Handler) http.Handler {
	if n <= 0 {
		n = DefaultBodyLimit
	}
	tooLarge := bodyTooLarge(n)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > n {
				tooLarge.send(w, r, nil)
				return
			}
			if r.Body == nil || r.Body == http.NoBody {
				next.ServeHTTP(w, r)
				return
			}
			body := &limitedBody{ReadCloser: http.MaxBytesReader(w, r.Body, n)}
			res, out := watch(w, func() bool {
				if body.exceeded {
					tooLarge.send(w, r, nil)
				}
				return body.exceeded
			})
			limited := r.WithContext(r.Context())
			limited.Body = body
			next.ServeHTTP(out, limited)
			res.end()
		})
	}
}

func bodyTooLarge(n int64) refusal {
	return refusal{
		status:  http.StatusRequestEntityTooLarge,
		code:    codeInvalidRequest,
		reason:  "body_too_large",
		message: fmt.Sprintf("The request body is longer than the %d bytes this server accepts.", n),
		closes:  true,
	}
}

// limitedBody is a body that has its limit, so that [Headers] sets none.
type limitedBody struct {
	io.ReadCloser
	exceeded bool
}

// Read implements [io.Reader].
func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if isTooLarge(err) {
		b.exceeded = true
	}
	return n, err
}

func isTooLarge(err error) bool {
	var tooLarge *http.MaxBytesError
	return errors.As(err, &tooLarge)
}
