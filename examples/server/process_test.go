package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// binary is the server, built once by TestMain.
var binary string

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m, &binary)) }

// secret is the credential that the processes under test accept, for the
// principal "asixto".
const secret = "s3cret-of-the-flow-test"

// process is a running server.
type process struct {
	*exampletest.Process
	mcp    string // URL of the endpoint
	health string // URL of its root
}

func start(t *testing.T, env ...string) *process {
	t.Helper()
	p := exampletest.Start(t, binary, append([]string{"TOKENS=asixto=" + secret}, env...), "MCP en ", "Salud en ")
	return &process{p, p.URLs[0], strings.TrimSuffix(p.URLs[1], "/salud")}
}
