package main_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// cases is how many cases the help desk has: the effects that happened.
func (s *redisServer) cases(t *testing.T) string {
	t.Helper()
	return strings.TrimPrefix(s.ask(t, "HLEN", "fibra:casos"), ":")
}

// TestTools: a case is opened and found again; a write without a key is refused.
func TestTools(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	p := start(t, redis.addr)
	opened := p.OpenCase(t, "k1")
	if want := `{"radicado":"R-2001","descripcion":"No hay internet, dice k1"}`; opened.IsError || string(opened.Structured) != want {
		t.Errorf("case = %s, want %s", opened.Structured, want)
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
		"no description": {exampletest.CaseTool, "k2", map[string]string{"descripcion": " "}, "VALIDATION"},
		"long":           {exampletest.CaseTool, "k3", map[string]string{"descripcion": strings.Repeat("ñ", 401)}, "VALIDATION"},
		"no key":         {exampletest.CaseTool, "", exampletest.Problem("key"), "VALIDATION"},
		"key reused":     {exampletest.CaseTool, "k1", map[string]string{"descripcion": "Otra cosa"}, "VALIDATION"},
	} {
		if got := p.Call(t, tt.tool, tt.key, tt.arguments).Failure(t); got != tt.want {
			t.Errorf("%s: failure = %q, want %s", name, got, tt.want)
		}
	}
	if got := redis.cases(t); got != "1" {
		t.Errorf("%s cases, want 1", got)
	}
	if log := p.Stderr.String(); !strings.Contains(log, "redis may forget idempotency keys") || strings.Contains(log, "internet") {
		t.Errorf("log = %s, want a warning of Redis, and no arguments", log)
	}
}

// TestTwoProcesses: duplicates that arrive at two processes at once have one
// effect, and everybody gets its result.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	keys := exampletest.OpenOnce(t, start(t, redis.addr).Gateway, start(t, redis.addr).Gateway)
	if got := redis.cases(t); got != strconv.Itoa(keys) {
		t.Errorf("%s cases, want %d", got, keys)
	}
}

// TestKilledApplication: a process dies by SIGKILL in the middle of a write. The
// retry, at another process, never has a second effect.
func TestKilledApplication(t *testing.T) {
	t.Parallel()
	const afterClaim, afterEffect = "EVALSHA", "exec" // the last that the process says
	tests := map[string]struct {
		last  string
		env   string
		want  string // error_type of the retry; "" for success
		cases string // then
	}{
		"after the effect":              {afterEffect, "PROBE=", "UNKNOWN", "1"},
		"after the effect, with probe":  {afterEffect, "PROBE=1", "", "1"},
		"before the effect":             {afterClaim, "PROBE=", "UNKNOWN", "0"},
		"before the effect, with probe": {afterClaim, "PROBE=1", "", "1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			network := startProxy(t, redis.addr)
			env := []string{"LEASE=1s", tt.env}
			doomed := start(t, network.addr, env...)
			doomed.OpenCase(t, "warm") // Redis knows the scripts
			redis.ask(t, "DEL", "fibra:casos")

			network.freezeAfter(tt.last)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var gone sync.WaitGroup
			gone.Go(func() {
				if r, err := doomed.Try(ctx, exampletest.CaseTool, "key", exampletest.Problem("key")); err == nil {
					t.Errorf("the process that died answered %s", r.Structured)
				}
			})
			exampletest.Eventually(t, "the process has said its last", network.isFrozen)
			exampletest.Eventually(t, "Redis has heard it", func() bool {
				return tt.last == afterClaim || redis.cases(t) == "1"
			})
			doomed.Kill(t)
			gone.Wait()

			heir := start(t, redis.addr, env...)
			for range 2 {
				if r := heir.OpenCase(t, "key"); r.Failure(t) != tt.want {
					t.Errorf("retry = %s, want %q", r.Structured, tt.want)
				}
			}
			if got := redis.cases(t); got != tt.cases {
				t.Errorf("%s cases, want %s", got, tt.cases)
			}
		})
	}
}

// TestKilledRedis: Redis dies by SIGKILL and comes back with its append-only
// file. Meanwhile nothing is written, and later nothing is written twice.
func TestKilledRedis(t *testing.T) {
	t.Parallel()
	redis := startRedis(t, "--appendonly", "yes", "--appendfsync", "always")
	p := start(t, redis.addr)
	if strings.Contains(p.Stderr.String(), "redis may forget") {
		t.Errorf("log = %s, want no warning", p.Stderr)
	}
	const keys = 20
	var before [keys]exampletest.Result
	for k := range before {
		before[k] = p.OpenCase(t, fmt.Sprint("key-", k))
	}
	redis.kill(t)
	if r := p.OpenCase(t, "key-0"); r.Failure(t) != "SYSTEM" {
		t.Errorf("replay without Redis = %s, want SYSTEM", r.Structured)
	}
	if r := p.OpenCase(t, "key-new"); r.Failure(t) != "SYSTEM" {
		t.Errorf("write without Redis = %s, want SYSTEM", r.Structured)
	}
	redis.restart(t)
	exampletest.Eventually(t, "the process finds Redis again", func() bool { return p.status(t, "/readyz") == http.StatusOK })
	for k := range before {
		if r := p.OpenCase(t, fmt.Sprint("key-", k)); !r.Meta.Replayed || string(r.Structured) != string(before[k].Structured) {
			t.Errorf("retry = %s (replayed: %t), want %s replayed", r.Structured, r.Meta.Replayed, before[k].Structured)
		}
	}
	if r := p.OpenCase(t, "key-new"); r.IsError {
		t.Errorf("retry of what was refused = %s, want success", r.Structured)
	}
	if got := redis.cases(t); got != strconv.Itoa(keys+1) {
		t.Errorf("%s cases, want %d", got, keys+1)
	}
}

// TestStartFailures: what is wrong is said with the variable to set, and no
// secret.
func TestStartFailures(t *testing.T) {
	t.Parallel()
	const nobody = "127.0.0.1:1" // a port that no other test is given
	tests := map[string]struct {
		env  []string
		want []string
	}{
		"no Redis":  {[]string{"REDIS_URL=redis://:qwerty@" + nobody}, []string{"REDIS_URL", nobody}},
		"not a URL": {[]string{"REDIS_URL=http://:qwerty@localhost"}, []string{"REDIS_URL"}},
		"all at once": {[]string{"REDIS_URL=:qwerty", "TOKENS=qwerty", "LEASE=x", "RATE_LIMIT=x", "LIMIT_WAIT=x"},
			[]string{"REDIS_URL", "TOKENS: entry 1", "LEASE", "RATE_LIMIT", "LIMIT_WAIT"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exampletest.Command(t.Context(), binary, append([]string{"TOKENS=asixto=" + secret}, tt.env...)...)
			var stdout, stderr exampletest.Output
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); !errors.As(err, new(*exec.ExitError)) || cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("error = %v, want exit code 1", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr = %s, want %s", stderr.String(), want)
				}
			}
			if strings.Contains(stderr.String(), "qwerty") || stdout.String() != "" {
				t.Errorf("stdout = %q, stderr = %q: want no address and no secret", stdout.String(), stderr.String())
			}
		})
	}
}
