package middleware

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/refusal"
)

// Record is what is known about one tool call. The middleware that comes first
// makes it and the others find it with [RecordFrom]; that way the metadata is
// read, and the definition is looked up, once. It is safe for concurrent use.
type Record struct {
	tool     string
	called   string // by the client
	start    time.Time
	meta     call.Meta
	caller   call.Caller
	protocol *server.RequestProtocolInfo // of the message that made the call; nil in the legacy era
	exchange *call.Exchange
	inner    bool    // a handler made the call, not the message of the exchange
	outer    *Record // of the call that led to this one, or nil
	refused  bool    // a handler that stands for several tools found none for the call

	lookup     sync.Once
	definition *mcp.Tool // nil: not known

	mu        sync.Mutex
	outcome   Outcome
	failure   *errors.Error
	measured  bool
	size      int
	truncated bool
	dropped   int
	redacted  int
	noKey     bool
	tries     int
	tried     trier
	print     fingerprint
	ownHeader bool
	tolerated []Tolerance
	badResult error
	owned     map[ownedKey]struct{}
	ownership *ownership
	own       *mcp.CallToolResult // the last that was sealed
	sound     []byte              // raw JSON that was found sound
	valid     []byte              // arguments that keep the schema of the definition
	handover  handover
	speak     func(*document.Document) string
	budget    *budget // the last that waits for the result
	short     bool    // something was left out for it
}

type recordKey struct{}

// recordContext carries the record of a call. A middleware that is handed one as
// it is lies right inside of another of this package, in the same call, and need
// not look any further.
type recordContext struct {
	context.Context //nolint:containedctx // it is a context

	rec *Record
}

// within returns ctx, which a middleware has derived from the call's, so that those
// inside of it need not look for the record.
func (r *Record) within(ctx context.Context) context.Context { return &recordContext{ctx, r} }

// Value implements [context.Context].
func (c *recordContext) Value(key any) any {
	if key == (recordKey{}) {
		return c.rec
	}
	return c.Context.Value(key)
}

// RecordFrom returns the record of the call that ctx belongs to, or nil where
// no middleware made one.
func RecordFrom(ctx context.Context) *Record {
	rec, _ := ctx.Value(recordKey{}).(*Record)
	return rec
}

// begin finds the record of this call or makes it. A record of another tool, or
// of another message, is an outer call that led to this one: metadata and caller
// are the outer one's, except for an idempotency key that the inner call carries
// itself; the rest is not shared.
func begin(ctx context.Context, req *mcp.CallToolRequest) (context.Context, *Record) {
	return beginWith(ctx, req, call.Keys{})
}

func beginWith(ctx context.Context, req *mcp.CallToolRequest, keys call.Keys) (context.Context, *Record) {
	if c, ok := ctx.(*recordContext); ok && c.rec.tool == req.Params.Name {
		return ctx, c.rec
	}
	outer, protocol := RecordFrom(ctx), server.RequestProtocolInfoFromContext(ctx)
	refused := refusal.From(ctx, req.Params.Name) != nil
	if outer != nil && outer.tool == req.Params.Name && outer.protocol == protocol && outer.refused == refused {
		return ctx, outer
	}
	rec := &Record{tool: req.Params.Name, refused: refused, called: calledAs(ctx, req.Params.Name), start: time.Now(), protocol: protocol}
	if outer != nil {
		rec.meta, rec.caller, rec.exchange = innerMeta(outer.meta, req, keys), outer.caller, outer.exchange
		rec.outer = outer
		rec.inner = outer.inner || !handedOn(ctx, outer.tool, rec.tool)
		ctx = call.WithMeta(ctx, rec.meta)
	} else {
		rec.meta = readMeta(ctx, req, keys)
		rec.caller, _ = call.CallerFrom(ctx)
		rec.exchange = call.ExchangeFrom(ctx)
		ctx = call.WithMeta(ctx, rec.meta)
		if req.Params.Task != nil && rec.runsAsTask(ctx) {
			ctx, req.Header = context.WithoutCancel(ctx), req.Header.Clone()
		}
	}
	rec.exchange.SetOutcome(call.Outcome{Tool: rec.tool, RequestID: rec.meta.RequestID})
	return &recordContext{ctx, rec}, rec
}

// readMeta prefers what the call itself carries to what a test or an outer
// layer put into the context.
func readMeta(ctx context.Context, req *mcp.CallToolRequest, keys call.Keys) call.Meta {
	meta := call.MetaFrom(ctx)
	if req.Params.Meta != nil && len(req.Params.Meta.AdditionalFields) > 0 {
		meta = keys.Read(req.Params.Meta.AdditionalFields)
	}
	if meta.RequestID == "" {
		meta.RequestID = call.NewRequestID()
	}
	return meta
}

// innerMeta is the metadata of a call that a handler makes through the server.
// Without a key of its own it has that of the outer call, so that two inner calls
// of one tool with different arguments need keys, such as [EffectKey] makes them.
func innerMeta(outer call.Meta, req *mcp.CallToolRequest, keys call.Keys) call.Meta {
	if req.Params.Meta == nil {
		return outer
	}
	own := keys.Read(req.Params.Meta.AdditionalFields)
	if own.IdempotencyKey != "" || own.KeyError != nil {
		outer.IdempotencyKey, outer.KeyError = own.IdempotencyKey, own.KeyError
	}
	return outer
}

// Metadata makes the call record with other names for the metadata in _meta
// than the defaults of [call.Keys]. It belongs outermost; without it the
// defaults hold.
func Metadata(keys call.Keys) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, _ = beginWith(ctx, &req, keys)
			return next(ctx, req)
		}
	}
}

// Tool returns the name under which the tool was called. Of a call that was handed
// on with [WithDefinition] it is the name of the tool that runs.
func (r *Record) Tool() string { return r.tool }

// Called returns the name that the client called: it is not that of [Record.Tool] if
// the call was handed on with [WithDefinition].
func (r *Record) Called() string { return r.called }

// Start returns when the outermost middleware saw the call.
func (r *Record) Start() time.Time { return r.start }

// Meta returns the call's metadata. Its RequestID is never empty.
func (r *Record) Meta() call.Meta { return r.meta }

// Caller returns who calls; the zero Caller when nobody was authenticated.
func (r *Record) Caller() call.Caller { return r.caller }

// Inner reports whether a handler made the call, by way of the server, and not the
// client. Its result is the handler's to use.
func (r *Record) Inner() bool { return r.inner }

// Definition returns the tool as it was registered: the one of [WithDefinition],
// else the session's own tool if there is one, else the server's. It is looked up
// once per call and must not be changed. It is nil outside of a server, as in a test that calls a handler
// directly.
func (r *Record) Definition(ctx context.Context) *mcp.Tool {
	r.lookup.Do(func() { r.definition = findTool(ctx, r.tool) })
	return r.definition
}

// ReadOnly reports whether the tool is declared read-only. A tool that does
// not say so, or is not known, counts as one that writes.
func (r *Record) ReadOnly(ctx context.Context) bool {
	tool := r.Definition(ctx)
	return tool != nil && tool.Annotations.ReadOnlyHint != nil && *tool.Annotations.ReadOnlyHint
}

// runsAsTask reports whether mcp-go runs this call apart from the HTTP request
// that brought it. That request was answered with the task's id, so its context
// has ended, or is about to, while the work has just begun. A task over stdio
// has a context that lives, and tasks/cancel ends it.
func (r *Record) runsAsTask(ctx context.Context) bool {
	if ctx.Value(http.ServerContextKey) == nil {
		return false
	}
	tool := r.Definition(ctx)
	if tool == nil || tool.Execution == nil {
		return false
	}
	support := tool.Execution.TaskSupport
	return support == mcp.TaskSupportOptional || support == mcp.TaskSupportRequired
}

type definitionKey struct{}

// stands says that a call of one tool is handed on to another one.
type stands struct {
	context.Context //nolint:containedctx // it is a context

	called string
	tool   *mcp.Tool
}

// Value implements [context.Context].
func (s *stands) Value(key any) any {
	if key == (definitionKey{}) {
		return s
	}
	return s.Context.Value(key)
}

// WithDefinition returns a context in which a call of the tool's name has this
// definition. It is for a handler that stands for several tools and hands a call on
// to one of them under that one's name, as package expose does: what lies between
// the two then sees the tool that runs. Called is the name under which the call
// came. The tool must not be changed any more.
func WithDefinition(ctx context.Context, called string, tool *mcp.Tool) context.Context {
	return &stands{ctx, called, tool}
}

// definitionFrom returns what WithDefinition put there for this name, or nil.
func definitionFrom(ctx context.Context, name string) *mcp.Tool {
	if s, ok := ctx.Value(definitionKey{}).(*stands); ok && s.tool.Name == name {
		return s.tool
	}
	return nil
}

// calledAs returns the name under which a call of the tool came.
func calledAs(ctx context.Context, name string) string {
	if s, ok := ctx.Value(definitionKey{}).(*stands); ok && s.tool.Name == name {
		return s.called
	}
	return name
}

// handedOn reports whether a call of one tool became one of another by
// WithDefinition: both are the same call.
func handedOn(ctx context.Context, from, to string) bool {
	s, ok := ctx.Value(definitionKey{}).(*stands)
	return ok && s.called == from && s.tool.Name == to
}

func findTool(ctx context.Context, name string) *mcp.Tool {
	if tool := definitionFrom(ctx, name); tool != nil {
		return tool
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithTools); ok {
		if tool, ok := session.GetSessionTools()[name]; ok {
			return &tool.Tool
		}
	}
	if srv := server.ServerFromContext(ctx); srv != nil {
		if tool := srv.GetTool(name); tool != nil {
			return &tool.Tool
		}
	}
	return nil
}

// Failure returns the typed error with which the call failed, or nil. It is
// set by [Errors], so it is for what lies outside of it.
func (r *Record) Failure() *errors.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failure
}

func (r *Record) fail(e *errors.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure = e
}

// mark notes how the call ends. The first note wins: it was made nearest to
// what happened, by a middleware further in.
func (r *Record) mark(o Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcome == "" {
		r.outcome = o
	}
}

// SetSize notes the final size of the result in UTF-16 code units, and whether
// something was left out to reach it. It is for a middleware that shapes
// results; [Log] measures what nobody noted. The size that is noted last counts, and
// what one has left out stays left out.
func (r *Record) SetSize(units int, truncated bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size, r.truncated, r.measured = units, r.truncated || truncated, true
}

// setDropped notes how many content blocks were left out.
func (r *Record) setDropped(blocks int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropped = blocks
}

// addRedacted notes that places of a result were redacted.
func (r *Record) addRedacted(places int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.redacted += places
}

// setUnprotected notes that a write runs without an idempotency key.
func (r *Record) setUnprotected() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noKey = true
}

// setTolerated notes which tolerances were used to make the arguments fit, each
// once.
func (r *Record) setTolerated(used []Tolerance) {
	used = slices.Compact(slices.Sorted(slices.Values(used)))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tolerated = used
}

// setValid notes arguments that keep the schema, and isValid reports whether these
// are the same ones: a further Validate has nothing left to do.
func (r *Record) setValid(raw []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.valid = raw
}

func (r *Record) isValid(raw []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sameBytes(raw, r.valid)
}

// setBadResult notes how the result of a write breaks its schema.
func (r *Record) setBadResult(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.badResult = err
}

// fingerprint is that of the arguments. It is made once, unless somebody on the
// way gives the call others.
func (r *Record) fingerprint(req *mcp.CallToolRequest) (idempotency.Digest, error) {
	raw := rawArguments(req)
	r.mu.Lock()
	known := r.print
	r.mu.Unlock()
	if sameBytes(raw, known.of) {
		return known.digest, nil
	}
	digest, err := idempotency.Fingerprint(raw)
	if err == nil {
		r.mu.Lock()
		r.print = fingerprint{of: raw, digest: digest}
		r.mu.Unlock()
	}
	return digest, err
}

// fingerprint is a digest and the arguments that it is of.
type fingerprint struct {
	of     []byte
	digest idempotency.Digest
}

// detach gives the call headers of its own: those of the request are net/http's,
// and a run may outlive it.
func (r *Record) detach(req *mcp.CallToolRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ownHeader {
		req.Header, r.ownHeader = req.Header.Clone(), true
	}
}
