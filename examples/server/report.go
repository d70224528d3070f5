package main

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// reportStep is how long each part of a report takes. A real one takes minutes.
const reportStep = 300 * time.Millisecond

type reportResult struct {
	Nombre        string `json:"nombre"`
	Plan          string `json:"plan"`
	Visitas       int    `json:"visitas" jsonschema:"Visitas técnicas, de cualquier estado"`
	CasosAbiertos int    `json:"casos_abiertos" jsonschema:"Casos de soporte sin cerrar"`
}

// generarReporte is work that outlasts a call: middleware.Deferred makes
// iniciar_reporte and consultar_reporte of it. It runs apart from the conversation,
// so that who the person is was checked at the start, see knownClient.
func (op *operator) generarReporte(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento string `json:"documento"`
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	c, err := op.client(args.Documento)
	if err != nil {
		return nil, err
	}
	middleware.Progress(ctx, 10, "Reuniendo las visitas.")
	if err := work(ctx); err != nil {
		return nil, err
	}
	visits := len(op.appointmentsOf(c.document, ""))
	middleware.Progress(ctx, 60, "Reuniendo los casos.")
	if err := work(ctx); err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(reportResult{
		Nombre: c.name, Plan: c.plan.name, Visitas: visits, CasosAbiertos: op.openCases(c.document),
	}, "El informe de "+c.name+" está listo, con sus visitas y sus casos."), nil
}

// work takes its time, and ends with its context.
func work(ctx context.Context) error {
	timer := time.NewTimer(reportStep)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// knownClient is a guard: the person is identified before anything is begun.
func (op *operator) knownClient(ctx context.Context, req mcp.CallToolRequest) error {
	var args struct {
		Documento string `json:"documento"`
	}
	if err := bind(req, &args); err != nil {
		return err
	}
	_, err := op.identify(ctx, args.Documento)
	return err
}
