package main

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
)

func (d desk) addTools(srv *server.MCPServer) {
	srv.AddTool(mcp.NewTool("abrir_caso_soporte",
		mcp.WithDescription("Registra un caso de soporte de una persona que ya describió su problema y devuelve el radicado. "+
			"No sirve para consultar un caso existente."),
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithString("descripcion", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(maxDescription),
			mcp.Description("El problema, en palabras de la persona")),
		mcp.WithOutputSchema[caseResult](),
		annotate(false),
		asixto("abrir un caso de soporte", "soporte", "pqr"),
	), d.abrirCasoSoporte)

	srv.AddTool(mcp.NewTool("consultar_caso",
		mcp.WithDescription("Consulta un caso de soporte por su radicado. No sirve para abrir uno."),
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithString("radicado", mcp.Required(), mcp.MaxLength(20),
			mcp.Description("Número que la persona recibió al abrir el caso")),
		mcp.WithOutputSchema[caseResult](),
		annotate(true),
		asixto("consultar un caso de soporte", "soporte", "consulta_estado"),
	), d.consultarCaso)
}

// maxDescription is in characters.
const maxDescription = 400

type caseResult struct {
	Radicado    string `json:"radicado" jsonschema:"Número con el que la persona consulta su caso"`
	Descripcion string `json:"descripcion"`
}

// abrirCasoSoporte knows nothing of idempotency.
func (d desk) abrirCasoSoporte(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	description := strings.TrimSpace(req.GetString("descripcion", ""))
	if description == "" || len([]rune(description)) > maxDescription {
		return nil, errors.Validation("Hace falta una descripción corta del problema.", errors.WithField("descripcion"))
	}
	number, err := d.open(ctx, description)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(caseResult{number, description}, "El caso quedó abierto con el radicado "+number+"."), nil
}

func (d desk) consultarCaso(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	number := strings.ToUpper(strings.TrimSpace(req.GetString("radicado", "")))
	description, err := d.find(ctx, number)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(caseResult{number, description}, "El caso "+number+" dice: "+description), nil
}

// annotate says everything, since mcp-go fills in what is not said: a case is
// added, nothing is destroyed, and the desk is ours.
func annotate(readOnly bool) mcp.ToolOption {
	no := false
	return func(t *mcp.Tool) {
		t.Annotations = mcp.ToolAnnotation{
			ReadOnlyHint: &readOnly, DestructiveHint: &no, IdempotentHint: &readOnly, OpenWorldHint: &no,
		}
	}
}

// asixto says how the gateway describes the tool to its model, and in which of
// its scenarios it belongs.
func asixto(verb string, capabilities ...string) mcp.ToolOption {
	return func(t *mcp.Tool) {
		t.Meta = mcp.NewMetaFromMap(map[string]any{"com.asixto/verb": verb, "com.asixto/capabilities": capabilities})
	}
}
