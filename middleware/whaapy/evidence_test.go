package whaapy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		data    string
		missing []string
	}{
		"there":             {`{"ticketId":"4482","status":"created","ticketUrl":""}`, nil},
		"one missing":       {`{"ticketId":"4482"}`, []string{"status"}},
		"empty":             {`{"ticketId":" ","status":[ ]}`, []string{"ticketId", "status"}},
		"null":              {`{"ticketId":null,"status":"created"}`, []string{"ticketId"}},
		"deeper down":       {`{"ticket":{"ticketId":"4482"},"status":"created"}`, []string{"ticketId"}},
		"nothing":           {`{}`, []string{"ticketId", "status"}},
		"pending":           {`{"status":"pending_confirmation"}`, nil},
		"queued":            {`{"status":"queued","jobId":"1","queuedAt":"2026-09-03T09:00:00Z"}`, nil},
		"queued some time":  {`{"status":"queued","jobId":"1"}`, []string{"queuedAt"}},
		"queued for nobody": {`{"status":"queued","ticketId":"4482"}`, []string{"jobId", "queuedAt"}},
		"a number, false":   {`{"ticketId":0,"status":false}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, strict := range []bool{false, true} {
				var reported []error
				cfg := whaapy.Config{
					Evidence: map[string][]string{"crear_caso": {"ticketId", "status"}},
					Strict:   strict,
					Report:   func(_ context.Context, err error) { reported = append(reported, err) },
				}
				res := call(t, newServer(writes("crear_caso"), returns(structured(tc.data)), whaapy.Envelope(cfg)), "crear_caso")
				if res.IsError != (strict && tc.missing != nil) {
					t.Errorf("strict %v: isError = %v: %s", strict, res.IsError, textOf(t, res))
				}
				var missing []string
				for _, err := range reported {
					if lack, ok := errors.AsType[*whaapy.EvidenceError](err); ok && lack.Tool == "crear_caso" {
						missing = append(missing, lack.Missing...)
					}
				}
				if !slices.Equal(missing, tc.missing) {
					t.Errorf("strict %v: reported as missing %q, want %q", strict, missing, tc.missing)
				}
				checkEnvelope(t, res, "crear_caso", 3_000)
			}
		})
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	defer func() {
		message, _ := recover().(string)
		for _, want := range []string{"portavoz/whaapy: Envelope: ", "the limit is 100", "the safety of a is empty", "the evidence of b has no name"} {
			if !strings.Contains(message, want) {
				t.Errorf("panic = %q, want it to say %q", message, want)
			}
		}
	}()
	whaapy.Envelope(whaapy.Config{
		Limit: 100, Safety: map[string]whaapy.Safety{"a": ""}, Evidence: map[string][]string{"b": nil},
	})
}
