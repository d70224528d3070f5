package middleware_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/internal/document"
)

// stateResult is what the schema below describes.
type stateResult struct {
	Estado string `json:"estado"`
	Total  int    `json:"total"`
}

const stateSchema = `{"type":"object","required":["estado","total"],"additionalProperties":false,
	"properties":{"estado":{"enum":["activo","inactivo"]},"total":{"type":"integer"}}}`

// TestValidateResult holds results in every form to the schema, of a tool that
// reads and of one that writes.
func TestValidateResult(t *testing.T) {
	t.Parallel()
	raw := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("x")}, RawStructuredContent: json.RawMessage(s)}
	}
	doc, err := document.Parse([]byte(`{"estado":"activo","total":"uno"}`))
	if err != nil {
		t.Fatal(err)
	}
	const bad = `{"error":{"error_type":"SYSTEM","user_message":"Se obtuvo una respuesta, pero no es posible presentarla.","details":{"code":"bad_result"}}}`
	for name, tc := range map[string]struct {
		res     *mcp.CallToolResult
		data    string // as delivered
		problem string // "" for none
	}{
		"a struct":             {mcp.NewToolResultStructured(stateResult{"activo", 1}, "x"), `{"estado":"activo","total":1}`, ""},
		"a map":                {mcp.NewToolResultStructured(map[string]any{"estado": "activo", "total": 1}, "x"), `{"estado":"activo","total":1}`, ""},
		"raw":                  {raw(`{"total":1,"estado":"activo"}`), `{"total":1,"estado":"activo"}`, ""},
		"a failure":            {mcp.NewToolResultError("no hay"), `{"error":{"error_type":"UNKNOWN","user_message":"no hay"}}`, ""},
		"a struct, wrong":      {mcp.NewToolResultStructured(stateResult{"cortado", 1}, "x"), `{"estado":"cortado","total":1}`, "estado breaks enum"},
		"raw, wrong":           {raw(`{"estado":"activo","total":1,"1032456789":2}`), `{"estado":"activo","total":1,"1032456789":2}`, "* breaks additionalProperties"},
		"a document, wrong":    {mcp.NewToolResultStructured(doc, "x"), `{"estado":"activo","total":"uno"}`, "total breaks type"},
		"a list":               {raw(`[]`), `[]`, "the whole breaks type"},
		"no data":              {mcp.NewToolResultText("hecho"), ``, "no structured content"},
		"raw, beyond a number": {raw(`{"estado":"activo","total":1e999}`), `{"estado":"activo","total":1e999}`, "beyond float64"},
	} {
		for _, readOnly := range []bool{true, false} {
			for _, strict := range []bool{true, false} {
				cfg := middleware.ValidateConfig{CheckResults: true, StrictResults: strict}
				events := newRecorder()
				srv := server.NewMCPServer("prueba", "1.0.0")
				srv.Use(middleware.Observe(events.observe), middleware.Errors(middleware.ErrorsConfig{}), middleware.Validate(cfg))
				srv.AddTool(mcp.NewTool("prueba", mcp.WithReadOnlyHintAnnotation(readOnly), mcp.WithRawOutputSchema(json.RawMessage(stateSchema))), returns(tc.res))
				got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{}`, "")))
				ev := events.next(t)

				want := tc.data
				refused := tc.problem != "" && (readOnly || strict)
				if refused {
					want = bad
				}
				if got != want {
					t.Errorf("%s, read-only %v, strict %v:\n got %s\nwant %s", name, readOnly, strict, got, want)
				}
				logged := ""
				switch {
				case refused:
					logged = ev.Err.Error()
				case ev.BadResult != nil:
					logged = ev.BadResult.Error()
				}
				if !strings.Contains(logged, tc.problem) || (logged == "") != (tc.problem == "") {
					t.Errorf("%s, read-only %v, strict %v: logged %q, want %q", name, readOnly, strict, logged, tc.problem)
				}
			}
		}
	}
}

// TestValidateResultUnchecked: the zero configuration, and a tool without an
// outputSchema, leave results as they are.
func TestValidateResultUnchecked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg  middleware.ValidateConfig
		tool mcp.Tool
	}{
		"zero configuration": {middleware.ValidateConfig{}, mcp.NewTool("prueba", mcp.WithReadOnlyHintAnnotation(true), mcp.WithRawOutputSchema(json.RawMessage(`false`)))},
		"no schema":          {middleware.ValidateConfig{StrictResults: true}, mcp.NewTool("prueba")},
	} {
		srv := server.NewMCPServer("prueba", "1.0.0")
		srv.Use(middleware.Validate(tc.cfg))
		srv.AddTool(tc.tool, ok)
		if got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{}`, ""))); got != `{"estado":"activo"}` {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestValidateResultOfAnotherRound: a result that asks for something has no data yet.
func TestValidateResultOfAnotherRound(t *testing.T) {
	t.Parallel()
	res := mcp.NewToolResultText("")
	res.SetResultType(mcp.ResultTypeInputRequired)
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.Use(middleware.Validate(middleware.ValidateConfig{StrictResults: true}))
	srv.AddTool(mcp.NewTool("prueba", mcp.WithRawOutputSchema(json.RawMessage(stateSchema))), returns(res))
	if got := answer(t.Context(), t, srv, modernCall("prueba", `{}`, "")); strings.Contains(got, "bad_result") || strings.Contains(got, `"error"`) {
		t.Errorf("got %s, want the result as it was", got)
	}
}

// TestValidateBrokenOutputSchema: what cannot be checked afterwards is not begun.
func TestValidateBrokenOutputSchema(t *testing.T) {
	t.Parallel()
	ran := false
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Validate(middleware.ValidateConfig{CheckResults: true}))
	srv.AddTool(mcp.NewTool("prueba", mcp.WithRawOutputSchema(json.RawMessage(`{"type":7}`))),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ran = true
			return mcp.NewToolResultText("hecho"), nil
		})
	if got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{}`, ""))); !strings.Contains(got, `"bad_schema"`) || ran {
		t.Errorf("got %s, ran: %v, want bad_schema and no run", got, ran)
	}
}

// TestValidateResultKeepsTheKey: a write whose result is refused in a test has
// happened, and its key stays.
func TestValidateResultKeepsTheKey(t *testing.T) {
	t.Parallel()
	runs := 0
	srv := server.NewMCPServer("prueba", "1.0.0")
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = middleware.Log(zerolog.Nop())
	stack.Validate = middleware.Validate(middleware.ValidateConfig{StrictResults: true})
	srv.Use(stack.Middleware())
	srv.AddTool(mcp.NewTool("prueba", mcp.WithRawOutputSchema(json.RawMessage(stateSchema))),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			runs++
			return mcp.NewToolResultStructured(stateResult{"cortado", 1}, "x"), nil
		})
	for range 2 {
		got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{}`, `"com.asixto/idempotencyKey":"k"`)))
		if e, err := errors.Parse([]byte(got)); err != nil || e.Code != errors.CodeBadResult {
			t.Errorf("got %s, want bad_result", got)
		}
	}
	if runs != 1 {
		t.Errorf("the handler ran %d times, want once", runs)
	}
}
