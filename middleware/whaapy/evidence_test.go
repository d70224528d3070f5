package whaapy_test

import (
	"bytes"
	"context"
	"log"
	"log/slog"
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

// TestMissingEvidenceIsLogged where nobody else is told. It replaces the default logger,
// and so runs before the tests that run at the same time.
//
//nolint:paralleltest // see above
func TestMissingEvidenceIsLogged(t *testing.T) {
	var lines bytes.Buffer
	before, out, flags := slog.Default(), log.Writer(), log.Flags()
	slog.SetDefault(slog.New(slog.NewTextHandler(&lines, nil)))
	defer func() {
		slog.SetDefault(before)
		log.SetOutput(out) // both of which SetDefault has changed
		log.SetFlags(flags)
	}()
	srv := newServer(writes("crear"), returns(structured(`{}`)), whaapy.Envelope(whaapy.Config{Evidence: map[string][]string{"crear": {"ticketId"}}}))
	if res := call(t, srv, "crear"); res.IsError {
		t.Errorf("got %s, want the success", textOf(t, res))
	}
	for _, want := range []string{"level=ERROR", `lacks its evidence: ticketId`} {
		if !strings.Contains(lines.String(), want) {
			t.Errorf("logged %q, want %s", lines.String(), want)
		}
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
