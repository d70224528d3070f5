package middleware_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

type httpRequest = http.Request

// asked is the store with one approval that is pending, made at a known time.
func asked(t *testing.T) middleware.Approvals {
	t.Helper()
	store := middleware.NewApprovals(middleware.ApprovalsConfig{})
	_, err := store.Ask(t.Context(), middleware.ApprovalRequest{
		ID: "apr_1", Operation: "op", Tool: "pagar_factura", Reason: "más de cien mil pesos", Caller: "asixto", Tenant: "cmp",
		ConversationID: "cnv", RequestID: "req", Arguments: []byte(`{"factura":"F-1","monto":250000}`), TTL: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// identified takes the approver from a header, as nothing but a test may.
func identified(r *http.Request) (middleware.Approver, bool) {
	name, tenant, ok := strings.Cut(r.Header.Get("Authorization"), "@")
	return middleware.Approver{Name: name, Tenant: tenant, AllTenants: tenant == "*"}, ok
}

// send sends a request as somebody, "GET /approvals" or "POST /approvals/apr_1 {...}".
func send(t *testing.T, h http.Handler, as, line string) string {
	t.Helper()
	parts := append(strings.SplitN(line, " ", 3), "")
	r := httptest.NewRequestWithContext(t.Context(), parts[0], parts[1], strings.NewReader(parts[2]))
	r.Header.Set("Authorization", as)
	if parts[0] == http.MethodPost {
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return fmt.Sprint(w.Code, " ", w.Body.String())
}

const (
	// The clock of a synctest bubble begins there.
	shownPending = `"id":"apr_1","state":"pending","tool":"pagar_factura","reason":"más de cien mil pesos","arguments":{"factura":"F-1","monto":250000},` +
		`"caller":"asixto","tenant":"cmp","conversationId":"cnv","requestId":"req","requestedAt":"2000-01-01T00:00:00Z","expiresAt":"2000-01-01T01:00:00Z"`
	granted = `"expiresAt":"2000-01-01T01:30:00Z","decidedBy":"ana","decidedAt":"2000-01-01T00:30:00Z","note":"Lo confirmé."}`
)

func TestApprovalsHandler(t *testing.T) {
	t.Parallel()
	shownGranted := strings.NewReplacer(`"pending"`, `"granted"`, `"expiresAt":"2000-01-01T01:00:00Z"`, granted).Replace(shownPending)
	type step struct {
		as, line string
		wait     time.Duration
		want     string
	}
	grant, refuse := `POST /approvals/apr_1 {"decision":"grant","note":"Lo confirmé."}`, `POST /approvals/apr_1 {"decision":"refuse"}`
	notFound := "404 {\"error\":\"not_found\"}\n"
	tests := []struct {
		name  string
		steps []step
	}{
		{"list, grant, once", []step{
			{"ana@cmp", "GET /approvals", 0, `200 {"approvals":[{` + shownPending + "}]}\n"},
			{"ana@cmp", "GET /approvals/apr_1", 0, `200 {"approval":{` + shownPending + "}}\n"},
			{"ana@cmp", grant, 30 * time.Minute, `200 {"approval":{` + shownGranted + "}\n"},
			{"ana@cmp", grant, time.Minute, `200 {"approval":{` + shownGranted + "}\n"},
			{"luis@cmp", grant, 0, `409 {"error":"already_decided","approval":{` + shownGranted + "}\n"},
			{"ana@cmp", refuse, 0, `409 {"error":"already_decided","approval":{` + shownGranted + "}\n"},
			{"ana@cmp", "GET /approvals", 0, "200 {\"approvals\":[]}\n"},
			{"ana@cmp", "GET /approvals?state=granted", 0, `200 {"approvals":[{` + shownGranted + "]}\n"},
		}},
		{"too late", []step{
			{"ana@cmp", grant, time.Hour, `410 {"error":"expired","approval":{` + strings.Replace(shownPending, "pending", "expired", 1) + "}}\n"},
			{"ana@cmp", "GET /approvals?state=expired", 0, `200 {"approvals":[{` + strings.Replace(shownPending, "pending", "expired", 1) + "}]}\n"},
		}},
		{"another tenant", []step{
			{"eva@otra", "GET /approvals", 0, "200 {\"approvals\":[]}\n"},
			{"eva@otra", "GET /approvals/apr_1", 0, notFound},
			{"eva@otra", grant, 0, notFound},
			{"eva@otra", "GET /approvals/apr_2", 0, notFound},
			{"eva@", grant, 0, notFound},
			{"eva@*", "GET /approvals/apr_1", 0, `200 {"approval":{` + shownPending + "}}\n"},
		}},
		{"nobody", []step{
			{"", "GET /approvals", 0, "403 {\"error\":\"forbidden\"}\n"},
			{"@cmp", grant, 0, "403 {\"error\":\"forbidden\"}\n"},
			{strings.Repeat("a", 256) + "@cmp", grant, 0, "403 {\"error\":\"forbidden\"}\n"},
			{"@*", "GET /approvals", 0, "403 {\"error\":\"forbidden\"}\n"},
			{"@*", "GET /approvals/apr_1", 0, "403 {\"error\":\"forbidden\"}\n"},
			{"@*", refuse, 0, "403 {\"error\":\"forbidden\"}\n"},
			{"ana@cmp", "GET /approvals/apr_1", 0, `200 {"approval":{` + shownPending + "}}\n"},
		}},
		{"bad requests", []step{
			{"ana@cmp", "GET /approvals?state=nada", 0, "400 {\"error\":\"invalid_state\"}\n"},
			{"ana@cmp", "POST /approvals/apr_1", 0, "400 {\"error\":\"invalid_body\"}\n"},
			{"ana@cmp", `POST /approvals/apr_1 {"decision":"sí"}`, 0, "400 {\"error\":\"invalid_body\"}\n"},
			{"ana@cmp", `POST /approvals/apr_1 {"decision":"grant","más":1}`, 0, "400 {\"error\":\"invalid_body\"}\n"},
			{"ana@cmp", `POST /approvals/apr_1 {"decision":"grant"}}`, 0, "400 {\"error\":\"invalid_body\"}\n"},
			{"ana@cmp", `POST /approvals/apr_1 {"decision":"grant","note":"` + strings.Repeat("ñ", 501) + `"}`, 0, "400 {\"error\":\"invalid_body\"}\n"},
			{"ana@cmp", `POST /approvals/apr_1 {"decision":"grant","note":"` + strings.Repeat("a", 4096) + `"}`, 0, "413 {\"error\":\"body_too_large\"}\n"},
			{"ana@cmp", "DELETE /approvals/apr_1", 0, "405 Method Not Allowed\n"},
			{"ana@cmp", "POST /approvals {}", 0, "405 Method Not Allowed\n"},
			{"ana@cmp", "GET /", 0, "404 404 page not found\n"},
			{"ana@cmp", "GET /approvals/apr_1", 0, `200 {"approval":{` + shownPending + "}}\n"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := middleware.ApprovalsHandler(asked(t), identified)
				for _, s := range tt.steps {
					time.Sleep(s.wait)
					if got := send(t, h, s.as, s.line); got != s.want {
						t.Errorf("%s: %s\ngot  %s\nwant %s", s.as, s.line, got, s.want)
					}
				}
			})
		})
	}
}

// A form on another site can send neither this content type nor, in a browser, at all.
func TestApprovalsHandlerRefusesOtherSites(t *testing.T) {
	t.Parallel()
	store := asked(t)
	h := middleware.ApprovalsHandler(store, identified)
	for name, tt := range map[string]struct {
		header, value string
		want          int
	}{
		"a form":       {"Content-Type", "text/plain", http.StatusUnsupportedMediaType},
		"another site": {"Sec-Fetch-Site", "cross-site", http.StatusForbidden},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/approvals/apr_1", strings.NewReader(`{"decision":"grant"}`))
		r.Header.Set("Authorization", "ana@cmp")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(tt.header, tt.value)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: got %d, want %d", name, w.Code, tt.want)
		}
	}
	if a, err := store.Get(t.Context(), ana, "apr_1"); err != nil || a.State != middleware.ApprovalPending {
		t.Errorf("the approval is %s, %v", a.State, err)
	}
}

// A function that says who decides and panics has let nobody in: the panic goes on to
// the server, which ends the connection, and nothing is told or decided.
func TestApprovalsHandlerWhoPanics(t *testing.T) {
	t.Parallel()
	store := asked(t)
	broken := true
	desk := httptest.NewUnstartedServer(middleware.ApprovalsHandler(store, func(r *http.Request) (middleware.Approver, bool) {
		if broken {
			panic("roto")
		}
		return identified(r)
	}))
	var logged strings.Builder
	desk.Config.ErrorLog = log.New(&logged, "", 0)
	desk.Start()
	for _, tt := range []struct{ method, path, body string }{
		{http.MethodGet, "/approvals", ""}, {http.MethodGet, "/approvals/apr_1", ""}, {http.MethodPost, "/approvals/apr_1", `{"decision":"grant"}`},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tt.method, desk.URL+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if res, err := desk.Client().Do(r); err == nil {
			res.Body.Close()
			t.Errorf("%s %s: got %s, want no answer", tt.method, tt.path, res.Status)
		}
	}
	desk.Close() // and every connection has ended
	if n := strings.Count(logged.String(), "panic serving"); n < 3 {
		t.Errorf("the server has logged %d panics, want one for each request:\n%s", n, logged.String())
	}
	broken = false
	if got := send(t, desk.Config.Handler, "ana@cmp", "GET /approvals/apr_1"); !strings.HasPrefix(got, `200 {"approval":{"id":"apr_1","state":"pending",`) {
		t.Errorf("afterwards: got %s", got)
	}
}

type awayApprovals struct{ middleware.Approvals }

func (awayApprovals) List(context.Context, middleware.Approver, middleware.ApprovalState, int) ([]middleware.Approval, error) {
	return nil, errors.New("dsn postgres://a:b@c")
}

func (awayApprovals) Get(context.Context, middleware.Approver, string) (middleware.Approval, error) {
	return middleware.Approval{Arguments: []byte("{")}, nil
}

func TestApprovalsHandlerWithoutItsStore(t *testing.T) {
	t.Parallel()
	h := middleware.ApprovalsHandler(awayApprovals{}, identified)
	for _, line := range []string{"GET /approvals", "GET /approvals/x"} {
		if got, want := send(t, h, "ana@cmp", line), "503 {\"error\":\"unavailable\"}\n"; got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// What is remembered is bounded, and what is alive is never thrown out.
func TestApprovalsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := middleware.NewApprovals(middleware.ApprovalsConfig{Max: 2, MaxPerCaller: 2})
		ask := func(n byte, ttl time.Duration) error {
			_, err := store.Ask(t.Context(), middleware.ApprovalRequest{ID: string('0' + n), Subject: [32]byte{n}, TTL: ttl})
			return err
		}
		if err := errors.Join(ask(1, time.Minute), ask(2, time.Hour), ask(2, time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := ask(3, time.Hour); !errors.Is(err, middleware.ErrApprovalsFull) {
			t.Errorf("got %v, want ErrApprovalsFull", err)
		}
		time.Sleep(time.Minute)
		if err := ask(3, time.Hour); err != nil {
			t.Error(err)
		}
		all := middleware.Approver{Name: "ana", AllTenants: true}
		if _, err := store.Get(t.Context(), all, "1"); !errors.Is(err, middleware.ErrNoApproval) {
			t.Errorf("got %v, want ErrNoApproval", err)
		}
		if found, err := store.List(t.Context(), all, middleware.ApprovalPending, 1); err != nil || len(found) != 1 || found[0].ID != "2" {
			t.Errorf("got %v, %v; want the oldest", found, err)
		}
	})
}
