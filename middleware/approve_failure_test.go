package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// brokenApprovals cannot be asked.
type brokenApprovals struct {
	middleware.Approvals
	ask func(context.Context) error
}

func (b brokenApprovals) Ask(ctx context.Context, _ middleware.ApprovalRequest) (middleware.Approval, error) {
	return middleware.Approval{}, b.ask(ctx)
}

func TestApproveFailsClosed(t *testing.T) {
	t.Parallel()
	full := middleware.NewApprovals(middleware.ApprovalsConfig{Max: 1})
	if _, err := full.Ask(t.Context(), middleware.ApprovalRequest{ID: "x", TTL: time.Hour}); err != nil {
		t.Fatal(err)
	}
	unavailable := failure("SYSTEM", "En este momento no es posible pedir la autorización que hace falta.", `{"code":"approval_store","retryable":true}`)
	busy := failure("SYSTEM", "Hay muchas solicitudes pendientes, y conviene intentarlo de nuevo en un minuto.",
		`{"code":"busy","retryable":true,"retry_after_seconds":60}`)
	invalid := failure("VALIDATION", "Los datos de la solicitud no tienen la forma esperada.", `{"code":"invalid_arguments"}`)
	tests := []struct {
		name      string
		store     middleware.Approvals
		arguments string
		want      string
	}{
		{"the store fails", brokenApprovals{ask: func(context.Context) error { return errors.New("dsn postgres://a:b@c") }}, `{}`, unavailable},
		{"it panics", brokenApprovals{ask: func(context.Context) error { panic("roto") }}, `{}`, unavailable},
		{"it hangs", brokenApprovals{ask: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}, `{}`, unavailable},
		{"it says nothing", brokenApprovals{ask: func(context.Context) error { return nil }}, `{}`, unavailable},
		{"it is full", full, `{}`, busy},
		{"more than a person reads", full, `{"a":"` + strings.Repeat("a", 16<<10) + `"}`, invalid},
		{"arguments that are not JSON", full, `{"a":`, invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var runs atomic.Int64
				h := middleware.Wrap(counted(&runs, ok), middleware.Errors(middleware.ErrorsConfig{}), middleware.Approve(everything, tt.store, middleware.ApproveConfig{}))
				res, err := h(t.Context(), paying("k", tt.arguments))
				if err != nil {
					t.Fatal(err)
				}
				if got := encode(t, res); got != tt.want || runs.Load() != 0 {
					t.Errorf("got  %s\nwant %s; ran %d times", got, tt.want, runs.Load())
				}
			})
		})
	}
}

// A threshold holds for whatever an amount is written as: what is not known to be at
// most that goes to a person.
func TestApproveAsksOnlyWhereThePolicyWantsIt(t *testing.T) {
	t.Parallel()
	large := func(_ context.Context, req mcp.CallToolRequest) (string, bool) {
		amount, err := req.RequireFloat("monto")
		return "más de cien mil pesos", err != nil || !(amount <= 100_000)
	}
	h := middleware.Wrap(ok, middleware.Approve(large, middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{}))
	for arguments, want := range map[string]string{
		`{"monto":100000}`: "activo", `{"monto":100000.0}`: "activo", `{"monto":1e5}`: "activo", `{"monto":10000000e-2}`: "activo",
		`{"monto":"100000"}`: "activo", `{"monto":"1e5"}`: "activo", `{"monto":0}`: "activo", `{"monto":-1}`: "activo", `{"monto":100000,"nota":null}`: "activo",

		`{"monto":100001}`: "pending", `{"monto":100000.01}`: "pending", `{"monto":100000.9}`: "pending", `{"monto":1.00001e5}`: "pending",
		`{"monto":1e300}`: "pending", `{"monto":9223372036854775808}`: "pending", `{"monto":9007199254740993}`: "pending",
		`{"monto":"100001"}`: "pending", `{"monto":"1e6"}`: "pending", `{"monto":"NaN"}`: "pending", `{"monto":"Inf"}`: "pending", `{"monto":"0x1p20"}`: "pending",
		`{"monto":"100.000"}`: "activo", // a hundred, in JSON: a schema is to ask for a number

		`{}`: "pending", `{"monto":null}`: "pending", `{"monto":"mucho"}`: "pending", `{"monto":""}`: "pending", `{"monto":"100 000"}`: "pending",
		`{"monto":true}`: "pending", `{"monto":[100]}`: "pending", `{"monto":{"valor":1}}`: "pending", `{"Monto":100}`: "pending", `{"MONTO":1e9}`: "pending",
	} {
		req := paying("k", arguments)
		if err := req.Params.UnmarshalJSON([]byte(`{"name":"prueba","arguments":` + arguments + `}`)); err != nil {
			t.Fatal(err)
		}
		res, err := h(t.Context(), req)
		if err != nil || !strings.Contains(encode(t, res), want) {
			t.Errorf("%s: got %v, %v; want %s", arguments, res, err, want)
		}
	}
}

// A policy that panics lets nothing run, and the key is free.
func TestApprovePolicyPanics(t *testing.T) {
	t.Parallel()
	var runs atomic.Int64
	broken := true
	h := middleware.Wrap(counted(&runs, ok), middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(newEngine(t, idempotency.Config{})),
		middleware.Approve(func(context.Context, mcp.CallToolRequest) (string, bool) {
			if broken {
				panic("roto")
			}
			return "", false
		}, middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{}))
	for _, want := range []string{failure("SYSTEM", "Ocurrió un problema inesperado al atender la solicitud.", `{"code":"panic"}`), activeResult} {
		res, err := h(t.Context(), paying("k", `{}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, res); got != want || broken && runs.Load() != 0 {
			t.Errorf("got  %s\nwant %s; ran %d times", got, want, runs.Load())
		}
		broken = false
	}
}

func TestApproveConfiguration(t *testing.T) {
	t.Parallel()
	store := middleware.NewApprovals(middleware.ApprovalsConfig{})
	who := func(*httpRequest) (middleware.Approver, bool) { return ana, true }
	for name, misuse := range map[string]func(){
		"nothing":          func() { middleware.Approve(nil, nil, middleware.ApproveConfig{}) },
		"negative TTL":     func() { middleware.Approve(everything, store, middleware.ApproveConfig{TTL: -1}) },
		"negative length":  func() { middleware.Approve(everything, store, middleware.ApproveConfig{MaxArguments: -1}) },
		"negative Max":     func() { middleware.NewApprovals(middleware.ApprovalsConfig{Max: -1}) },
		"negative share":   func() { middleware.NewApprovals(middleware.ApprovalsConfig{MaxPerCaller: -1}) },
		"no store to show": func() { middleware.ApprovalsHandler(nil, who) },
		"nobody to decide": func() { middleware.ApprovalsHandler(store, nil) },
		"a schema that is a list": func() {
			mcp.NewTool("x", func(tool *mcp.Tool) { tool.RawOutputSchema = []byte("[]") }, middleware.OrPending())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if v, _ := recover().(string); !strings.HasPrefix(v, "portavoz/middleware: ") {
					t.Errorf("recovered %q, want a panic of this package", v)
				}
			}()
			misuse()
		})
	}
}

// One caller in one tenant can take no more than its share; who comes back to what is
// pending is not one more.
func TestApproveSharesItsRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := middleware.NewApprovals(middleware.ApprovalsConfig{Max: 5, MaxPerCaller: 2})
		var runs atomic.Int64
		h := middleware.Wrap(counted(&runs, ok), middleware.Errors(middleware.ErrorsConfig{}),
			middleware.Approve(everything, store, middleware.ApproveConfig{TTL: time.Hour}))
		said := approved{handler: h}.said
		busy := failure("SYSTEM", "Hay muchas solicitudes pendientes, y conviene intentarlo de nuevo en un minuto.",
			`{"code":"busy","retryable":true,"retry_after_seconds":60}`)
		for i, tt := range []struct{ caller, tenant, arguments, want string }{
			{"uno", "a", `{"n":1}`, pendingResult},
			{"uno", "a", `{"n":2}`, pendingResult},
			{"uno", "a", `{"n":3}`, busy},
			{"uno", "a", `{"n":2}`, pendingResult},
			{"uno", "b", `{"n":3}`, pendingResult},
			{"dos", "a", `{"n":3}`, pendingResult},
			{"dos", "b", `{"n":3}`, pendingResult},
			{"dos", "c", `{"n":3}`, busy}, // five in all
		} {
			ctx := call.WithCaller(t.Context(), call.Caller{Name: tt.caller, Tenant: tt.tenant})
			if got := said(ctx, t, paying("k", tt.arguments)); got != tt.want {
				t.Errorf("call %d: got  %s\nwant %s", i, got, tt.want)
			}
		}
		time.Sleep(time.Hour) // and all have expired
		for n := range 2 {
			ctx := call.WithCaller(t.Context(), call.Caller{Name: "uno", Tenant: "a"})
			if got := said(ctx, t, paying("k", fmt.Sprintf(`{"m":%d}`, n))); got != pendingResult {
				t.Errorf("an hour later: got  %s\nwant %s", got, pendingResult)
			}
		}
		if runs.Load() != 0 {
			t.Errorf("ran %d times", runs.Load())
		}
	})
}
