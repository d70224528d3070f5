package transport

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

// maxField bounds one text of a log line or a message, in bytes.
const maxField = 128

// LogOption changes one thing about [Log].
type LogOption func(*requestLog)

// WithEveryRequest logs also the requests that reached a tool, with tool,
// outcome and error_type as the tool's own line has them.
func WithEveryRequest() LogOption { return func(l *requestLog) { l.every = true } }

// Log writes one line for each request that reached no tool middleware, and so
// has no line of its own: a missing credential, a body that is too large, a
// header that contradicts the body, an unknown tool, a list, an initialize. A
// nil logger makes it a no-op.
//
// The fields, as far as they are known: http_method, path, status (0 when
// nothing was answered), bytes of the answer, duration_ms, remote, rpc_method,
// tool, request_id, caller, refused (why this package answered itself, in one
// word), panic. The level is warn from status 400 on, error from 500 on and
// for a panic.
//
// The line never holds a credential, a header value, a query or a body. Text
// that the client wrote is cut at 128 bytes, and what cannot be seen in it
// reads as U+FFFD, so that it can neither forge nor disguise a line.
//
// Log belongs outermost. What the body and the credential said, it knows from
// [Headers] and [Authenticate] below. A panic is logged, without its value, and
// goes on; so does [http.ErrAbortHandler], which is no panic for the log.
func Log(logger *slog.Logger, opts ...LogOption) func(http.Handler) http.Handler {
	l := requestLog{logger: logger}
	for _, opt := range opts {
		opt(&l)
	}
	return func(next http.Handler) http.Handler {
		if logger == nil {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			ctx, exchange := call.WithExchange(r.Context())
			res, out := watch(w, nil)
			returned := false
			defer func() {
				v := recover()
				if returned {
					res.end()
				}
				l.write(ctx, r, exchange, entry{
					status:   res.status,
					bytes:    res.bytes,
					duration: time.Since(start),
					panicked: !returned && v != http.ErrAbortHandler,
				})
				if v != nil {
					panic(v)
				}
			}()
			next.ServeHTTP(out, r.WithContext(ctx))
			returned = true
		})
	}
}

type requestLog struct {
	logger *slog.Logger
	every  bool
}

// entry is what the answer looked like.
type entry struct {
	status   int
	bytes    int64
	duration time.Duration
	panicked bool
}

func (e entry) level() slog.Level {
	switch {
	case e.panicked, e.status >= 500:
		return slog.LevelError
	case e.status >= 400:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

func (l *requestLog) write(ctx context.Context, r *http.Request, x *call.Exchange, e entry) {
	outcome, reached := x.Outcome()
	if reached && !l.every || !l.logger.Enabled(ctx, e.level()) {
		return
	}
	request := x.Request()
	caller, _ := x.Caller()
	tool := outcome.Tool
	if tool == "" && request.Method == methodTool {
		tool = request.Name
	}
	attrs := make([]slog.Attr, 0, 16)
	attrs = append(attrs,
		slog.String("http_method", printable(r.Method)),
		slog.String("path", printable(r.URL.Path)),
		slog.Int("status", e.status),
		slog.Int64("bytes", e.bytes),
		slog.Float64("duration_ms", float64(e.duration.Microseconds())/1000))
	for _, field := range [...]struct{ name, value string }{
		{"remote", r.RemoteAddr},
		{"rpc_method", request.Method},
		{"tool", tool},
		{"request_id", cmp.Or(outcome.RequestID, request.RequestID)},
		{"caller", caller.Name},
		{"refused", x.Refusal()},
		{"outcome", outcome.Outcome},
		{"error_type", outcome.ErrorType},
	} {
		if field.value != "" {
			attrs = append(attrs, slog.String(field.name, printable(field.value)))
		}
	}
	if e.panicked {
		attrs = append(attrs, slog.Bool("panic", true))
	}
	l.logger.LogAttrs(ctx, e.level(), "mcp request", attrs...)
}
