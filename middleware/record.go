package middleware

import (
	"context"
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
