package main_test

import (
	"database/sql"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// urls are the databases that the server runs on, each with a new one of the
// test's own.
var urls = map[string]func(t testing.TB) string{
	"PostgreSQL": postgresURL,
	"SQLite":     func(t testing.TB) string { t.Helper(); return "sqlite:" + filepath.Join(t.TempDir(), "fibra.db") },
	"MariaDB":    func(t testing.TB) string { t.Helper(); return "mysql:" + mariaDSN(t) },
}

// look opens the database at a url, beside the server.
func look(t testing.TB, url string) *sql.DB {
	t.Helper()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return open(t, "sqlite", sqliteDSN(path))
	}
	if dsn, ok := strings.CutPrefix(url, "mysql:"); ok {
		return open(t, "mysql", dsn)
	}
	return open(t, "pgx", url)
}

// cases is how many cases the help desk has: the effects that happened.
func cases(t testing.TB, db *sql.DB) int {
	t.Helper()
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM casos").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTools: a case is opened and found again; a write without a key is refused.
func TestTools(t *testing.T) {
	t.Parallel()
	for name, newURL := range urls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := newURL(t)
			p := start(t, url)
			opened, _ := p.OpenAtLast(t, "k1")
			if want := `{"radicado":"R-2001","descripcion":"No hay internet, dice k1"}`; opened.IsError || string(opened.Structured) != want {
				t.Errorf("case = %s, want %s", opened.Structured, want)
			}
			if again, _ := p.OpenAtLast(t, "k1"); !again.Meta.Replayed || string(again.Structured) != string(opened.Structured) {
				t.Errorf("the same again = %s (replayed: %t)", again.Structured, again.Meta.Replayed)
			}
			found := p.Call(t, "consultar_caso", "", map[string]string{"radicado": " r-2001"})
			if string(found.Structured) != string(opened.Structured) {
				t.Errorf("case = %s, want %s", found.Structured, opened.Structured)
			}
			for name, tt := range map[string]struct {
				tool, key string
				arguments map[string]string
				want      string
			}{
				"another case":   {"consultar_caso", "", map[string]string{"radicado": "R-1"}, "NOT_FOUND"},
				"not a case":     {"consultar_caso", "", map[string]string{"radicado": "R-'"}, "NOT_FOUND"},
				"no description": {exampletest.CaseTool, "k2", map[string]string{"descripcion": " "}, "VALIDATION"},
				"long":           {exampletest.CaseTool, "k3", map[string]string{"descripcion": strings.Repeat("ñ", 401)}, "VALIDATION"},
				"no key":         {exampletest.CaseTool, "", exampletest.Problem(""), "VALIDATION"},
				"key reused":     {exampletest.CaseTool, "k1", map[string]string{"descripcion": "Otra cosa"}, "VALIDATION"},
			} {
				if got := p.Call(t, tt.tool, tt.key, tt.arguments).Failure(t); got != tt.want {
					t.Errorf("%s: failure = %q, want %s", name, got, tt.want)
				}
			}
			if n := cases(t, look(t, url)); n != 1 {
				t.Errorf("%d cases, want 1", n)
			}
			if log := p.Stderr.String(); strings.Contains(log, "internet") {
				t.Errorf("log = %s, want no arguments", log)
			}
		})
	}
}

// TestTwoProcesses: duplicates that arrive at two processes at once have one
// effect, and everybody gets its result.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	for name, newURL := range urls {
		for _, apart := range []string{"APART=", "APART=1"} {
			t.Run(name+" "+apart, func(t *testing.T) {
				t.Parallel()
				url := newURL(t)
				keys := exampletest.OpenOnce(t, start(t, url, apart).Gateway, start(t, url, apart).Gateway)
				if n := cases(t, look(t, url)); n != keys {
					t.Errorf("%d cases, want %d", n, keys)
				}
			})
		}
	}
}

// TestAway: without the database nothing is written, and the process is not
// ready; it finds the database again by itself.
func TestAway(t *testing.T) {
	t.Parallel()
	server := own(t, newPostgres)
	_, url := server.postgres("")
	p := start(t, url)
	p.OpenCase(t, "key")
	server.crash(t)
	for _, key := range []string{"key", "key-new"} {
		if r := p.OpenCase(t, key); r.Failure(t) != "SYSTEM" {
			t.Errorf("%s without the database = %s, want SYSTEM", key, r.Structured)
		}
	}
	exampletest.Eventually(t, "the process says that it is not ready", func() bool { return p.status(t, "/readyz") != http.StatusOK })
	server.start(t)
	exampletest.Eventually(t, "the process finds the database again", func() bool { return p.status(t, "/readyz") == http.StatusOK })
	for key, replayed := range map[string]bool{"key": true, "key-new": false} {
		if r, _ := p.OpenAtLast(t, key); r.IsError || r.Meta.Replayed != replayed {
			t.Errorf("%s = %s (replayed: %t), want it replayed: %t", key, r.Structured, r.Meta.Replayed, replayed)
		}
	}
}

// TestStartFailures: what is wrong is said with the variable to set, and no
// secret.
func TestStartFailures(t *testing.T) {
	t.Parallel()
	nobody := net.JoinHostPort(loopback(), freePort(t))
	tests := map[string]struct {
		env  []string
		want []string
	}{
		"no database":  {[]string{"DATABASE_URL=postgres://fibra:qwerty@" + nobody + "/fibra?sslmode=disable"}, []string{"DATABASE_URL", nobody}},
		"no folder":    {[]string{"DATABASE_URL=sqlite:" + filepath.Join(t.TempDir(), "none", "fibra.db")}, []string{"DATABASE_URL"}},
		"not a URL":    {[]string{"DATABASE_URL=http://fibra:qwerty@localhost"}, []string{"DATABASE_URL"}},
		"no DSN":       {[]string{"DATABASE_URL=mysql://fibra:qwerty@localhost"}, []string{"DATABASE_URL"}},
		"no file":      {[]string{"DATABASE_URL=sqlite:"}, []string{"DATABASE_URL"}},
		"invalid port": {[]string{"DATABASE_URL=postgres://fibra:qwerty@localhost:x/fibra"}, []string{"DATABASE_URL"}},
		"all at once":  {[]string{"DATABASE_URL=:qwerty", "TOKENS=qwerty", "LEASE=x"}, []string{"DATABASE_URL", "TOKENS: entry 1", "LEASE"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exampletest.Command(t.Context(), binary, append([]string{"TOKENS=asixto=" + secret}, tt.env...)...)
			var stdout, stderr exampletest.Output
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			if code := cmd.ProcessState.ExitCode(); err == nil || code != 1 {
				t.Errorf("exit code = %s, want 1", strconv.Itoa(code))
			}
			for _, want := range tt.want {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr = %s, want %q in it", &stderr, want)
				}
			}
			if both := stdout.String() + stderr.String(); strings.Contains(both, "qwerty") {
				t.Errorf("a secret was printed: %s", both)
			}
		})
	}
}
