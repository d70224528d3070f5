package main

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/paginate"
	"github.com/portavoz/portavoz/voice"
)

type appointmentResult struct {
	Cita       string `json:"cita" jsonschema:"Código que la persona conoce"`
	Motivo     string `json:"motivo"`
	Estado     string `json:"estado" jsonschema:"programada, atendida o cancelada"`
	Fecha      string `json:"fecha" jsonschema:"ISO 8601 con zona"`
	FechaTexto string `json:"fecha_texto,omitempty" jsonschema:"La fecha para decirla en voz alta"`
}

func (a appointment) show() appointmentResult {
	return appointmentResult{
		Cita:       a.code,
		Motivo:     a.kind,
		Estado:     a.state,
		Fecha:      a.when.Format(time.RFC3339),
		FechaTexto: voice.CO.DateTime(a.when),
	}
}

func (op *operator) consultarAgenda(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento string `json:"documento"`
		Estado    string `json:"estado"` // null reads as ""
		paginate.Args
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	c, err := op.identify(ctx, args.Documento)
	if err != nil {
		return nil, err
	}
	found, err := cut(ctx, op.appointmentsOf(c.document, args.Estado), args.Args, appointment.show)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(found, say(found, "visita", func(a appointmentResult) string {
		return a.Motivo + " el " + a.FechaTexto + ", " + a.Estado
	})), nil
}

type cancelArgs struct {
	Documento string `json:"documento"`
	Cita      string `json:"cita"`
}

func (op *operator) cancelarCita(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args cancelArgs
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	a, err := op.cancel(args.Cita)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(a.show(), "Quedó cancelada la visita del "+voice.CO.DateTime(a.when)+"."), nil
}

// ownAppointment is a guard: the appointment belongs to the person of the
// conversation. Somebody else's gets the answer of one that does not exist.
func (op *operator) ownAppointment(ctx context.Context, req mcp.CallToolRequest) error {
	var args cancelArgs
	if err := bind(req, &args); err != nil {
		return err
	}
	if _, err := op.identify(ctx, args.Documento); err != nil {
		return err
	}
	a, err := op.appointment(args.Cita)
	if err != nil {
		return err
	}
	return middleware.Owns(ctx, "cliente", a.document, errNoAppointment)
}

// openAppointment is a guard: what is attended or cancelled is not touched
// again. The answer names the state, so that the agent can explain it.
func (op *operator) openAppointment(_ context.Context, req mcp.CallToolRequest) error {
	var args cancelArgs
	if err := bind(req, &args); err != nil {
		return err
	}
	a, err := op.appointment(args.Cita)
	if err != nil {
		return err
	}
	return a.open()
}
