package main_test

import (
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
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
			opened := p.openCase(t, "k1")
			if want := `{"radicado":"R-2001","descripcion":"No hay internet, dice k1"}`; opened.IsError || string(opened.Structured) != want {
				t.Errorf("case = %s, want %s", opened.Structured, want)
			}
			if again := p.openCase(t, "k1"); !again.Meta.Replayed || string(again.Structured) != string(opened.Structured) {
				t.Errorf("the same again = %s (replayed: %t)", again.Structured, again.Meta.Replayed)
			}
			found := p.call(t, "consultar_caso", "", map[string]string{"radicado": " r-2001"})
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
				"no description": {"abrir_caso_soporte", "k2", map[string]string{"descripcion": " "}, "VALIDATION"},
				"long":           {"abrir_caso_soporte", "k3", map[string]string{"descripcion": strings.Repeat("ñ", 401)}, "VALIDATION"},
				"no key":         {"abrir_caso_soporte", "", problem(""), "VALIDATION"},
				"key reused":     {"abrir_caso_soporte", "k1", map[string]string{"descripcion": "Otra cosa"}, "VALIDATION"},
			} {
				if got := p.call(t, tt.tool, tt.key, tt.arguments).failure(t); got != tt.want {
					t.Errorf("%s: failure = %q, want %s", name, got, tt.want)
				}
			}
			if n := cases(t, look(t, url)); n != 1 {
				t.Errorf("%d cases, want 1", n)
			}
			if log := p.stderr.String(); strings.Contains(log, "internet") {
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
				processes := []*process{start(t, url, apart), start(t, url, apart)}
				const keys, duplicates = 20, 8
				var results [keys][duplicates]result
				var all sync.WaitGroup
				for k := range keys {
					for d := range duplicates {
						all.Go(func() {
							var err error
							results[k][d], err = processes[d%2].try(t.Context(), "abrir_caso_soporte", fmt.Sprint("key-", k), problem(fmt.Sprint("key-", k)))
							if err != nil {
								t.Error(err)
							}
						})
					}
				}
				all.Wait()
				for k := range results {
					ran := 0
					for _, r := range results[k] {
						if r.IsError || string(r.Structured) != string(results[k][0].Structured) || r.Content[0].Text != results[k][0].Content[0].Text {
							t.Errorf("key %d: %s and %s, want one result", k, r.Structured, results[k][0].Structured)
						}
						if !r.Meta.Replayed {
							ran++
						}
					}
					if ran != 1 {
						t.Errorf("key %d: %d results are no replays, want 1", k, ran)
					}
				}
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
	p.openCase(t, "key")
	server.crash(t)
	for _, key := range []string{"key", "key-new"} {
		if r := p.openCase(t, key); r.failure(t) != "SYSTEM" {
			t.Errorf("%s without the database = %s, want SYSTEM", key, r.Structured)
		}
	}
	eventually(t, "the process says that it is not ready", func() bool { return p.status(t, "/readyz") != http.StatusOK })
	server.start(t)
	eventually(t, "the process finds the database again", func() bool { return p.status(t, "/readyz") == http.StatusOK })
	for key, replayed := range map[string]bool{"key": true, "key-new": false} {
		if r := p.openCase(t, key); r.IsError || r.Meta.Replayed != replayed {
			t.Errorf("%s = %s (replayed: %t), want it replayed: %t", key, r.Structured, r.Meta.Replayed, replayed)
		}
	}
}

func (p *process) status(t *testing.T, path string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.health+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
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
			cmd := command(t.Context(), tt.env...)
			var stdout, stderr output
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
