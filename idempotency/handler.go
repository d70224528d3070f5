package idempotency

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// The headers of an answer that say what became of it.
const (
	headerReplayed   = "Idempotent-Replayed"   // "true" on an answer that was given before
	headerReplayable = "Idempotent-Replayable" // "false" on one that is not kept
)

// Handler runs requests of ordinary net/http routes once per Idempotency-Key
// (draft-ietf-httpapi-idempotency-key-header-07) and gives later ones the first
// answer: status, body and the headers of [HandlerConfig.KeepHeaders], with
// "Idempotent-Replayed: true".
//
// A key belongs to the caller, whom the function names by what does not change
// between retries (an account and a tenant; not a token, an address or a
// connection), to the route, and to one query and body. JSON bodies are compared
// as values, see [Fingerprint], all others byte by byte: a multipart body with a
// fresh boundary is another one. A nil or empty name puts all callers into one.
//
// The key is a string of RFC 9651 ("8e03978e-40d5") or, as most clients send it,
// the same without quotes; both are one key. It has 1 to 255 characters.
//
// What the handler answers decides what becomes of the key, see
// [HandlerConfig.Classify]. Answers of Handler itself are application/problem+json
// (RFC 9457); the type is [HandlerConfig.Docs] with the code as its fragment:
//
//	400  idempotency_key_required  and RequireKey is set
//	400  invalid_idempotency_key   not such a string, or more than one
//	400  body_unreadable           the body broke off
//	409  in_progress               with Retry-After: the first one still runs
//	409  outcome_unknown           an earlier one stopped, and nobody knows how it ended
//	409  already_done              it is done, and its answer was not kept
//	413  body_too_large
//	422  idempotency_key_reused    the key is known with another query or body
//	503  idempotency_store, _full  with Retry-After: nothing was run
//
// The handler runs apart from its connection, as [Engine.Do] describes, so that
// its answer is put aside and sent when it ends. One that cannot be put aside is
// passed through to the client at once, marked "Idempotent-Replayable: false",
// and not kept: one that calls Flush, one that takes the connection over
// (Hijack), and one that is longer than [Config.MaxResult]. What such a handler
// writes after its client has left goes nowhere, without an error. Informational
// answers (1xx) and trailers are dropped, and the deadlines of an
// [http.ResponseController] are not supported.
//
// A panic of the handler comes up in the request's goroutine, with its stack.
// Requests of other methods, and those without a key, pass by.
//
// Put it outside of everything that reads the body and inside of what
// authenticates. All that is wrong with the configuration is reported together,
// as a [*ConfigError] each.
func Handler(engine *Engine, caller func(*http.Request) []string, cfg HandlerConfig) (func(http.Handler) http.Handler, error) {
	cfg, err := cfg.withDefaults()
	if engine == nil {
		err = errors.Join(err, &ConfigError{"engine", "is nil"})
	}
	if caller == nil {
		err = errors.Join(err, &ConfigError{"caller", "is nil"})
	}
	if err != nil {
		return nil, err
	}
	return func(next http.Handler) http.Handler {
		return &handler{engine: engine, caller: caller, cfg: cfg, next: next}
	}, nil
}

type handler struct {
	engine *Engine
	caller func(*http.Request) []string
	cfg    HandlerConfig
	next   http.Handler
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !slices.Contains(h.cfg.Methods, r.Method) {
		h.next.ServeHTTP(w, r)
		return
	}
	key, err := keyFrom(r.Header)
	switch {
	case err != nil:
		h.refuse(w, err)
	case key != "":
		h.once(w, r, key)
	case h.cfg.RequireKey:
		h.refuse(w, errNoKey())
	default:
		h.next.ServeHTTP(w, r)
	}
}

func (h *handler) once(w http.ResponseWriter, r *http.Request, key string) {
	body, err := h.read(w, r)
	if err != nil {
		h.refuse(w, errBody(err))
		return
	}
	op := Operation{
		Scope: h.caller(r), Name: h.cfg.Route(r), Key: key,
		Fingerprint: fingerprintRequest(r, body),
	}
	// Only a duplicate waits for Wait; its own run takes as long as it takes.
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	patience := time.AfterFunc(h.cfg.Wait, cancel)
	defer patience.Stop()

	rec := newRecorder(w, h.cfg.KeepHeaders, h.engine.cfg.MaxResult)
	detached := detach(r, body)
	reply, err := h.engine.Do(ctx, op, func(ctx context.Context) Settlement {
		patience.Stop()
		return h.run(rec, detached.WithContext(ctx), op)
	})
	switch {
	case reply.Ran && rec.panic != nil:
		panic(rec.panic)
	case reply.Ran && rec.ended: // runtime.Goexit leaves it unset
		rec.deliver()
	case rec.leave(): // the answer has begun, and its end will not come
		panic(http.ErrAbortHandler)
	case err != nil:
		h.refuse(w, err)
	default:
		h.replay(w, reply.Result)
	}
}

// run calls the handler and says what becomes of the key.
func (h *handler) run(rec *recorder, r *http.Request, op Operation) (s Settlement) {
	defer func() {
		if r.MultipartForm != nil { // the server removes only what it knows of
			_ = r.MultipartForm.RemoveAll()
		}
	}()
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		p := &panicError{value: v, stack: debug.Stack()}
		rec.panic = p
		if v == http.ErrAbortHandler { // net/http tells it by comparing
			rec.panic = v
		}
		s = Settlement{Err: errPanic(p)}
	}()
	h.next.ServeHTTP(rec.writer(), r)
	return h.settle(rec, op)
}

// settle makes a settlement of the answer.
func (h *handler) settle(rec *recorder, op Operation) Settlement {
	status, header, record, lost := rec.end()
	s := Settlement{Verdict: h.cfg.Classify(status, header), Result: record}
	switch {
	case s.Verdict != Keep && s.Verdict != Release:
		return Settlement{Err: errAbandoned(fmt.Errorf("portavoz/idempotency: the handler answered %d", status))}
	case lost == "":
		return s
	case s.Verdict == Keep:
		h.engine.report(lost, op, nil)
		return Settlement{Verdict: Keep, Err: errDropped()}
	default: // whoever waits may try again
		return Settlement{Verdict: Release, Err: errInProgress(errNotKept)}
	}
}

// read reads the body of a request, which is NoBody or nil where there is none.
func (h *handler) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, h.cfg.MaxBody))
}

// detach returns a request that may outlive its connection.
func detach(r *http.Request, body []byte) *http.Request {
	clone := r.Clone(r.Context())
	clone.Body, clone.ContentLength, clone.TransferEncoding = http.NoBody, int64(len(body)), nil
	if len(body) > 0 {
		clone.Body = io.NopCloser(bytes.NewReader(body))
	}
	return clone
}

// fingerprintRequest is the digest of what a request asks for, beside its route.
func fingerprintRequest(r *http.Request, body []byte) Digest {
	kind, digest := "bytes", NewDigest(string(body))
	if isJSON(r.Header.Get("Content-Type")) {
		if value, err := Fingerprint(body); err == nil {
			kind, digest = "json", value
		}
	}
	return NewDigest(kind, string(digest[:]), r.URL.RawQuery)
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}
