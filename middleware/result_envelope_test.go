package middleware_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// TestErrorsReadsAnEnvelope has failures for which a handler made the envelope of
// another gateway: every other client gets the shape that it knows.
func TestErrorsReadsAnEnvelope(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text, want string
		effect     errors.Effect
	}{
		"more is needed": {
			`{"ok":false,"status":"needs_more_info","errors":[{"code":"no_id","message":"An id is needed","message_es":"Hace falta el documento.","field":"documento","retryable":true}],"nextQuestion":"¿Me da su documento?"}`,
			failure("VALIDATION", "Hace falta el documento.", `{"code":"no_id","field":"documento","retryable":true,"next_question":"¿Me da su documento?"}`), errors.EffectNone,
		},
		"a type": {
			`{"ok":false,"status":"failed","errors":[{"code":"not_found","message_es":"No existe."},{"code":"x"}]}`,
			failure("NOT_FOUND", "No existe.", `{"code":"not_found"}`), errors.EffectNone,
		},
		"permission":   {`{"ok":false,"status":"failed","errors":[{"code":"PERMISSION","message_es":"No."}]}`, failure("PERMISSION", "No.", `{"code":"PERMISSION"}`), errors.EffectNone},
		"blocker":      {`{"ok":false,"status":"failed","errors":[{"code":"blocker","message_es":"No."}]}`, failure("BLOCKER", "No.", `{"code":"blocker"}`), errors.EffectNone},
		"validation":   {`{"ok":false,"status":"failed","errors":[{"code":"validation","message_es":"No."}]}`, failure("VALIDATION", "No.", `{"code":"validation"}`), errors.EffectNone},
		"retryable":    {`{"ok":false,"status":"failed","errors":[{"code":"busy","message_es":"Ahora no.","retryable":true}]}`, failure("SYSTEM", "Ahora no.", `{"code":"busy","retryable":true}`), errors.EffectUnknown},
		"system":       {`{"ok":false,"status":"failed","errors":[{"code":"system","message_es":"No."}]}`, failure("SYSTEM", "No.", `{"code":"system"}`), errors.EffectUnknown},
		"no status":    {`{"ok":false,"errors":[{"code":"not_found","message_es":"No existe."}]}`, failure("NOT_FOUND", "No existe.", `{"code":"not_found"}`), errors.EffectNone},
		"anything":     {`{"ok":false,"status":"failed","errors":[{"code":"x","message_es":"No."}]}`, failure("UNKNOWN", "No.", `{"code":"x"}`), errors.EffectUnknown},
		"no errors":    {`{"ok":false,"status":"failed","errors":[]}`, failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", ""), errors.EffectUnknown},
		"wrong errors": {`{"ok":false,"status":"failed","errors":{"code":"a"}}`, failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", ""), errors.EffectUnknown},
		"a wrong type": {`{"ok":false,"status":"failed","errors":[{"code":"x","message_es":"No.","retryable":"no"}]}`, failure("UNKNOWN", "No.", `{"code":"x"}`), errors.EffectUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := mcp.NewToolResultText(tc.text)
			res.IsError = true
			var rec *middleware.Record
			h := middleware.Wrap(returns(res), middleware.Errors(middleware.ErrorsConfig{}), keepRecord(&rec))
			got, err := h(t.Context(), request(nil))
			if err != nil {
				t.Fatal(err)
			}
			if raw := encode(t, got); raw != tc.want {
				t.Errorf("got  %s\nwant %s", raw, tc.want)
			}
			e := rec.Failure()
			if made, ok := errors.AsType[*middleware.EnvelopeError](e); !ok || string(made.JSON) != tc.text {
				t.Errorf("the cause is %v, want the envelope itself", e.Cause)
			}
			if e.Effect != tc.effect {
				t.Errorf("the effect is %v, want %v", e.Effect, tc.effect)
			}
		})
	}
}

// TestErrorsReadsAnUnmarkedEnvelope has results that are not marked as failures and say
// in an envelope that they are: for every client it is one, and no key is kept for it.
func TestErrorsReadsAnUnmarkedEnvelope(t *testing.T) {
	t.Parallel()
	const made = `{"ok":false,"status":"failed","errors":[{"code":"not_found","message_es":"No existe."}]}`
	beside := mcp.NewToolResultText("No se pudo.")
	beside.RawStructuredContent = json.RawMessage(made)
	sentence := mcp.NewToolResultText("No se pudo.")
	sentence.Content = append(sentence.Content, mcp.NewTextContent(made))
	value := mcp.NewToolResultText("No se pudo.")
	value.StructuredContent = json.RawMessage(made)
	for name, res := range map[string]*mcp.CallToolResult{
		"text": mcp.NewToolResultText(made), "text beside another": sentence, "data beside a text": beside, "data as a value": value,
		"data alone": {RawStructuredContent: json.RawMessage(made)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runs++
				return res, nil
			}, middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})))
			for range 2 {
				got, err := h(t.Context(), keyed(`{}`))
				if err != nil {
					t.Fatal(err)
				}
				if raw, want := encode(t, got), failure("NOT_FOUND", "No existe.", `{"code":"not_found"}`); raw != want {
					t.Errorf("got  %s\nwant %s", raw, want)
				}
			}
			if runs != 2 {
				t.Errorf("the handler ran %d times, want 2: a failure is not kept", runs)
			}
		})
	}
}

// TestIdempotencyKeepsWhatIsDone has successes with a word in them that means something
// else: the first one is kept.
func TestIdempotencyKeepsWhatIsDone(t *testing.T) {
	t.Parallel()
	beside := mcp.NewToolResultText(`{"status":"pending_confirmation"}`)
	beside.RawStructuredContent = json.RawMessage(`{"radicado":"R-1"}`)
	blocks := mcp.NewToolResultText("Listo.")
	blocks.Content = append(blocks.Content, mcp.NewTextContent(`{"status":"pending_confirmation"}`))
	for name, tc := range map[string]struct {
		res  *mcp.CallToolResult
		runs int
	}{
		"a text beside data":      {beside, 1},
		"another member":          {mcp.NewToolResultText(`{"Status":"pending_confirmation"}`), 1},
		"one of several blocks":   {blocks, 2},
		"deeper down":             {mcp.NewToolResultText(`{"cita":{"status":"pending_confirmation"}}`), 1},
		"an envelope beside data": {&mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(`{"ok":true,"status":"pending_confirmation","data":{}}`)}, RawStructuredContent: json.RawMessage(`{}`)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runs++
				return tc.res, nil
			}, middleware.Idempotency(newEngine(t, idempotency.Config{})))
			for range 2 {
				if _, err := h(t.Context(), keyed(`{}`)); err != nil {
					t.Fatal(err)
				}
			}
			if runs != tc.runs {
				t.Errorf("the handler ran %d times, want %d", runs, tc.runs)
			}
		})
	}
}

// TestErrorsReadsNoEnvelope has texts that only look like one.
func TestErrorsReadsNoEnvelope(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"ok is true": `{"ok":true,"status":"failed","errors":[{"code":"a"}]}`,
		"no ok":      `{"status":"failed","errors":[{"code":"a"}],"x":"ok"}`,
		"no errors":  `{"ok":false,"errors":[]}`,
		"a record":   `{"ok":false,"status":"inactivo","errors":[]}`,
		"no JSON":    `{"ok":false,`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := mcp.NewToolResultText(text)
			res.IsError = true
			var rec *middleware.Record
			h := middleware.Wrap(returns(res), middleware.Errors(middleware.ErrorsConfig{}), keepRecord(&rec))
			if _, err := h(t.Context(), request(nil)); err != nil {
				t.Fatal(err)
			}
			if made, ok := errors.AsType[*middleware.EnvelopeError](rec.Failure()); ok {
				t.Errorf("%s is read as an envelope", made.JSON)
			}
		})
	}
}

// TestErrorsLeavesAReport returns what a check has found, as data: it is no failure that
// the checked thing is not ok.
func TestErrorsLeavesAReport(t *testing.T) {
	t.Parallel()
	const report = `{"ok":false,"errors":["Falta la firma."]}`
	h := middleware.Wrap(returns(mcp.NewToolResultText(report)), middleware.Errors(middleware.ErrorsConfig{}))
	got, err := h(t.Context(), request(nil))
	if err != nil {
		t.Fatal(err)
	}
	if raw, want := encode(t, got), encode(t, mcp.NewToolResultText(report)); raw != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
}

// TestSetSizeKeepsWhatWasLeftOut notes a size twice.
func TestSetSizeKeepsWhatWasLeftOut(t *testing.T) {
	t.Parallel()
	events := newRecorder()
	h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		rec := middleware.RecordFrom(ctx)
		rec.SetSize(2, true)
		rec.SetSize(3, false)
		return ok(ctx, req)
	}, middleware.Observe(events.observe))
	if _, err := h(t.Context(), request(nil)); err != nil {
		t.Fatal(err)
	}
	if ev := events.next(t); ev.Characters != 3 || !ev.Truncated {
		t.Errorf("the event has %d characters, truncated %v, want 3 and true", ev.Characters, ev.Truncated)
	}
}

// keepRecord hands the record of a call to its test.
func keepRecord(rec **middleware.Record) server.ToolHandlerMiddleware {
	return func(next handler) handler {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			*rec = middleware.RecordFrom(ctx)
			return next(ctx, req)
		}
	}
}
