package main

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/paginate"
)

// The namespaces. A grouped tool bears their name, so they are named as tools are: a
// verb, and what it acts on.
const (
	clients = "atender_cliente"
	visits  = "gestionar_visita"
)

// actions are the tools as an operator may have them already, with the namespace of
// each. Searching the catalogue is about no client: it stays a tool of its own.
func actions() []expose.Declaration {
	namespaces := map[string]string{
		"consultar_cliente": clients, "actualizar_cliente": clients, "abrir_caso_soporte": clients,
		"consultar_agenda": visits, "cancelar_cita": visits,
	}
	return expose.FromTools(tools(), func(tool mcp.Tool) string { return namespaces[tool.Name] })
}

func tools() []server.ServerTool {
	return []server.ServerTool{
		{Tool: mcp.NewTool("consultar_cliente",
			mcp.WithDescription("Consulta el plan, el valor mensual y el estado del servicio de un cliente. No sirve para buscar planes en venta."),
			documento(), contract.Output[served](), contract.Reads(),
			contract.Tool("consultar el servicio de un cliente", contract.ConsultaEstado, contract.Facturacion)), Handler: answers("El servicio está activo.")},
		{Tool: mcp.NewTool("actualizar_cliente",
			mcp.WithDescription("Cambia el teléfono o el correo de contacto de un cliente. No sirve para cambiar el plan."),
			documento(),
			mcp.WithString("dato", mcp.Required(), mcp.Enum("telefono", "correo"), mcp.Description("Lo que cambia")),
			mcp.WithString("valor", mcp.Required(), mcp.MaxLength(120), mcp.Description("El valor nuevo y completo")),
			contract.Output[served](), contract.Writes(contract.Destructive, contract.Settles),
			contract.Tool("actualizar los datos de contacto", contract.ActualizacionDatos)), Handler: answers("Los datos quedaron actualizados.")},
		{Tool: mcp.NewTool("abrir_caso_soporte",
			mcp.WithDescription("Registra un caso de soporte de un cliente y devuelve el radicado. No sirve para consultar un caso existente."),
			documento(),
			mcp.WithString("descripcion", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(400), mcp.Description("El problema, en palabras de la persona")),
			mcp.WithString("prioridad", mcp.Enum("alta", "normal"), contract.Nullable(), mcp.Description("Normal si no se indica")),
			contract.Output[served](), contract.Writes(contract.Additive, contract.Repeats),
			contract.Tool("abrir un caso de soporte", contract.Soporte, contract.PQR)), Handler: answers("El caso quedó registrado.")},
		{Tool: mcp.NewTool("consultar_agenda",
			mcp.WithDescription("Lista las visitas técnicas de un cliente con su fecha y su estado. No sirve para programar ni para cancelar."),
			documento(), mcp.WithInteger("limit", paginate.Rules{}.Limit), mcp.WithInteger("offset", paginate.Rules{}.Offset),
			contract.Output[paginate.Page[served]](), contract.Reads(),
			contract.Tool("consultar las visitas de un cliente", contract.Agenda, contract.ConsultaEstado)), Handler: answers("Hay una visita.")},
		{Tool: mcp.NewTool("cancelar_cita",
			mcp.WithDescription("Cancela una visita técnica programada que la persona confirmó que no quiere. No sirve para cambiarla de fecha."),
			documento(), mcp.WithString("cita", mcp.Required(), mcp.MaxLength(12), mcp.Description("Código de la visita, como aparece en la agenda")),
			contract.Output[served](), contract.Writes(contract.Destructive, contract.Settles),
			contract.Tool("cancelar una visita", contract.Cancelacion, contract.Agenda)), Handler: answers("La visita quedó cancelada.")},
		{Tool: mcp.NewTool("buscar_items",
			mcp.WithDescription("Busca planes, equipos y servicios del catálogo y devuelve su precio final. No sirve para saber qué plan tiene un cliente."),
			mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80), mcp.Description("Lo que se busca, en palabras de la persona")),
			mcp.WithInteger("limit", paginate.Rules{}.Limit), mcp.WithInteger("offset", paginate.Rules{}.Offset),
			contract.Output[paginate.Page[served]](), contract.Reads(),
			contract.Tool("buscar planes y servicios", contract.InformacionProductos, contract.Ventas)), Handler: answers("Hay tres planes.")},
	}
}

func documento() mcp.ToolOption {
	return mcp.WithString("documento", mcp.Required(), mcp.MaxLength(30), mcp.Description("Documento de identidad del titular, como la persona lo dice"))
}

// served says who was served, and by which action.
type served struct {
	Accion    string `json:"accion"`
	Documento string `json:"documento"`
}

// answers is a handler that answers with a sentence, and with what it was called
// with.
func answers(sentence string) server.ToolHandlerFunc {
	return func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		document := req.GetString("documento", "")
		return mcp.NewToolResultStructured(served{Accion: req.Params.Name, Documento: document},
			fmt.Sprintf("%s (%s, %d datos)", sentence, req.Params.Name, len(req.GetArguments()))), nil
	}
}
