package main

import (
	"context"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/voice"
)

// answerWithin is how long each kind of case may wait for an answer.
var answerWithin = map[string]time.Duration{
	"falla":       24 * time.Hour,
	"instalacion": 72 * time.Hour,
	"cobro":       120 * time.Hour,
}

type caseResult struct {
	Radicado   string `json:"radicado" jsonschema:"Número con el que la persona consulta su caso"`
	Estado     string `json:"estado"`
	Plazo      string `json:"plazo" jsonschema:"Fecha y hora límite de respuesta, ISO 8601 con zona"`
	PlazoTexto string `json:"plazo_texto,omitempty" jsonschema:"El plazo para decirlo en voz alta"`
}

func (op *operator) abrirCasoSoporte(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento   string `json:"documento"`
		Tipo        string `json:"tipo"`
		Descripcion string `json:"descripcion"`
		Prioridad   string `json:"prioridad"` // null reads as ""
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	within := answerWithin[args.Tipo]
	if args.Prioridad == "alta" {
		within /= 2
	}
	if strings.TrimSpace(args.Descripcion) == "" {
		return nil, errors.Validation("Hace falta una descripción del problema.", errors.WithField("descripcion"),
			errors.WithNextQuestion("¿Qué está pasando con el servicio?"))
	}
	c, err := op.identify(ctx, args.Documento)
	if err != nil {
		return nil, err
	}
	opened := op.openCase(c.document, args.Tipo, args.Descripcion, within)
	return mcp.NewToolResultStructured(caseResult{
		Radicado:   opened.number,
		Estado:     "abierto",
		Plazo:      opened.answerBy.Format(time.RFC3339),
		PlazoTexto: voice.CO.DateTime(opened.answerBy),
	}, "El caso quedó abierto con el radicado "+opened.number+". La respuesta llega a más tardar el "+voice.CO.DateTime(opened.answerBy)+"."), nil
}
