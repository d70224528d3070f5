package middleware_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// What a struct reads of these is not what a map, a policy or a person reads, so that
// they would run under a grant for something else.
func TestApproveRefusesArgumentsWithTwoReadings(t *testing.T) {
	t.Parallel()
	refused := failure("VALIDATION", "Los datos de la solicitud no tienen la forma esperada.", `{"code":"invalid_arguments"}`)
	tests := []struct {
		name, arguments string
		runs            bool
	}{
		{"a member twice", `{"monto":10,"monto":11}`, false},
		{"an object twice, which a struct merges", `{"a":{"x":1,"y":2},"a":{"y":3}}`, false},
		{"in another case", `{"monto":10,"Monto":11}`, false},
		{"with a letter that folds", `{"costo":10,"co` + "\u017f" + `to":11}`, false},
		{"with the Kelvin sign, escaped", `{"k":1,"\u212a":2}`, false},
		{"escaped otherwise", `{"a":1,"\u0061":2}`, false},
		{"deep in a list", `{"a":[1,{"b":[{"c":1,"C":2}]}]}`, false},
		{"bytes that are no text", "{\"\xff\":1,\"\xfe\":2}", false},
		{"one name in two objects", `{"a":{"monto":1},"b":{"monto":1},"c":[{"a":1},{"a":1}]}`, true},
		{"names that look alike", `{"año":1,"ano":2}`, true},
		{"nothing", ``, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asked := false
			h := middleware.Wrap(ok, middleware.Errors(middleware.ErrorsConfig{}),
				middleware.Approve(func(context.Context, mcp.CallToolRequest) (string, bool) {
					asked = true
					return "", false
				}, middleware.NewApprovals(middleware.ApprovalsConfig{}), middleware.ApproveConfig{}))
			res, err := h(t.Context(), paying("", tt.arguments))
			if err != nil {
				t.Fatal(err)
			}
			want := refused
			if tt.runs {
				want = activeResult
			}
			if got := encode(t, res); got != want || asked != tt.runs {
				t.Errorf("asked %t, got %s\nwant %s", asked, got, want)
			}
		})
	}
}

// A grant outlives the key that spent it, and does not let it run again.
func TestApproveOutlivesTheKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newApproved(t, ok)
		a.handler = middleware.Wrap(counted(a.runs, ok), middleware.Errors(middleware.ErrorsConfig{}),
			middleware.Idempotency(newEngine(t, idempotency.Config{}), middleware.KeepFor("prueba", time.Minute)),
			middleware.Approve(everything, a.store, middleware.ApproveConfig{TTL: time.Hour}))
		a.said(t.Context(), t, paying("k", `{}`))
		a.decide(t, true)
		for i, want := range []string{activeResult, replayedResult, pendingResult} {
			if i == 2 {
				time.Sleep(2 * time.Minute)
			}
			if got := a.said(t.Context(), t, paying("k", `{}`)); got != want {
				t.Errorf("call %d: got  %s\nwant %s", i, got, want)
			}
		}
		if n := a.runs.Load(); n != 1 {
			t.Errorf("ran %d times, want once", n)
		}
	})
}
