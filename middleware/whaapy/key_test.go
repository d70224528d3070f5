package whaapy_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	mwcall "github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// TestAKeyMadeOfAnArgument makes one as Stack shows. It is for calls without metadata:
// the key that another gateway sends counts, and not this one.
func TestAKeyMadeOfAnArgument(t *testing.T) {
	t.Parallel()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	srv := newServer(writes("pagar"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runs++
		return structured(`{"paymentId":"p"}`), nil
	})
	stack := whaapy.Stack(srv, store, whaapy.Config{})
	stack.Log, stack.Logger = nil, slog.New(slog.DiscardHandler)
	stack.Metadata = func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if tracking := req.GetString("rastreo", ""); tracking != "" {
				ctx = mwcall.WithMeta(ctx, mwcall.Meta{IdempotencyKey: tracking})
			}
			return next(ctx, req)
		}
	}
	stack.Use()
	for _, step := range []struct {
		what, arguments, key string
		runs                 int
		code                 string
	}{
		{"a payment", `{"rastreo":"a","monto":350}`, "", 1, ""},
		{"the same again", `{"rastreo":"a","monto":350}`, "", 1, ""},
		{"in another order", `{"monto":350, "rastreo":"a"}`, "", 1, ""},
		{"another amount", `{"rastreo":"a","monto":351}`, "", 1, errors.CodeKeyReused},
		{"another payment", `{"rastreo":"b","monto":350}`, "", 2, ""},
		{"no tracking key", `{"monto":350}`, "", 3, ""},
		{"no tracking key again", `{"monto":350}`, "", 4, ""},
		{"a key of the gateway", `{"rastreo":"a","monto":350}`, "k-1", 5, ""},
		{"the same key", `{"rastreo":"a","monto":350}`, "k-1", 5, ""},
		{"another key", `{"rastreo":"a","monto":350}`, "k-2", 6, ""},
	} {
		arguments := step.arguments
		if step.key != "" {
			arguments += `,"_meta":{"com.asixto/idempotencyKey":"` + step.key + `"}`
		}
		answer, ok := srv.HandleMessage(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pagar","arguments":`+arguments+`}}`)).(mcp.JSONRPCResponse)
		if !ok {
			t.Fatalf("%s: the answer is no result", step.what)
		}
		res, ok := answer.Result.(*mcp.CallToolResult)
		if !ok {
			t.Fatalf("%s: the result is %T", step.what, answer.Result)
		}
		said := textOf(t, res)
		if runs != step.runs || res.IsError != (step.code != "") || !strings.Contains(said, step.code) {
			t.Errorf("%s: %d runs and %s, want %d and %q", step.what, runs, said, step.runs, step.code)
		}
	}
}
