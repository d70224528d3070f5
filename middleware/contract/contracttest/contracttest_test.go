package contracttest_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/contract/contracttest"
)

var update = flag.Bool("update", false, "write the lock file")

type saldo struct {
	Saldo  string `json:"saldo"`
	Moneda string `json:"moneda"`
}

func consultarSaldo(options ...mcp.ToolOption) mcp.Tool {
	return mcp.NewTool("consultar_saldo", append([]mcp.ToolOption{
		mcp.WithDescription("Consulta el saldo de una cuenta. No sirve para pagarlo."),
		mcp.WithString("cuenta", mcp.Required(), mcp.MaxLength(20), mcp.Description("Número de la cuenta")),
		contract.Output[saldo](),
		contract.Reads(),
		contract.Tool("consultar el saldo de una cuenta", contract.Facturacion),
	}, options...)...)
}

func newServer(options ...server.ServerOption) *server.MCPServer {
	return server.NewMCPServer("test", "1", append(options, server.WithToolCapabilities(false))...)
}

func TestRun(t *testing.T) {
	t.Parallel()
	srv := newServer(server.WithPaginationLimit(1)) // several pages
	srv.AddTool(consultarSaldo(), nil)
	contracttest.Run(t, srv, contract.Asixto)
	contracttest.Lock(t, srv, "testdata/contract.lock.json", *update)
}

// child says that this process is one that a test started to see it fail.
const child = "PORTAVOZ_CONTRACTTEST_CHILD"

// TestChild fails on purpose, in a process of its own.
func TestChild(t *testing.T) { //nolint:paralleltest // it is the only one of its process
	what := os.Getenv(child)
	srv := newServer()
	switch what {
	case "":
		return // it is for TestFailures
	case "must":
		srv.AddTool(consultarSaldo(mcp.WithReadOnlyHintAnnotation(false)), nil)
		srv.AddTool(mcp.NewTool("pagar_saldo", mcp.WithDescription("Paga el saldo. No sirve para consultarlo."),
			mcp.WithString("cuenta")), nil)
		contracttest.Run(t, srv, contract.Asixto)
	case "empty":
		contracttest.Run(t, srv, contract.Core)
	case "order":
		turn := false
		srv = newServer(server.WithToolFilter(turning(&turn)))
		srv.AddTool(consultarSaldo(), nil)
		other := consultarSaldo(mcp.WithDescription("Consulta los cargos del mes. No incluye los pagos."))
		other.Name = "consultar_cargos"
		srv.AddTool(other, nil)
		contracttest.Run(t, srv, contract.Asixto|contract.Core, contract.Without("output-missing", "not needed here"))
		t.Error("order is no must") // so that the log is printed
	case "options":
		contracttest.Run(t, srv, contract.Core, contract.Without("no-such-rule", "a typing error"))
	case "lock":
		srv.AddTool(consultarSaldo(mcp.WithString("clave", mcp.Required(), mcp.MaxLength(4))), nil)
		contracttest.Lock(t, srv, "testdata/contract.lock.json", false)
	case "no lock":
		contracttest.Lock(t, srv, "testdata/no.lock.json", false)
	case "broken lock", "broken lock, written":
		srv.AddTool(consultarSaldo(), nil)
		file := filepath.Join(t.TempDir(), "merged.lock.json")
		if err := os.WriteFile(file, []byte("{\n<<<<<<< HEAD\n  \"tools\": [\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		contracttest.Lock(t, srv, file, what != "broken lock")
		contracttest.Lock(t, srv, file, false)
		t.Error("the file is right again") // so that the log is printed
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for what, want := range map[string][]string{
		"must": {
			"--- FAIL: TestChild/pagar_saldo/input-open", "--- FAIL: TestChild/pagar_saldo/optional-null",
			"contract.Nullable", "«cuenta» es opcional y no admite null", "--- PASS: TestChild/pagar_saldo/string-max-length",
		},
		"empty":                {"--- FAIL: TestChild/tools/list-empty"},
		"order":                {"--- PASS: TestChild/tools/list-order"},
		"options":              {`there is no rule "no-such-rule"`},
		"lock":                 {"required-added  /inputSchema/properties/clave", "BREAKING", "-update"},
		"no lock":              {"no.lock.json", "-update"},
		"broken lock":          {"merged.lock.json: ", "a merge conflict is left in it", "-update"},
		"broken lock, written": {"the file is replaced: ", "merged.lock.json: ", "a merge conflict is left in it", "the file is right again"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$", "-test.v")
			cmd.Env = append(os.Environ(), child+"="+what)
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Error("the test passed")
			}
			for _, text := range want {
				if !strings.Contains(string(out), text) {
					t.Errorf("the output lacks %q:\n%s", text, out)
				}
			}
		})
	}
}

// TestLockUpdate: what was written passes.
func TestLockUpdate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "testdata", "contract.lock.json") // in a folder that is not there yet
	srv := newServer()
	srv.AddTool(consultarSaldo(), nil)
	contracttest.Lock(t, srv, file, true)
	contracttest.Lock(t, srv, file, false)
	srv.AddTool(mcp.NewTool("otra"), nil)
	contracttest.Lock(t, srv, file, true)
	contracttest.Lock(t, srv, file, false)
}

// turning is a filter that reverses the list every other time.
func turning(turn *bool) server.ToolFilterFunc {
	return func(_ context.Context, tools []mcp.Tool) []mcp.Tool {
		if *turn = !*turn; *turn {
			slices.Reverse(tools)
		}
		return tools
	}
}
