package middleware

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// RedactConfig tunes [Redact]. The zero value takes out secrets and the inside of
// the server, and leaves identifiers.
type RedactConfig struct {
	// HideIDs takes internal identifiers out: members that are named so (id, _id,
	// cliente_id, clienteId, id_cliente, uuid and the like, also for several) and
	// UUIDs, wherever they stand. Asixto Gateway forbids them in a result; Whaapy
	// demands some as evidence (ticketId, paymentId). The jobId of [Deferred] and the
	// approvalId of [Approve] stay. Default: they all do.
	HideIDs bool
	// Public names members whose values stay as they are, whatever else is said
	// here, such as a case number that the person needs. Default: none.
	Public []string
	// Fields names further members that never leave. Default: none.
	Fields []string
	// Patterns are taken out of every text. They must not match an empty text.
	// Default: none.
	Patterns []*regexp.Regexp
}

// Redact takes out of results, and out of failures, what must never leave the
// server:
//
//   - in every text: stack traces and panics, bearer tokens, JSON web tokens, private
//     keys, keys with a public form, connection strings, addresses and hosts of the
//     inside, and what is assigned to a name such as password or clave;
//   - in data: members that are named like a credential (password, token, secret,
//     contraseña, clave, apiKey, ...), whatever they hold but true, false and null. The
//     token of a next page is none. A signature or a session (firma, sesion_id, ...)
//     goes if it is a text that looks random, and the number of a card (tarjeta,
//     card_number, ...) if it is the whole one of a payment card;
//   - what the configuration adds.
//
// Names are compared without regard to case, separators and accents: ticket_id is
// ticketId. A value beside its name ({"name":"Authorization","value":...}) goes like a
// member of that name. In a text what was found becomes "[dato oculto]". A member goes, unless
// the tool's outputSchema demands it: then its value becomes null, that text, an
// empty one, zero or an empty list, the first that the schema takes. A success that
// would break its schema all the same becomes SYSTEM with code "bad_result", and that
// of a write BLOCKER with code "done_result_withheld", which says that it is done.
//
// Text that is JSON is treated as data, also inside of data. The order of members and numbers beyond 2^53
// stay. [Event] says how many places were redacted. It belongs inside of [Idempotency],
// so that nothing secret is stored.
//
// It panics if a pattern is nil or matches an empty text, or a name is empty, or both
// public and not.
func Redact(cfg RedactConfig) server.ToolHandlerMiddleware {
	if err := cfg.check(); err != nil {
		panic("portavoz/middleware: Redact: " + err.Error())
	}
	r, outputs := newRedactor(cfg), newOutputs()
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			res, err := next(ctx, req)
			switch {
			case err != nil:
				return nil, r.failure(rec, err)
			case res == nil:
				return nil, nil
			}
			return r.result(ctx, rec, outputs.of(ctx, rec), res)
		}
	}
}

func (cfg *RedactConfig) check() error {
	var problems []error
	for i, p := range cfg.Patterns {
		if p == nil || p.MatchString("") {
			problems = append(problems, fmt.Errorf("pattern %d is nil or matches an empty text", i))
		}
	}
	public, fields := newNames(cfg.Public), newNames(cfg.Fields)
	if public.has("") || fields.has("") {
		problems = append(problems, errors.New("a name is empty"))
	}
	for _, name := range cfg.Fields {
		if name != "" && public.has(name) {
			problems = append(problems, fmt.Errorf("%s is public and is not", name))
		}
	}
	return errors.Join(problems...)
}

// redactor is a [RedactConfig] at work.
type redactor struct {
	hideIDs        bool
	public, fields names
	patterns       []*regexp.Regexp
	known          nameCache[nameRule]
	currencies     fieldNames
}

func newRedactor(cfg RedactConfig) *redactor {
	return &redactor{
		hideIDs: cfg.HideIDs, public: newNames(cfg.Public), fields: newNames(cfg.Fields),
		patterns: slices.Clone(cfg.Patterns),
	}
}

// errSchemaDemands is why a result is not shown.
var errSchemaDemands = errors.New("the output schema demands what must not leave")

// result returns a result of our own without what must not leave.
func (r *redactor) result(ctx context.Context, rec *Record, out *output, res *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	own, doc, err := rec.openResult(res)
	if err != nil && (own == nil || !json.Valid(own.RawStructuredContent)) {
		return res, nil // nothing of it can be sent: to say so is for [Errors]
	}
	found := 0
	if err == nil {
		found, err = r.redact(own, doc, out)
	}
	rec.addRedacted(found)
	switch {
	case err == nil:
		if doc != nil {
			rec.closeResult(own, doc)
		}
		return own, nil
	case res.IsError:
		e := failureOf(res, nil) // its text cannot be cleaned
		return nil, &errors.Error{Type: e.Type, Effect: e.Effect, Cause: err}
	case rec.done(ctx, own):
		return nil, withheld(err)
	}
	return nil, badResult(err)
}

// redact takes out of a result of our own, and of its data, what must not leave, and
// counts the places.
func (r *redactor) redact(own *mcp.CallToolResult, doc *document.Document, out *output) (int, error) {
	if own.IsError {
		out = &output{} // failures have a shape of their own
	}
	blocks := readBlocks(own.Content, doc)
	w := walk{redactor: r, out: out, doc: doc}
	if doc != nil {
		if err := w.run(); err != nil {
			return w.found, err
		}
		remake(blocks, doc, nil, false)
	}
	if err := r.blocks(blocks, &w.found); err != nil {
		return w.found, err
	}
	if own.Meta != nil && len(own.Meta.AdditionalFields) > 0 {
		fields, err := r.members(own.Meta.AdditionalFields, &w.found)
		if err != nil {
			return w.found, err
		}
		own.Meta.AdditionalFields = fields
	}
	if w.found > 0 {
		own.Content = contentOf(blocks)
	}
	return w.found, nil
}

// errOpaque is why a text is not shown.
var errOpaque = errors.New("the text is JSON that is nested too deeply")

// blocks redacts the content of a result. The text of a block that says what the data
// says has been made of the redacted data.
func (r *redactor) blocks(blocks []block, found *int) error {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.mirror || !b.isText:
		case b.opaque:
			return errOpaque
		case b.data != nil:
			w := walk{redactor: r, out: &output{}, doc: b.data}
			if err := w.run(); err != nil {
				return err
			}
			if *found += w.found; w.found > 0 {
				b.set(string(b.data.JSON()))
			}
		default:
			if text, n := r.text(b.text); n > 0 {
				*found += n
				b.set(text)
			}
		}
		if isPlain(b.content) {
			continue
		}
		if err := r.other(b, found); err != nil {
			return err
		}
	}
	return nil
}

// other redacts a block that is more than a text: a resource, or one with _meta.
func (r *redactor) other(b *block, found *int) error {
	raw, n, err := r.value(b.content, true)
	if err != nil || n == 0 {
		return err
	}
	*found += n
	b.content, err = mcp.UnmarshalContent(raw)
	return err
}

// members redacts a map that is encoded as JSON in the end. The map itself stays as
// it is.
func (r *redactor) members(fields map[string]any, found *int) (map[string]any, error) {
	raw, n, err := r.value(fields, false)
	if err != nil || n == 0 {
		return fields, err
	}
	*found += n
	return decodeMembers(raw)
}

// value encodes and redacts what encodes to JSON: a block of content, or anything.
func (r *redactor) value(v any, isContent bool) (raw []byte, found int, err error) {
	if raw, err = marshal(v); err != nil {
		return nil, 0, err
	}
	doc, err := document.Parse(raw)
	if err != nil {
		return nil, 0, err
	}
	w := walk{redactor: r, out: &output{}, doc: doc, media: isContent}
	err = w.run()
	return doc.JSON(), w.found, err
}

// failure returns err as it may leave: the error itself, if there is nothing in it
// that a client would see and must not.
func (r *redactor) failure(rec *Record, err error) error {
	e := *errors.From(err)
	found := r.clean(&e)
	if found == 0 {
		return err
	}
	rec.addRedacted(found)
	e.Cause = err
	return &e
}

// clean redacts what a client sees of a failure, and counts.
func (r *redactor) clean(e *errors.Error) (found int) {
	for _, text := range [...]*string{&e.UserMessage, &e.NextQuestion, &e.Field, &e.Code} {
		clean, n := r.text(*text)
		*text, found = clean, found+n
	}
	if len(e.Details) == 0 {
		return found
	}
	before := found
	sent, err := errors.Parse(e.AppendJSON(nil)) // without what cannot be encoded
	if err == nil {
		sent.Details, err = r.members(sent.Details, &found)
	}
	switch {
	case err != nil: // nested too deeply to be looked at
		e.Details, found = nil, found+1
	case found > before:
		e.Details = sent.Details
	}
	return found
}
