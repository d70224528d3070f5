package middleware_test

import (
	"encoding/json"
	"testing"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// What a person reads are the arguments that the approval is bound to, whatever was
// sent, and nothing runs before the grant.
func FuzzApprove(f *testing.F) {
	for _, seed := range []string{
		`{}`, ``, ` `, `null`, `{"monto":9007199254740993,"a":[1.0,1e2,-0]}`, `{"a":1,"a":2}`, `{"a":"\ud800","b":"\u0000ñ<&>"}`, `[1`, `{"a":{}}x`, "{\"\xff\":1}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		a := newApproved(t, ok)
		got := a.said(t.Context(), t, paying("k", arguments))
		found, err := a.store.List(t.Context(), ana, middleware.ApprovalPending, 2)
		if err != nil || a.runs.Load() != 0 {
			t.Fatalf("ran %d times, %v", a.runs.Load(), err)
		}
		bound, err := idempotency.Fingerprint([]byte(arguments))
		if len(found) == 0 {
			if err == nil && len(arguments) < 1000 {
				t.Errorf("%q was refused: %s", arguments, got)
			}
			return
		}
		if shown, err := idempotency.Fingerprint(found[0].Arguments); err != nil || shown != bound || !json.Valid(found[0].Arguments) {
			t.Errorf("%q is shown as %s, %v", arguments, found[0].Arguments, err)
		}
	})
}
