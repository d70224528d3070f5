package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware"
)

// The approval by curl in the READMEs is run as it stands there, against a server that
// listens: the first command lists what waits, the second one grants it, and the call
// then runs.
func TestApproveByTheCommandsOfTheReadme(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err == nil {
		_, err = exec.LookPath("curl")
	}
	if err != nil {
		t.Skip(err)
	}
	for _, readme := range []string{"README.md", "README.es.md"} {
		t.Run(readme, func(t *testing.T) {
			t.Parallel()
			commands := curls(t, readme)
			const token = "de-la-persona"
			a := newApproved(t, ok)
			desk := httptest.NewServer(middleware.ApprovalsHandler(a.store, func(r *http.Request) (middleware.Approver, bool) {
				return middleware.Approver{Name: "ana", AllTenants: true}, r.Header.Get("Authorization") == "Bearer "+token
			}))
			t.Cleanup(desk.Close)
			run := func(command, token string) string {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), sh, "-c", strings.ReplaceAll(command, "http://127.0.0.1:9090", desk.URL))
				cmd.Env = append(os.Environ(), "TOKEN="+token, "NO_PROXY=*", "no_proxy=*")
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v", command, err)
				}
				return string(out)
			}
			if got := a.said(t.Context(), t, paying("k", `{"valor":2000000}`)); got != pendingResult {
				t.Fatalf("got  %s\nwant %s", got, pendingResult)
			}
			waiting := a.one(t, middleware.ApprovalPending)
			listed := run(commands[0], token)
			if !strings.HasPrefix(listed, `{"approvals":[{"id":"`+waiting.ID+`","state":"pending","tool":"prueba","reason":"siempre","arguments":{"valor":2000000},`) {
				t.Errorf("%s\nanswers %s", commands[0], listed)
			}
			grant := strings.Replace(commands[1], "apr_...", waiting.ID, 1)
			for _, command := range []string{commands[0], grant} {
				if got, want := run(command, "de-otra"), "{\"error\":\"forbidden\"}\n"; got != want {
					t.Errorf("%s\nof somebody else answers %s, want %s", command, got, want)
				}
			}
			granted := run(grant, token)
			if !strings.HasPrefix(granted, `{"approval":{"id":"`+waiting.ID+`","state":"granted",`) {
				t.Errorf("%s\nanswers %s", grant, granted)
			}
			if got := a.one(t, middleware.ApprovalGranted); got.DecidedBy != "ana" || got.Note != "Lo confirmé." || time.Until(got.ExpiresAt) > time.Hour {
				t.Errorf("it is granted as %+v", got)
			}
			for i, want := range []string{activeResult, replayedResult} {
				if got := a.said(t.Context(), t, paying("k", `{"valor":2000000}`)); got != want {
					t.Errorf("call %d: got  %s\nwant %s", i, got, want)
				}
			}
			if n := a.runs.Load(); n != 1 {
				t.Errorf("ran %d times, want once", n)
			}
		})
	}
}

// curls are the two commands of the README that decide.
func curls(t *testing.T, readme string) []string {
	t.Helper()
	raw, err := os.ReadFile("../" + readme)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(raw), "middleware.ApprovalsHandler(")
	_, after, _ = strings.Cut(after, "```sh\n")
	block, _, found := strings.Cut(after, "```")
	commands := strings.SplitAfter(strings.ReplaceAll(block, "\\\n", ""), "\n")
	if !found || len(commands) != 3 || !strings.HasPrefix(commands[0], "curl ") || !strings.Contains(commands[1], "/approvals/apr_... ") {
		t.Fatalf("the commands of %s are %q", readme, commands)
	}
	return commands[:2]
}
