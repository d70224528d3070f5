package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/transport"
	"github.com/portavoz/portavoz/paginate"
)

const secret = "s3cret-of-the-certifier-test"

type plan struct {
	Nombre string `json:"nombre"`
	Precio string `json:"precio"`
	Moneda string `json:"moneda"`
}

type pedido struct {
	Codigo       string `json:"codigo"`
	Entrega      string `json:"entrega"`
	EntregaTexto string `json:"entrega_texto,omitempty"`
}

// shop is the server that breaks no rule.
type shop struct {
	orders atomic.Int64
	// slow makes a write wait until its caller has gone, or this has passed.
	slow time.Duration
}

func (s *shop) handler(t *testing.T) http.Handler {
	t.Helper()
	srv := server.NewMCPServer("tienda", "1.0.0", server.WithToolCapabilities(false))
	srv.AddTool(mcp.NewTool("buscar_planes",
		mcp.WithDescription("Busca planes en venta y devuelve su precio final. No sirve para saber qué plan tiene ya un cliente."),
		mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80), mcp.Description("Lo que se busca"), examples("plan")),
		contract.Pages(paginate.Rules{}), contract.Output[paginate.Page[plan]](), contract.Reads(),
		contract.Tool("buscar planes", contract.Ventas)), s.search)
	srv.AddTool(mcp.NewTool("consultar_pedido",
		mcp.WithDescription("Consulta cuándo llega un pedido por su código. No sirve para cambiarlo."),
		mcp.WithString("codigo", mcp.Required(), mcp.MaxLength(20), mcp.Description("Código del pedido"), examples("P-1")),
		contract.Output[pedido](), contract.Reads(),
		contract.Tool("consultar un pedido", contract.ConsultaEstado)), s.order)
	srv.AddTool(mcp.NewTool("crear_pedido",
		mcp.WithDescription("Registra un pedido que la persona ya confirmó. No sirve para consultar uno existente."),
		mcp.WithString("plan", mcp.Required(), mcp.MaxLength(80), mcp.Description("El plan que se pide"), examples("Plan 1", "Plan 2")),
		contract.Output[pedido](), contract.Writes(contract.Additive, contract.Repeats),
		contract.Tool("registrar un pedido", contract.Ventas)), s.create)

	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	stack := middleware.Asixto(srv, store)
	stack.Log, stack.RateLimit = nil, nil // quiet, and at full speed
	stack.Use()
	t.Cleanup(func() {
		if err := stack.Drain(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return server.NewStreamableHTTPServer(srv, server.WithDisableStreaming(true))
}

// examples puts sample values into a schema.
func examples(values ...string) mcp.PropertyOption {
	return func(schema map[string]any) { schema["examples"] = values }
}

func (s *shop) search(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	window, err := paginate.Rules{}.FromMap(req.GetArguments(), false)
	if err != nil {
		return nil, err
	}
	var plans []plan
	for i := range 30 {
		if name := fmt.Sprintf("Plan %d", i+1); strings.Contains(strings.ToLower(name), strings.ToLower(req.GetString("texto", ""))) {
			plans = append(plans, plan{name, fmt.Sprintf("%d900.00", 50+i), "COP"})
		}
	}
	return mcp.NewToolResultStructured(paginate.Slice(plans, window), "Encontré planes."), nil
}

func (s *shop) order(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.GetString("codigo", "") != "P-1" {
		return nil, errors.NotFound("No encontré un pedido con ese código.")
	}
	return mcp.NewToolResultStructured(pedido{Codigo: "P-1", Entrega: "2030-03-14"}, "El pedido llega el jueves."), nil
}

func (s *shop) create(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if s.slow > 0 {
		timer := time.NewTimer(s.slow)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
	}
	code := fmt.Sprintf("P-%d", s.orders.Add(1)+100)
	return mcp.NewToolResultStructured(pedido{Codigo: code, Entrega: "2030-03-14"}, "El pedido "+code+" quedó registrado."), nil
}

// protect is what stands in front of an MCP server that is right.
func protect(t *testing.T, next http.Handler) http.Handler {
	t.Helper()
	handler, err := transport.GatewayConfig{
		Credentials: []transport.Credential{transport.Bearer("asixto", secret)},
		Logger:      slog.New(slog.DiscardHandler),
	}.Wrap(next)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

// result is what a run of the command said.
type result struct {
	code           int
	stdout, stderr string
}

// certifyAt runs the command against a server.
func certifyAt(t *testing.T, url string, flags ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := append(slices.Clone(flags), url)
	opt, err := parseOptions(args, &stderr)
	if err != nil {
		code := run(t.Context(), args, &stdout, &stderr)
		return result{code, stdout.String(), stderr.String()}
	}
	opt.now = steady()
	code := execute(t.Context(), opt, &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// steady is a clock that goes on a millisecond whenever it is asked: how fast this machine
// is says nothing about the server.
func steady() func() time.Time {
	var asked atomic.Int64
	return func() time.Time { return time.UnixMilli(asked.Add(1)) }
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	return srv.URL + "/mcp"
}

// TestGood runs against servers in which there is nothing to find.
func TestGood(t *testing.T) {
	t.Parallel()
	healthy := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for name, tt := range map[string]struct {
		slow  time.Duration
		flags []string
	}{
		"asixto": {flags: []string{"-profile", "asixto"}},
		"core":   {flags: []string{"-profile", "core"}},
		"args":   {flags: []string{"-args", "testdata/args.json"}},
		"slow":   {slow: 300 * time.Millisecond}, // a retry comes while the first call is under way
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, protect(t, (&shop{slow: tt.slow}).handler(t)))
			r := certifyAt(t, url, append(tt.flags, "-token", secret, "-allow-writes", "all", "-health", healthy, "-json")...)
			got := decodeReport(t, r.stdout)
			if r.code != exitClean || len(got.Report.Findings) > 0 || !got.Complete {
				t.Errorf("exit code %d, findings %v, complete %t\n%s", r.code, got.Report.Findings, got.Complete, r.stderr)
			}
			for _, o := range got.Checks {
				if o.Status != passed {
					t.Errorf("%s is %s: %s", o.Rule, o.Status, o.Reason.EN)
				}
			}
		})
	}
}
