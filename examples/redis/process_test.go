package main_test

import (
	"context"
	"os"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// binary is the server, built once by TestMain.
var binary string

func TestMain(m *testing.M) {
	goredis.SetLogger(silent{})
	os.Exit(exampletest.Main(m, &binary))
}

// silent drops what go-redis has to say of connections that tests break.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// secret is the credential that the processes under test accept, for the
// principal "asixto".
const secret = "s3cret-of-the-redis-test"

// process is a running server.
type process struct {
	*exampletest.Process
	exampletest.Gateway
	health string // URL of its root
}

// start runs the server on the Redis at addr.
func start(t *testing.T, addr string, env ...string) *process {
	t.Helper()
	env = append([]string{"TOKENS=asixto=" + secret, "REDIS_URL=redis://" + addr}, env...)
	p := exampletest.Start(t, binary, env, "MCP en ", "Salud en ")
	return &process{p, exampletest.Gateway{URL: p.URLs[0], Secret: secret}, strings.TrimSuffix(p.URLs[1], "/salud")}
}

func (p *process) status(t *testing.T, path string) int {
	t.Helper()
	return exampletest.Status(t, p.health+path)
}
