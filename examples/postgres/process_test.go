package main_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// binary is the server, built once by TestMain.
var binary string

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" { // a process of TestDesk..., and not the tests
		if err := play(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(exampletest.Main(m, &binary, postgres.remove, mariaDB.remove))
}

// secret is the credential that the processes under test accept, for the
// principal "asixto".
const secret = "s3cret-of-the-postgres-test"

// process is a running server.
type process struct {
	*exampletest.Process
	exampletest.Gateway
	health string // URL of its root
}

// start runs the server on the database at url.
func start(t *testing.T, url string, env ...string) *process {
	t.Helper()
	env = append([]string{"TOKENS=asixto=" + secret, "DATABASE_URL=" + url}, env...)
	p := exampletest.Start(t, binary, env, "MCP en ", "Salud en ")
	return &process{p, exampletest.Gateway{URL: p.URLs[0], Secret: secret}, strings.TrimSuffix(p.URLs[1], "/salud")}
}

func (p *process) status(t *testing.T, path string) int {
	t.Helper()
	return exampletest.Status(t, p.health+path)
}
