package expose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

// asixto is a stack for tests: it writes to no log.
func asixto(t testing.TB) *middleware.Stack {
	t.Helper()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	stack := middleware.Asixto(nil, store)
	stack.Log = nil
	return stack
}

// withMeta calls a tool within a conversation, and under a key if it has one.
func withMeta(t testing.TB, srv *server.MCPServer, tool, arguments, key string) string {
	t.Helper()
	meta := map[string]any{"com.asixto/conversationId": "c"}
	if key != "" {
		meta["com.asixto/idempotencyKey"] = key
	}
	return said(send(t.Context(), t, srv, "tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(arguments), "_meta": meta}))
}

// Limits, tries and the log are those of the action that a grouped tool is called
// for.
func TestTheStackIsPerAction(t *testing.T) {
	t.Parallel()
	const see, pay = `{"action":"ver","id":"a"}`, `{"action":"pagar","id":"a","valor":1}`
	for name, tc := range map[string]struct {
		change func(*middleware.Stack)
		fails  bool
		want   string // of ver, and of pagar: what is said to two calls, and how often the handler ran
	}{
		"loops": {func(s *middleware.Stack) {
			s.LoopGuard = middleware.LoopGuard(middleware.LoopGuardConfig{Tools: map[string]middleware.LoopLimits{"cuentas.pagar": {Calls: 1}}})
		}, false, "ok/ok 2, ok/too_many_calls 1"},
		"rates": {func(s *middleware.Stack) {
			s.RateLimit = middleware.RateLimit(call.Rate(100, time.Second, 100), middleware.RateLimitConfig{Tools: map[string]call.Limit{"cuentas.ver": call.Rate(1, time.Hour, 1)}})
		}, false, "ok/rate_limited 1, ok/ok 2"},
		"tries of a read": {func(*middleware.Stack) {}, true, "down/down 6, down/down 2"},
		"approvals": {func(s *middleware.Stack) { // which are for writes
			s.Approve = middleware.Approve(func(context.Context, mcp.CallToolRequest) (string, bool) { return "", true },
				middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{})
		}, false, "ok/ok 2, autorización/autorización 0"},
		"a policy": {func(s *middleware.Stack) {
			s.Authorize = middleware.Authorize(middleware.Policy{Visible: middleware.Scopes(map[string][]string{"cuentas.ver": {middleware.Public}})})
		}, false, "ok/ok 2, PERMISSION/PERMISSION 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				runs, logged := map[string]int{}, map[string]int{}
				handler := func(_ context.Context, req mcp.CallToolRequest) (*result, error) {
					runs[req.Params.Name]++
					if tc.fails {
						return nil, errors.System("", errors.WithCode("down"), errors.WithRetryable())
					}
					return mcp.NewToolResultText("ok"), nil
				}
				declarations := cuentas()
				for i := range declarations {
					declarations[i].Handler = handler
				}
				stack := asixto(t)
				stack.Log = middleware.Observe(func(_ context.Context, ev middleware.Event) { logged[ev.Tool]++ })
				tc.change(stack)
				srv := serve(t, compile(t, expose.Config{Strategy: expose.Grouped, Middleware: stack.Middleware()}, declarations...))
				say := func(arguments string) string {
					answer := withMeta(t, srv, "cuentas", arguments, "")
					for _, word := range []string{"too_many_calls", "rate_limited", "down", "PERMISSION", "autorización", "ok"} {
						if strings.Contains(answer, word) {
							return word
						}
					}
					return answer
				}
				answers := []any{say(see), say(see), say(pay), say(pay)}
				got := fmt.Sprintf("%s/%s %d, ", answers[0], answers[1], runs["cuentas.ver"]) + fmt.Sprintf("%s/%s %d", answers[2], answers[3], runs["cuentas.pagar"])
				if got != tc.want {
					t.Errorf("got %s, want %s", got, tc.want)
				}
				if logged["cuentas.ver"] != 2 || logged["cuentas.pagar"] != 2 || len(logged) != 2 {
					t.Errorf("logged %v", logged)
				}
			})
		})
	}
}

// An action that calls another one by way of the server makes a call of its own: under
// its own name, and as one that a handler makes.
func TestActionsCallActions(t *testing.T) {
	t.Parallel()
	var srv *server.MCPServer
	var seen []string
	stack := asixto(t)
	stack.Guards = append(stack.Guards, middleware.Guard(func(ctx context.Context, _ mcp.CallToolRequest) error {
		rec := middleware.RecordFrom(ctx)
		seen = append(seen, fmt.Sprint(rec.Called(), " ", rec.Tool(), " ", rec.Inner(), " ", rec.ReadOnly(ctx)))
		return nil
	}))
	outer := expose.Query("cuentas.resumen", func(ctx context.Context, _ mcp.CallToolRequest) (*result, error) {
		return mcp.NewToolResultText(callTool(ctx, t, srv, "cuentas", `{"action":"pagar","id":"a","valor":2}`)), nil
	})
	srv = serve(t, compile(t, expose.Config{Strategy: expose.Grouped, Middleware: stack.Middleware()}, append(cuentas(), outer)...))
	if got := withMeta(t, srv, "cuentas", `{"action":"resumen"}`, "k"); !strings.Contains(got, "cuentas.pagar") {
		t.Errorf("got %s", got)
	}
	if got, want := strings.Join(seen, ", "), "cuentas cuentas.resumen false true, cuentas cuentas.pagar true false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// ownSession is a session that has tools of its own.
type ownSession struct {
	server.ClientSession

	tools map[string]server.ServerTool
}

func (s *ownSession) Initialize()                                         {}
func (s *ownSession) Initialized() bool                                   { return true }
func (s *ownSession) SessionID() string                                   { return "s" }
func (s *ownSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return nil }
func (s *ownSession) GetSessionTools() map[string]server.ServerTool       { return s.tools }
func (s *ownSession) SetSessionTools(map[string]server.ServerTool)        {}

// What a session has of its own under the name of a grouped tool is called, and is
// shown, instead of it.
func TestToolsOfASession(t *testing.T) {
	t.Parallel()
	srv := serve(t, compile(t, expose.Config{Strategy: expose.Grouped}, cuentas()...))
	own := server.ServerTool{Tool: mcp.NewTool("cuentas", mcp.WithString("borrar")), Handler: func(context.Context, mcp.CallToolRequest) (*result, error) {
		return mcp.NewToolResultText("propia"), nil
	}}
	ctx := srv.WithContext(t.Context(), &ownSession{tools: map[string]server.ServerTool{"cuentas": own}})
	if got := list(ctx, t, srv); !strings.Contains(got, `"borrar"`) || strings.Contains(got, `"action"`) {
		t.Errorf("the list is %s", got)
	}
	if got := said(callTool(ctx, t, srv, "cuentas", `{"borrar":"x"}`)); got != "propia" {
		t.Errorf("got %s", got)
	}
}

// A flat tool keeps that it may run as a task. A grouped one says nothing of it, and a
// client that asks for a task all the same gets the answer itself.
func TestTasks(t *testing.T) {
	t.Parallel()
	d := expose.Query("cuentas.ver", echo, raw(`{"id":{"type":"string"}}`), mcp.WithTaskSupport(mcp.TaskSupportOptional))
	for strategy, want := range map[expose.Strategy]string{expose.Flat: `"taskId"`, expose.Grouped: `cuentas.ver {\"id\":\"a\"}`} {
		srv := server.NewMCPServer("prueba", "1", server.WithTaskCapabilities(true, true, true))
		if err := compile(t, expose.Config{Strategy: strategy}, d).Register(srv); err != nil {
			t.Fatal(err)
		}
		tool := map[expose.Strategy]string{expose.Flat: "cuentas_ver", expose.Grouped: "cuentas"}[strategy]
		got := send(t.Context(), t, srv, "tools/call", map[string]any{
			"name": tool, "arguments": map[string]any{"action": "ver", "id": "a"}, "task": map[string]any{"ttl": 1000},
		})
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", strategy, got, want)
		}
	}
}

// Work that takes minutes is started by one action and read by another, as it is by two
// tools.
func TestDeferredActions(t *testing.T) {
	t.Parallel()
	for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
		workers := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{})
		report := mcp.NewTool("generar_reporte", mcp.WithInteger("anio", mcp.Required()))
		tools := middleware.Deferred(workers, report, echo, middleware.DeferredConfig{})
		declarations := expose.FromTools(tools, func(mcp.Tool) string { return "informes" })
		srv := serve(t, compile(t, expose.Config{Strategy: strategy, Middleware: asixto(t).Middleware()}, declarations...))
		do := func(action, arguments string) string {
			tool := map[expose.Strategy]string{expose.Flat: action, expose.Grouped: "informes", expose.Split: "informes_read"}[strategy]
			if strategy == expose.Split && action == "iniciar_reporte" {
				tool = "informes_write"
			}
			return send(t.Context(), t, srv, "tools/call", map[string]any{
				"name": tool, "arguments": json.RawMessage(withMember(arguments, "action", `"`+action+`"`)),
				"_meta": map[string]any{"com.asixto/idempotencyKey": "k", "com.asixto/conversationId": "c"},
			})
		}
		var started, again struct {
			Result struct {
				StructuredContent struct{ JobID string } `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(do("iniciar_reporte", `{"anio":2026}`)), &started); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(do("iniciar_reporte", `{"anio":2026}`)), &again); err != nil {
			t.Fatal(err)
		}
		id := started.Result.StructuredContent.JobID
		if id == "" || again != started {
			t.Errorf("%s: started %+v, and again %+v", strategy, started, again)
		}
		if err := workers.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := do("consultar_reporte", `{"jobId":"`+id+`"}`), `generar_reporte {\"anio\":2026}`; !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", strategy, got, want)
		}
	}
}
