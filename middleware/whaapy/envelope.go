package whaapy

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/paginate"
)

// Envelope makes the one text block of JSON that Whaapy reads of whatever a tool
// returns: a result, a failure, a Go error, a panic. isError is true exactly if ok is
// false. The fields come in this order, and those that say nothing are left out:
//
//	ok            whether the call did what it says
//	status        see below
//	data          an object: the structured content, or what the text holds
//	errors        of a failure: code, message (English), message_es, field, retryable
//	toolName      the tool that the client called
//	safety        see [Safety]
//	durationMs    since the outermost middleware saw the call, in whole milliseconds
//	nextQuestion  what the agent may ask the person
//
// The status of a failure is needs_more_info if it is VALIDATION with a next question,
// as [NeedsMoreInfo] makes it, and else failed. A call that [middleware.Approve] holds
// back is no failure: it is pending_confirmation; with [Config.KeepStructured] only where
// the outputSchema has a place for that, see [middleware.OrPending], and else failed with
// the code approval_pending. The status of a success is
//
//   - needs_more_info or pending_confirmation, if its data have a member status that
//     says so, as those of [Pending] do; where a read-only tool says
//     pending_confirmation, and has neither candidates nor a question, it is the state
//     of a record, and the status is success;
//     needs_more_info, too, if a search found nothing: see [Config.Questions];
//   - failed, if the data of a write say status failed, or ok false: no success then. The
//     failure is UNKNOWN, since nobody says how far it got, isError is set, and the data
//     stay beside the errors if they fit. Under an idempotency key it is what the handler
//     made it, a success, and a repeated call gets the same again; a handler that returns
//     an error instead says more, to every client. Of a tool that only reads it is the
//     state of a record;
//   - queued, if a write returns a jobId and queuedAt, and no status of a job that has
//     ended, or a status that says so, as [Queued] does;
//   - success otherwise. [Config.Evidence] says what has to prove it.
//
// Data are put in byte for byte, except that a string that holds a JSON object or array
// becomes that, also one that was encoded twice. Data that are no object become
// {"result": ...}, and a text that is no JSON {"text": ...}, cut after a word where it is
// too long. The text beside structured content, or beside a block of JSON, is for other
// clients and is left out. Data that do not fit into [Config.Limit], or cannot be shown,
// are a failure; for a write that has happened the failure says that it is done. Of
// images and other blocks without text nothing is left.
//
// An envelope that a handler made itself, for this client alone, as a text or as
// structured content, passes as it is if it is right, see [EnvelopeError], and fits. One
// that is wrong is never put into another: in its place there is a failure.
//
// It belongs outside of everything else that shapes results; see [Stack]. Calls that
// handlers make through the server are left alone. It panics if the configuration is
// wrong.
func Envelope(cfg Config) server.ToolHandlerMiddleware {
	if err := cfg.check(); err != nil {
		panic("portavoz/whaapy: Envelope: " + err.Error())
	}
	cfg = cfg.withDefaults()
	e := &enveloper{cfg: cfg, border: middleware.Errors(middleware.ErrorsConfig{Messages: cfg.Messages, MaxMessage: maxMessage / 2})}
	return middleware.Chain(middleware.Metadata(call.Keys{}), e.around, middleware.Recover())
}

type enveloper struct {
	cfg    Config
	border server.ToolHandlerMiddleware // makes a failure of what is no result
}

func (e *enveloper) around(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		rec := middleware.RecordFrom(ctx)
		if rec.Inner() {
			return next(ctx, req)
		}
		call.ExchangeFrom(ctx).AskInvalid()
		res, err := next(ctx, req)
		if err != nil || res == nil || !res.IsError || rec.Failure() == nil {
			res = e.sealed(ctx, req, res, err)
		}
		if !res.IsError {
			text, cause := e.success(ctx, rec, res)
			if cause == nil {
				return e.result(rec, res, text, false), nil
			}
			res = e.sealed(ctx, req, nil, cause)
		}
		return e.failure(ctx, rec, res), nil
	}
}

// sealed returns a result that is ours and can be encoded, whatever came.
func (e *enveloper) sealed(ctx context.Context, req mcp.CallToolRequest, res *mcp.CallToolResult, err error) *mcp.CallToolResult {
	res, _ = e.border(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, err })(ctx, req)
	return res // Errors returns no error
}

// success returns the text of a result that is no failure, or what it has to fail with.
// That an envelope of the handler's own says that it is one was found out before.
func (e *enveloper) success(ctx context.Context, rec *middleware.Record, res *mcp.CallToolResult) (text string, err error) {
	made, own := ownEnvelope(rec, res)
	if own {
		text, err = made.text, e.check(ctx, rec, &made)
	} else {
		text, err = e.wrap(ctx, rec, res)
	}
	switch {
	case err != nil:
		if failure, typed := errors.AsType[*errors.Error](err); typed {
			return "", failure
		}
		failure := rec.CannotShow(ctx, res, err)
		if own && failure.Code == errors.CodeDoneWithheld && made.doubtful() {
			failure = unsure(err)
		}
		return "", failure
	case len(text) > e.cfg.Limit && paginate.UTF16Len(text) > e.cfg.Limit: // bytes are never fewer
		return "", e.tooLarge(ctx, rec, res)
	}
	return text, nil
}

// check says what is wrong with an envelope that the handler made.
func (e *enveloper) check(ctx context.Context, rec *middleware.Record, made *madeEnvelope) error {
	if problem := made.problem(rec); problem != "" {
		err := &EnvelopeError{Tool: rec.Tool(), Problem: problem}
		e.cfg.Report(ctx, err)
		return err
	}
	d, _ := readData(made.data, e.cfg.Evidence[rec.Tool()])
	return e.prove(ctx, rec, made.status, d)
}

// wrap puts the envelope around the data of a success.
func (e *enveloper) wrap(ctx context.Context, rec *middleware.Record, res *mcp.CallToolResult) (string, error) {
	d, err := dataOf(res, e.cfg.Evidence[rec.Tool()], e.cfg.Limit-Reserve)
	if err != nil {
		return "", err
	}
	status, question := e.judge(ctx, rec, d)
	if status == Failed {
		return "", told(d, question)
	}
	if err := e.prove(ctx, rec, status, d); err != nil {
		return "", err
	}
	if d.cut {
		rec.SetSize(paginate.UTF16Len(d.raw), true) // of the whole it is noted at the end
	}
	env := envelope{ok: true, status: status, data: d.raw, question: question}
	return e.text(ctx, rec, &env), nil
}

// failure returns the result of a failure whose typed error is in the record.
func (e *enveloper) failure(ctx context.Context, rec *middleware.Record, res *mcp.CallToolResult) *mcp.CallToolResult {
	failure := rec.Failure()
	if text, ok := e.ownFailure(ctx, rec, failure); ok {
		return e.result(rec, res, text, true)
	}
	if env, ok := waiting(failure); ok && !e.cfg.KeepStructured { // which would not fit its schema
		return e.result(rec, res, e.text(ctx, rec, &env), false)
	}
	env := failed(failure, e.cfg.Messages)
	text := e.text(ctx, rec, &env)
	if told, ok := failure.Cause.(*toldError); ok { //nolint:errorlint // set by told, never wrapped
		env.data = told.data
		if whole := e.text(ctx, rec, &env); paginate.UTF16Len(whole) <= e.cfg.Limit {
			text = whole
		}
	}
	return e.result(rec, res, text, true)
}

// text completes an envelope and encodes it.
func (e *enveloper) text(ctx context.Context, rec *middleware.Record, env *envelope) string {
	env.tool, env.safety = rec.Called(), e.safetyOf(ctx, rec)
	env.millis = max(time.Since(rec.Start()).Milliseconds(), 0)
	return env.json()
}

// result is res with the text for its content. Res is ours: nothing but its fields is
// shared.
func (e *enveloper) result(rec *middleware.Record, res *mcp.CallToolResult, text string, isError bool) *mcp.CallToolResult {
	own := *res
	own.Content, own.IsError = []mcp.Content{mcp.NewTextContent(text)}, isError
	size := paginate.UTF16Len(text)
	if e.cfg.KeepStructured {
		size = max(size, paginate.UTF16Len(own.RawStructuredContent))
	} else {
		own.StructuredContent, own.RawStructuredContent = nil, nil
	}
	rec.SetSize(size, false)
	return &own
}

// tooLarge is the failure in place of an envelope beyond the limit.
func (e *enveloper) tooLarge(ctx context.Context, rec *middleware.Record, res *mcp.CallToolResult) error {
	failure := rec.CannotShow(ctx, res, errors.New("the envelope is too large"))
	if failure.Type != errors.TypeSystem { // it is done
		return failure
	}
	return errors.Validation("", errors.WithCode(errors.CodeTooLarge), errors.WithDetails(map[string]any{
		"advice": "The result is too large. Narrow the question: filter more, use a smaller limit, or ask for one record.",
	}))
}
