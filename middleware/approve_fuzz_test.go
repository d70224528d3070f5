package middleware_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// What a person reads are the arguments that the approval is bound to, whatever was
// sent, and nothing runs before the grant.
func FuzzApprove(f *testing.F) {
	for _, seed := range []string{
		`{}`, ``, ` `, `null`, `{"monto":9007199254740993,"a":[1.0,1e2,-0]}`, `{"a":1,"a":2}`, `{"a":{"k":1,"\u212a":2}}`, `{"a":"\ud800","b":"\u0000ñ<&>"}`, `[1`, `{"a":{}}x`, "{\"\xff\":1}",
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
			if err == nil && len(arguments) < 500 && !twoOfOneName(json.NewDecoder(strings.NewReader(arguments))) {
				t.Errorf("%q was refused: %s", arguments, got)
			}
			return
		}
		if shown, err := idempotency.Fingerprint(found[0].Arguments); err != nil || shown != bound || !json.Valid(found[0].Arguments) {
			t.Errorf("%q is shown as %s, %v", arguments, found[0].Arguments, err)
		}
	})
}

// twoOfOneName reports whether an object in the value has names that are the same to
// encoding/json.
func twoOfOneName(dec *json.Decoder) bool {
	begin, _ := dec.Token()
	if begin != json.Delim('{') && begin != json.Delim('[') {
		return false
	}
	var names []string
	found := false
	for dec.More() {
		if begin == json.Delim('{') {
			name, _ := dec.Token()
			for _, before := range names {
				found = found || strings.EqualFold(before, name.(string))
			}
			names = append(names, name.(string))
		}
		found = twoOfOneName(dec) || found
	}
	_, _ = dec.Token()
	return found
}
