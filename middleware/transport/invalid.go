package transport

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/portavoz/portavoz/middleware/call"
)

// InvalidParams tells a client by the protocol that the arguments of its call break the
// tool's schema: JSON-RPC error -32602, with the place in data.field and the sentence
// for the person in data.message_es, instead of the result that says so. A middleware
// for tools cannot answer with an error of the protocol; it notes in [call.Exchange]
// what is wrong, and whether this client wants to hear it in this way. Nothing but the
// two notes decides: a result whose text holds "-32602" passes as it is.
//
// The answer is made when the server begins its own, which is thrown away; nothing is
// held back or decoded. Only where the server answers with a stream of events, and
// has sent others before, the event with the result is decoded and replaced. The
// others pass.
//
// InvalidParams belongs inside of [Headers], which knows the id of the message.
func InvalidParams() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, exchange := call.WithExchange(r.Context())
			r = r.WithContext(ctx)
			p := &paramsWriter{exchange: exchange}
			var out http.ResponseWriter
			p.response, out = watch(w, func() bool {
				if p.streams() || !p.refuses() {
					return false
				}
				p.refusal().send(w, r, exchange.Request().ID)
				return true
			})
			if f, ok := out.(http.Flusher); ok {
				next.ServeHTTP(struct {
					*paramsWriter
					http.Flusher
				}{p, f}, r)
			} else {
				next.ServeHTTP(p, r)
			}
			p.end()
		})
	}
}

// paramsWriter replaces the result of a call that was refused for its arguments.
type paramsWriter struct {
	*response

	exchange *call.Exchange
	held     []byte // of an event that is not complete
}

// refuses reports whether there is something to tell.
func (w *paramsWriter) refuses() bool {
	_, invalid := w.exchange.Invalid()
	return invalid && w.exchange.AsksInvalid() && validID(w.exchange.Request().ID) != nil
}

func (w *paramsWriter) refusal() refusal {
	invalid, _ := w.exchange.Invalid()
	f := refusal{
		status: http.StatusOK, code: codeInvalidParams, reason: "invalid_params",
		message: "Invalid arguments", invalid: &invalid,
	}
	if isModern(w.exchange.Request().Version) {
		f.status = http.StatusBadRequest
	}
	return f
}

// streams reports whether the server answers with events.
func (w *paramsWriter) streams() bool {
	return strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
}

// Write implements [http.ResponseWriter].
func (w *paramsWriter) Write(p []byte) (int, error) {
	if !w.begin(http.StatusOK) || !w.streams() || !w.refuses() {
		return w.response.Write(p)
	}
	w.held = append(w.held, p...)
	for {
		event, rest, complete := bytes.Cut(w.held, []byte("\n\n"))
		if !complete {
			return len(p), nil
		}
		if _, err := w.response.Write(append(w.replaced(event), "\n\n"...)); err != nil {
			return 0, err
		}
		w.held = rest
	}
}

// ReadFrom keeps what is copied from going around Write.
func (w *paramsWriter) ReadFrom(src io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{w}, src)
}

// end writes what is left of an event that never became complete.
func (w *paramsWriter) end() {
	if len(w.held) > 0 {
		_, _ = w.response.Write(w.held) // a client that left has no use for it
	}
	w.response.end()
}

// replaced is an event, with the error in place of the result if it has one. Its fields
// are lines, of which each begins with the name (WHATWG HTML, section 9.2.5).
func (w *paramsWriter) replaced(event []byte) []byte {
	lines := bytes.Split(event, []byte("\n"))
	for i, line := range lines {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		var m struct {
			Method *string         `json:"method"`
			Result json.RawMessage `json:"result"`
		}
		if ok && json.Unmarshal(data, &m) == nil && m.Method == nil && m.Result != nil {
			lines[i] = append([]byte("data: "), bytes.TrimSpace(w.refusal().body(w.exchange.Request().ID))...)
			w.exchange.SetRefusal("invalid_params")
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
