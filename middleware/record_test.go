package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// session is a client session with tools of its own.
type session struct {
	tools map[string]server.ServerTool
	ch    chan mcp.JSONRPCNotification
}

func (s *session) SessionID() string                                   { return "s" }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.ch }
func (s *session) Initialize()                                         {}
func (s *session) Initialized() bool                                   { return true }
func (s *session) GetSessionTools() map[string]server.ServerTool       { return s.tools }
func (s *session) SetSessionTools(t map[string]server.ServerTool)      { s.tools = t }

// definition reports what the record says of the tool that is called.
func definition(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	rec := middleware.RecordFrom(ctx)
	description := "unknown"
	if tool := rec.Definition(ctx); tool != nil {
		description = tool.Description
	}
	return mcp.NewToolResultText(fmt.Sprintf("%s %q read-only=%t", rec.Tool(), description, rec.ReadOnly(ctx))), nil
}

func TestRecordKnowsTheDefinition(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("prueba", "1.0.0", server.WithToolCapabilities(true))
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}))
	srv.AddTool(mcp.NewTool("lee", mcp.WithDescription("del servidor"), mcp.WithReadOnlyHintAnnotation(true)), definition)
	srv.AddTool(mcp.NewTool("escribe", mcp.WithDescription("del servidor")), definition)
	srv.AddTool(mcp.NewToolWithRawSchema("calla", "sin anotaciones", []byte(`{"type":"object"}`)), definition)
	own := &session{ch: make(chan mcp.JSONRPCNotification, 1), tools: map[string]server.ServerTool{
		"lee":  {Tool: mcp.NewTool("lee", mcp.WithDescription("de la sesión")), Handler: definition},
		"solo": {Tool: mcp.NewTool("solo", mcp.WithDescription("de la sesión"), mcp.WithReadOnlyHintAnnotation(true)), Handler: definition},
	}}
	tests := []struct{ tool, session, want string }{
		{"lee", "", `lee \"del servidor\" read-only=true`},
		{"escribe", "", `escribe \"del servidor\" read-only=false`},
		{"calla", "", `calla \"sin anotaciones\" read-only=false`},
		{"lee", "s", `lee \"de la sesión\" read-only=false`},
		{"solo", "s", `solo \"de la sesión\" read-only=true`},
	}
	for _, tt := range tests {
		t.Run(tt.tool+tt.session, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if tt.session != "" {
				ctx = srv.WithContext(ctx, own)
			}
			if got := answer(ctx, t, srv, modernCall(tt.tool, `{}`, "")); !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want it to say %s", got, tt.want)
			}
		})
	}
	t.Run("outside of a server", func(t *testing.T) {
		t.Parallel()
		res, err := middleware.Errors(middleware.ErrorsConfig{})(definition)(t.Context(), request(nil))
		if err != nil || !strings.Contains(encode(t, res), `unknown\" read-only=false`) {
			t.Errorf("got %v, %v; want an unknown tool, which counts as a write", res, err)
		}
	})
}

func TestRecordIsMadeOnce(t *testing.T) {
	t.Parallel()
	var seen []*middleware.Record
	look := func(next handler) handler {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			seen = append(seen, middleware.RecordFrom(ctx))
			return next(ctx, req)
		}
	}
	h := middleware.Wrap(ok, look, middleware.Observe(), look, middleware.Errors(middleware.ErrorsConfig{}), middleware.Recover(), look)
	if _, err := h(t.Context(), request(nil)); err != nil {
		t.Fatal(err)
	}
	if seen[0] != nil || seen[1] == nil || seen[1] != seen[2] {
		t.Errorf("got the records %v, want none outside and the same one inside", seen)
	}
	if id := seen[1].Meta().RequestID; !strings.HasPrefix(id, "req_") {
		t.Errorf("got the request id %q, want one made here", id)
	}
}

func TestRecordOfAToolCalledByATool(t *testing.T) {
	t.Parallel()
	inner := middleware.Wrap(definition, middleware.Errors(middleware.ErrorsConfig{}))
	var outer, nested *middleware.Record
	h := middleware.Observe()(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		outer = middleware.RecordFrom(ctx)
		req := request(nil)
		req.Params.Name = "interna"
		return middleware.Observe()(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			nested = middleware.RecordFrom(ctx)
			return inner(ctx, req)
		})(ctx, req)
	})
	req := request(map[string]any{"com.asixto/requestId": "req_1", "com.asixto/channel": "voice"})
	res, err := h(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if nested == outer || nested.Tool() != "interna" || nested.Meta() != outer.Meta() {
		t.Errorf("got %+v within %+v, want a record of its own with the same metadata", nested, outer)
	}
	if got := encode(t, res); !strings.Contains(got, "interna") {
		t.Errorf("got %s, want the inner tool's name", got)
	}
}

// A tool may call itself through the server, as one that walks a tree does: the
// failure of the inner call is not the outer one's.
func TestRecordOfAToolThatCallsItself(t *testing.T) {
	t.Parallel()
	var srv *server.MCPServer
	var inner string
	rec := newRecorder()
	srv = newServer(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.GetBool("hoja", false) {
			return nil, errors.NotFound("No está.")
		}
		inner = answer(ctx, t, srv, modernCall("prueba", `{"hoja":true}`, ""))
		return mcp.NewToolResultText("raíz"), nil
	}, middleware.Observe(rec.observe), middleware.Errors(middleware.ErrorsConfig{}))
	outer := answer(t.Context(), t, srv, modernCall("prueba", `{}`, `"com.asixto/requestId":"req_1"`))

	if !strings.Contains(inner, "NOT_FOUND") || !strings.Contains(outer, "raíz") {
		t.Errorf("got %s within %s", inner, outer)
	}
	for _, want := range []middleware.Outcome{middleware.OutcomeBusinessError, middleware.OutcomeOK} {
		if ev := rec.next(t); ev.Outcome != want || ev.RequestID != "req_1" {
			t.Errorf("got the event %s of %s, want %s of req_1", ev.Outcome, ev.RequestID, want)
		}
	}
}

// A handler that has two effects through other tools gives each a key.
func TestAToolCalledByAToolHasAKeyOfItsOwn(t *testing.T) {
	t.Parallel()
	charged := map[string]int{}
	srv := server.NewMCPServer("prueba", "1.0.0")
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = nil
	srv.Use(stack.Middleware())
	srv.AddTool(mcp.NewTool("cobrar"), func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		charged[req.GetString("cuota", "")]++
		return mcp.NewToolResultText("cobrado"), nil
	})
	srv.AddTool(mcp.NewTool("prueba"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, part := range []string{"uno", "dos"} {
			got := answer(ctx, t, srv, modernCall("cobrar", `{"cuota":"`+part+`"}`,
				`"com.asixto/idempotencyKey":"`+middleware.EffectKey(ctx, part)+`"`))
			if !strings.Contains(got, `"text":"cobrado"`) {
				t.Errorf("%s got %s, want it charged", part, got)
			}
		}
		return mcp.NewToolResultText("hecho"), nil
	})
	answer(t.Context(), t, srv, modernCall("prueba", `{}`, `"com.asixto/idempotencyKey":"k1"`))
	if charged["uno"] != 1 || charged["dos"] != 1 {
		t.Errorf("charged %v, want each once", charged)
	}
}

func TestMetadataUnderOtherNames(t *testing.T) {
	t.Parallel()
	var got call.Meta
	h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		got = call.MetaFrom(ctx)
		return ok(ctx, req)
	}, middleware.Metadata(call.WithPrefix("com.example/")), middleware.Observe())
	req := request(map[string]any{"com.example/requestId": "r1", "com.example/channel": "chat", "com.asixto/companyId": "otra"})
	if _, err := h(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if want := (call.Meta{RequestID: "r1", Channel: call.Chat}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRecordIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	h := middleware.Observe()(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		rec := middleware.RecordFrom(ctx)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				rec.SetSize(i, true)
				_ = rec.Definition(ctx)
				_ = rec.Failure()
			})
		}
		wg.Wait()
		return ok(ctx, req)
	})
	if _, err := h(t.Context(), request(nil)); err != nil {
		t.Fatal(err)
	}
}
