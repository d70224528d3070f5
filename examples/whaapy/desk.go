package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/whaapy"
	"github.com/portavoz/portavoz/paginate"
)

// desk is the system of record: clients, and the cases that are opened for them.
type desk struct {
	now     func() time.Time
	clients []client

	mu    sync.Mutex
	cases int
}

type client struct{ document, name, city, balance string }

func newDesk(now func() time.Time) *desk {
	return &desk{now: now, clients: []client{
		{"1032456789", "Ana María Peña", "Bogotá", "89900.00"},
		{"52987654", "Luis Peña", "Medellín", "0.00"},
		{"80111222", "Marta Rojas", "Cali", "134500.00"},
	}}
}

func (d *desk) find(document string) (client, error) {
	for _, c := range d.clients {
		if c.document == document {
			return c, nil
		}
	}
	return client{}, errors.NotFound("No encontré un cliente con ese documento.")
}

type clientResult struct {
	Nombre string `json:"nombre"`
	Ciudad string `json:"ciudad"`
}

// buscarCliente knows nothing of gateways. A page without results is a success; to the
// Whaapy agent it is needs_more_info.
func (d *desk) buscarCliente(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Nombre string `json:"nombre"`
		paginate.Args
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	params, err := paginate.Rules{}.FromArgs(args.Args, call.MetaFrom(ctx).Channel == call.Voice)
	if err != nil {
		return nil, err
	}
	var found []clientResult
	for _, c := range d.clients {
		if strings.Contains(strings.ToLower(c.name), strings.ToLower(strings.TrimSpace(args.Nombre))) {
			found = append(found, clientResult{c.name, c.city})
		}
	}
	said := "No encontré a nadie con ese nombre."
	if len(found) > 0 {
		said = "Encontré a " + found[0].Nombre + "."
	}
	return mcp.NewToolResultStructured(paginate.Slice(found, params), said), nil
}

type balanceResult struct {
	Nombre string `json:"nombre"`
	Saldo  string `json:"saldo" jsonschema:"Saldo pendiente, decimal exacto"`
	Moneda string `json:"moneda" jsonschema:"Código ISO 4217"`
}

// consultarSaldo cannot go on without a document, which the schema lets the model leave
// out: the person has to be asked.
func (d *desk) consultarSaldo(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento string `json:"documento"` // null reads as ""
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	if args.Documento == "" {
		return nil, whaapy.NeedsMoreInfo("¿Me puede dar su número de documento?", "documento",
			errors.WithCode("missing_customer_identity"))
	}
	c, err := d.find(args.Documento)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(balanceResult{c.name, c.balance, "COP"}, c.name+" tiene un saldo de "+c.balance+" COP."), nil
}

// caseResult has the evidence that Whaapy demands beside what the person needs. The id
// is optional in the schema: Asixto Gateway must not see it, and Redact takes it out.
type caseResult struct {
	TicketID string `json:"ticketId,omitempty" jsonschema:"Identificador interno del caso"`
	Status   string `json:"status"`
	Radicado string `json:"radicado" jsonschema:"Número con el que la persona consulta su caso"`
	Fecha    string `json:"fecha" jsonschema:"ISO 8601 con zona"`
}

func (d *desk) crearCaso(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento string `json:"documento"`
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	if _, err := d.find(args.Documento); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cases++
	number := fmt.Sprintf("R-%04d", d.cases)
	return mcp.NewToolResultStructured(caseResult{
		TicketID: fmt.Sprintf("tck_%04d", d.cases), Status: "created", Radicado: number, Fecha: d.now().Format(time.RFC3339),
	}, "El caso quedó abierto con el radicado "+number+"."), nil
}

// bind reads the arguments, which Validate has held to the definition: what is left to
// go wrong is a struct that does not fit it.
func bind(req mcp.CallToolRequest, args any) error {
	if err := req.BindArguments(args); err != nil {
		return errors.System("", errors.WithCode(errors.CodeBadSchema), errors.WithCause(err), errors.WithEffect(errors.EffectNone))
	}
	return nil
}
