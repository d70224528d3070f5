package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// everything sends each call to a person.
func everything(context.Context, mcp.CallToolRequest) (string, bool) { return "siempre", true }

var ana = middleware.Approver{Name: "ana", Tenant: "cmp"}

// paying is a call of "prueba" under a key.
func paying(key, arguments string) mcp.CallToolRequest {
	meta := map[string]any{"com.asixto/companyId": "cmp", "com.asixto/conversationId": "cnv", "com.asixto/requestId": "req"}
	if key != "" {
		meta["com.asixto/idempotencyKey"] = key
	}
	req := request(meta)
	req.Params.RawArguments = []byte(arguments)
	return req
}

// approved is a handler under Idempotency and Approve, and how often it ran.
type approved struct {
	handler
	store middleware.Approvals
	runs  *atomic.Int64
}

func newApproved(t testing.TB, h handler) approved {
	t.Helper()
	a := approved{store: middleware.NewApprovals(middleware.ApprovalsConfig{}), runs: new(atomic.Int64)}
	a.handler = middleware.Wrap(counted(a.runs, h), middleware.Errors(middleware.ErrorsConfig{}),
		middleware.Idempotency(newEngine(t, idempotency.Config{})),
		middleware.Approve(everything, a.store, middleware.ApproveConfig{TTL: time.Hour}))
	return a
}

// said makes the call and returns what the client gets, without the name of the approval.
func (a approved) said(ctx context.Context, t *testing.T, req mcp.CallToolRequest) string {
	t.Helper()
	res, err := a.handler(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	got := encode(t, res)
	if _, after, ok := strings.Cut(got, "apr_"); ok {
		got = strings.ReplaceAll(got, "apr_"+after[:26], "apr_*")
	}
	return got
}

// one is the only approval in a state.
func (a approved) one(t *testing.T, state middleware.ApprovalState) middleware.Approval {
	t.Helper()
	found, err := a.store.List(t.Context(), ana, state, 100)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d approvals are %s, %v; want one", len(found), state, err)
	}
	return found[0]
}

// decide says yes or no to the only one that is pending.
func (a approved) decide(t *testing.T, grant bool) middleware.Approval {
	t.Helper()
	decided, err := a.store.Decide(t.Context(), ana, a.one(t, middleware.ApprovalPending).ID, middleware.Decision{Grant: grant})
	if err != nil {
		t.Fatal(err)
	}
	return decided
}

const (
	pendingResult = `{"content":[{"type":"text","text":"Esa solicitud necesita la autorización de una persona, y todavía no se ha hecho nada."}],` +
		`"structuredContent":{"status":"pending_confirmation","approvalId":"apr_*","nextQuestion":"¿Desea esperar esa autorización?"}}`
	activeResult   = `{"content":[{"type":"text","text":"Está activo."}],"structuredContent":{"estado":"activo"}}`
	replayedResult = `{"_meta":{"portavoz/replayed":true},"content":[{"type":"text","text":"Está activo."}],"structuredContent":{"estado":"activo"}}`
)

var refusedResult = failure("PERMISSION", "La persona encargada no autorizó esa solicitud.", `{"code":"approval_refused"}`)

func TestApproveRunsOnceAfterAGrant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		grant bool
		first string // the keys
		then  []string
		want  []string
		runs  int64
	}{
		{"the same key", true, "k", []string{"k", "k"}, []string{activeResult, replayedResult}, 1},
		{"a new key", true, "k", []string{"k2", "k2"}, []string{activeResult, replayedResult}, 1},
		{"a new key, and then the first one", true, "k", []string{"k2", "k"}, []string{activeResult, pendingResult}, 1},
		{"no keys", true, "", []string{"", ""}, []string{activeResult, pendingResult}, 1},
		{"a refusal", false, "k", []string{"k", "k2", ""}, []string{refusedResult, refusedResult, refusedResult}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := newApproved(t, ok)
			for range 3 {
				if got := a.said(t.Context(), t, paying(tt.first, `{"a":1}`)); got != pendingResult {
					t.Fatalf("got  %s\nwant %s", got, pendingResult)
				}
			}
			a.decide(t, tt.grant)
			for i, key := range tt.then {
				if got := a.said(t.Context(), t, paying(key, `{"a":1}`)); got != tt.want[i] {
					t.Errorf("call %d: got  %s\nwant %s", i, got, tt.want[i])
				}
			}
			if got := a.runs.Load(); got != tt.runs {
				t.Errorf("ran %d times, want %d", got, tt.runs)
			}
		})
	}
}

// A grant is for one call exactly.
func TestApproveBindsTheGrant(t *testing.T) {
	t.Parallel()
	with := func(edit func(*mcp.CallToolRequest)) mcp.CallToolRequest {
		req := paying("k", `{"monto":10,"a":[1]}`)
		edit(&req)
		return req
	}
	meta := func(name, value string) func(*mcp.CallToolRequest) {
		return func(req *mcp.CallToolRequest) { req.Params.Meta.AdditionalFields["com.asixto/"+name] = value }
	}
	arguments := func(raw string) func(*mcp.CallToolRequest) {
		return func(req *mcp.CallToolRequest) { req.Params.RawArguments = []byte(raw) }
	}
	tests := []struct {
		name   string
		caller call.Caller
		edit   func(*mcp.CallToolRequest)
		runs   bool
	}{
		{"the same call", call.Caller{Name: "asixto"}, func(*mcp.CallToolRequest) {}, true},
		{"another order, other white space", call.Caller{Name: "asixto"}, arguments(` { "a": [1], "monto": 10 } `), true},
		{"a higher amount", call.Caller{Name: "asixto"}, arguments(`{"monto":11,"a":[1]}`), false},
		{"the amount written otherwise", call.Caller{Name: "asixto"}, arguments(`{"monto":10.0,"a":[1]}`), false},
		{"the amount with an exponent", call.Caller{Name: "asixto"}, arguments(`{"monto":1e1,"a":[1]}`), false},
		{"the amount as text", call.Caller{Name: "asixto"}, arguments(`{"monto":"10","a":[1]}`), false},
		{"its name in another case", call.Caller{Name: "asixto"}, arguments(`{"Monto":10,"a":[1]}`), false},
		{"its name escaped", call.Caller{Name: "asixto"}, arguments(`{"\u006donto":10,"a":[1]}`), true},
		{"a longer list", call.Caller{Name: "asixto"}, arguments(`{"monto":10,"a":[1,1]}`), false},
		{"another argument", call.Caller{Name: "asixto"}, arguments(`{"monto":10,"a":[1],"b":null}`), false},
		{"an argument that no schema knows", call.Caller{Name: "asixto"}, arguments(`{"monto":10,"a":[1],"monto_real":11}`), false},
		{"another conversation", call.Caller{Name: "asixto"}, meta("conversationId", "otra"), false},
		{"another company", call.Caller{Name: "asixto"}, meta("companyId", "otra"), false},
		{"another caller", call.Caller{Name: "otro"}, func(*mcp.CallToolRequest) {}, false},
		{"nobody", call.Caller{}, func(*mcp.CallToolRequest) {}, false},
		{"another tenant", call.Caller{Name: "asixto", Tenant: "otro"}, func(*mcp.CallToolRequest) {}, false},
		{"another tool", call.Caller{Name: "asixto"}, func(req *mcp.CallToolRequest) { req.Params.Name = "otra" }, false},
		{"a further round", call.Caller{Name: "asixto"}, func(req *mcp.CallToolRequest) { req.Params.RequestState = "s" }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := newApproved(t, ok)
			first := with(func(*mcp.CallToolRequest) {})
			a.said(call.WithCaller(t.Context(), call.Caller{Name: "asixto"}), t, first)
			granted := a.decide(t, true)
			want := pendingResult
			if tt.runs {
				want = activeResult
			}
			if got := a.said(call.WithCaller(t.Context(), tt.caller), t, with(tt.edit)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if now, err := a.store.Get(t.Context(), ana, granted.ID); (now.State == middleware.ApprovalUsed) != tt.runs {
				t.Errorf("the grant is %s, %v", now.State, err)
			}
		})
	}
}

func TestApproveExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newApproved(t, ok)
		req := paying("k", `{}`)
		ask := func(want string) {
			t.Helper()
			if got := a.said(t.Context(), t, req); got != want {
				t.Fatalf("got  %s\nwant %s", got, want)
			}
		}
		ask(pendingResult)
		first := a.one(t, middleware.ApprovalPending)
		time.Sleep(time.Hour)
		if late, err := a.store.Decide(t.Context(), ana, first.ID, middleware.Decision{Grant: true}); !errors.Is(err, middleware.ErrApprovalExpired) ||
			late.State != middleware.ApprovalExpired {
			t.Errorf("a decision after an hour: %s, %v; want expired", late.State, err)
		}
		ask(pendingResult)
		a.decide(t, true)
		time.Sleep(time.Hour) // and the grant is not used
		ask(pendingResult)
		time.Sleep(time.Hour - 1)
		a.decide(t, true)
		time.Sleep(time.Hour - 1)
		ask(activeResult)

		req = paying("otra", `{}`)
		ask(pendingResult)
		a.decide(t, false)
		time.Sleep(time.Hour - 1)
		ask(refusedResult)
		time.Sleep(time.Nanosecond)
		ask(pendingResult)
		if n := a.runs.Load(); n != 1 {
			t.Errorf("ran %d times, want once", n)
		}
	})
}

// An operation that proved that nothing happened comes back under its grant; one that
// is not known to have failed does not.
func TestApproveAfterAFailedRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		fail error
		key  string
		runs int64
		want string
	}{
		{"nothing happened", errors.Validation("Falta un dato."), "k", 2, activeResult},
		{"nothing happened, without a key", errors.Validation("Falta un dato."), "", 1, pendingResult},
		{"nobody knows", errors.System(""), "k", 1, failure("UNKNOWN",
			"No se pudo confirmar si la solicitud se completó, y conviene verificarlo antes de repetirla.", `{"code":"outcome_unknown"}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var a approved
			a = newApproved(t, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if a.runs.Load() == 1 {
					return nil, tt.fail
				}
				return ok(ctx, req)
			})
			a.said(t.Context(), t, paying(tt.key, `{}`))
			a.decide(t, true)
			a.said(t.Context(), t, paying(tt.key, `{}`))
			if got := a.said(t.Context(), t, paying(tt.key, `{}`)); got != tt.want || a.runs.Load() != tt.runs {
				t.Errorf("got  %s\nwant %s\nafter %d runs, want %d", got, tt.want, a.runs.Load(), tt.runs)
			}
		})
	}
}

func TestApproveTellsTheHandlerWhoAgreed(t *testing.T) {
	t.Parallel()
	var by string
	a := newApproved(t, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		approval, _ := middleware.ApprovalFrom(ctx)
		by = approval.DecidedBy + " " + string(approval.Arguments)
		return ok(ctx, req)
	})
	a.said(t.Context(), t, paying("k", `{"b":2,"a":9007199254740993}`))
	a.decide(t, true)
	a.said(t.Context(), t, paying("k", `{"b":2,"a":9007199254740993}`))
	if want := `ana {"a":9007199254740993,"b":2}`; by != want {
		t.Errorf("got %q, want %q", by, want)
	}
	if _, ok := middleware.ApprovalFrom(t.Context()); ok {
		t.Error("there is an approval where nobody was asked")
	}
}

// Many calls at once under one grant.
func TestApproveSpendsAGrantOnce(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"", "k"} {
		a := newApproved(t, ok)
		key := func(i int) string {
			if keys == "" {
				return ""
			}
			return fmt.Sprint(keys, i%4)
		}
		a.said(t.Context(), t, paying(key(0), `{}`))
		a.decide(t, true)
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				if _, err := a.handler(t.Context(), paying(key(i), `{}`)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := a.runs.Load(); n != 1 {
			t.Errorf("ran %d times, want once", n)
		}
		a.one(t, middleware.ApprovalUsed)
		a.one(t, middleware.ApprovalPending)
	}
}

func TestApproveOnAServer(t *testing.T) {
	t.Parallel()
	closed := `{"type":"object","$defs":{"t":{"type":"string"}},"properties":{"estado":{"$ref":"#/$defs/t"}},"required":["estado"],"additionalProperties":false}`
	declare := func(tool *mcp.Tool) { tool.RawOutputSchema = []byte(closed) }
	blocker := `"details":{"code":"approval_pending","next_question":"¿Desea esperar esa autorización?","approvalId":"apr_`
	pending := `"structuredContent":{"status":"pending_confirmation","approvalId":"apr_`
	tests := []struct {
		name string
		opts []mcp.ToolOption
		want string
	}{
		{"no schema", nil, pending},
		{"no schema, widened", []mcp.ToolOption{middleware.OrPending()}, pending},
		{"a closed schema", []mcp.ToolOption{declare}, blocker},
		{"a closed schema, widened", []mcp.ToolOption{declare, middleware.OrPending()}, pending},
		{"a struct's schema, widened", []mcp.ToolOption{mcp.WithOutputSchema[struct {
			Estado string `json:"estado"`
		}](), middleware.OrPending()}, pending},
		{"a read", []mcp.ToolOption{mcp.WithReadOnlyHintAnnotation(true)}, `"structuredContent":{"estado":"activo"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecorder()
			srv := server.NewMCPServer("prueba", "1")
			stack := middleware.Asixto(srv, forgetful())
			store := middleware.NewApprovals(middleware.ApprovalsConfig{})
			stack.Log = middleware.Observe(rec.observe)
			stack.Approve = middleware.Approve(everything, store, middleware.ApproveConfig{})
			srv.Use(stack.Middleware())
			srv.AddTool(mcp.NewTool("prueba", tt.opts...), ok)
			got := answer(t.Context(), t, srv, modernCall("prueba", `{}`, `"com.asixto/idempotencyKey":"k"`))
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			ev := rec.next(t)
			if strings.Contains(got, "apr_") != (ev.Outcome == middleware.OutcomePending) || ev.ServerFault() || ev.BadResult != nil {
				t.Errorf("the event says %s, %v", ev.Outcome, ev.BadResult)
			}
			if found, _ := store.List(t.Context(), middleware.Approver{AllTenants: true}, middleware.ApprovalPending, 1); len(found) == 1 {
				if _, err := store.Decide(t.Context(), middleware.Approver{Name: "ana"}, found[0].ID, middleware.Decision{Grant: true}); err != nil {
					t.Fatal(err)
				}
			}
			got = answer(t.Context(), t, srv, modernCall("prueba", `{}`, `"com.asixto/idempotencyKey":"k"`))
			if want := `"structuredContent":{"estado":"activo"}`; !strings.Contains(got, want) {
				t.Errorf("after the grant: got %s\nwant %s", got, want)
			}
		})
	}
}
