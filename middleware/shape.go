package middleware

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// handover is structured content that a shaping middleware has decoded, and the
// bytes that it left in the result. Whoever shapes next finds the document by the
// bytes: no result that lies between them, or in a store, or in a handler's hands,
// ever refers to a document that changes.
type handover struct {
	raw []byte
	doc *document.Document
}

// seal is the function of that name, once per result: what it has made in this
// call is ours alone already. A nil record knows of none.
func (r *Record) seal(res *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	if r == nil || res == nil {
		return seal(res)
	}
	encoded := len(res.RawStructuredContent) > 0 || res.StructuredContent == nil
	if encoded && res.Content != nil && r.isOwn(res) {
		return res, nil
	}
	own, err := seal(res) // without the lock: it may call a marshaler of the handler's
	if err == nil {
		r.setOwn(own)
	}
	return own, err
}

func (r *Record) isOwn(res *mcp.CallToolResult) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return res == r.own
}

// setOwn notes a result that nobody else refers to.
func (r *Record) setOwn(res *mcp.CallToolResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.own = res
}

// setSound notes bytes that were found to be JSON.
func (r *Record) setSound(raw []byte) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sound = raw
}

// openResult returns a result of our own, as [seal] does, and its structured
// content as a document: nil if there is none. The document is for the caller
// alone, until [Record.closeResult]. It fails for what cannot be encoded, is not
// JSON or is nested too deeply.
func (r *Record) openResult(res *mcp.CallToolResult) (*mcp.CallToolResult, *document.Document, error) {
	own, err := r.seal(res)
	if err != nil || own == nil || len(own.RawStructuredContent) == 0 {
		return own, nil, err
	}
	if doc := r.take(own.RawStructuredContent); doc != nil {
		return own, doc, nil
	}
	doc, err := document.Parse(own.RawStructuredContent)
	return own, doc, err
}

// closeResult puts the document into a result of our own and leaves it for the next
// one who shapes. The caller must not change it any more. Bytes that were not
// changed stay those that they were; others are written here and now, as nobody can
// say who keeps the result on its way: a store does, and a stranger's middleware may.
func (r *Record) closeResult(own *mcp.CallToolResult, doc *document.Document) {
	raw := doc.JSON()
	if !sameBytes(raw, own.RawStructuredContent) {
		own.RawStructuredContent, own.StructuredContent = raw, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handover = handover{raw: raw, doc: doc}
}

// take returns the document that stands for these bytes, once.
func (r *Record) take(raw []byte) *document.Document {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !sameBytes(raw, r.handover.raw) {
		return nil
	}
	doc := r.handover.doc
	r.handover.doc = nil
	return doc
}

// isSound reports whether these bytes were found to be JSON in this call, or were
// decoded or encoded by a shaping middleware. A nil record knows of none.
func (r *Record) isSound(raw []byte) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return sameBytes(raw, r.handover.raw) || sameBytes(raw, r.sound)
}

// done reports whether a result is what came of a write that has happened: a failure
// in its place must not look as if it had not.
func (r *Record) done(ctx context.Context, res *mcp.CallToolResult) bool {
	return !res.IsError && !r.ReadOnly(ctx) && !isUnfinished(res)
}

// CannotShow is the failure in place of a result that cannot be shown, because of
// cause: SYSTEM with code "bad_result", and for a write that has happened BLOCKER with
// code "done_result_withheld", which says that it is done. It is for a middleware that
// shapes results.
func (r *Record) CannotShow(ctx context.Context, res *mcp.CallToolResult, cause error) *errors.Error {
	if r.done(ctx, res) {
		return withheld(cause)
	}
	return badResult(cause)
}

// withheld is the failure in place of the result of a write that has happened, if
// the result cannot be shown.
func withheld(cause error) *errors.Error {
	return errors.Blocker("", errors.WithCode(errors.CodeDoneWithheld), errors.WithCause(cause),
		errors.WithEffect(errors.EffectUnknown), errors.WithDetails(map[string]any{
			"advice": "The operation was completed: do not repeat it. Its result cannot be shown; read the record with another tool.",
		}))
}

// badResult is the failure in place of a result that cannot be shown.
func badResult(cause error) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeBadResult), errors.WithCause(cause))
}

// sameBytes reports whether a and b are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
}

// setSpeaker notes how the text of this call's result was made of its data, so that
// whoever shortens the data later makes the text of what is left.
func (r *Record) setSpeaker(speak func(*document.Document) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.speak = speak
}

// speaker returns what setSpeaker noted, nil if the text is the handler's own.
func (r *Record) speaker() func(*document.Document) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.speak
}

// await notes which budget waits for the result, and returns the one that did. Who
// changes the data on the way
// there lets it shorten them first, so that they are encoded once: bytes are written
// whenever a result is handed on, since nobody knows who keeps it.
func (r *Record) await(b *budget) (before *budget) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, r.budget = r.budget, b
	return before
}

// awaits returns what await noted, nil if no budget waits.
func (r *Record) awaits() *budget {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.budget
}

// setShortened notes that something was left out for the budget that waits.
func (r *Record) setShortened() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.short = true
}

func (r *Record) shortened() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.short
}
