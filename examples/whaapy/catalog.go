package main

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/whaapy"
	"github.com/portavoz/portavoz/paginate"
)

// addTools publishes the catalogue. The descriptions have the sections that Whaapy
// reads, in the 700 characters that Asixto Gateway takes.
func (d *desk) addTools(srv *server.MCPServer) {
	srv.AddTool(buscarCliente(), d.buscarCliente)
	srv.AddTool(consultarSaldo(), d.consultarSaldo)
	srv.AddTool(crearCaso(), d.crearCaso)
}

func buscarCliente() mcp.Tool {
	return mcp.NewTool("buscar_cliente",
		describe(whaapy.Describe{
			WhenToUse:       "Busca clientes por su nombre o por una parte de él.",
			NeverUseFor:     "No sirve para confirmar la identidad de una persona.",
			Identity:        "No requiere identificar a la persona.",
			SideEffects:     "Ninguno.",
			SuccessCriteria: "Hay al menos un resultado.",
			Fallback:        "Sin resultados, hace falta otro dato de la persona.",
		}),
		mcp.WithString("nombre", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(80), mcp.Description("El nombre, como la persona lo dice")),
		contract.Pages(paginate.Rules{}),
		contract.Output[paginate.Page[clientResult]](),
		contract.Reads(), mcp.WithOpenWorldHintAnnotation(false),
		contract.Tool("buscar un cliente", contract.ConsultaEstado, contract.General),
	)
}

func consultarSaldo() mcp.Tool {
	return mcp.NewTool("consultar_saldo",
		describe(whaapy.Describe{
			WhenToUse:       "Consulta el saldo pendiente de un cliente.",
			NeverUseFor:     "No sirve para registrar pagos.",
			Identity:        "Requiere el documento del titular.",
			SideEffects:     "Ninguno.",
			SuccessCriteria: "El resultado trae el saldo.",
			Fallback:        "Sin documento, el resultado trae la pregunta que falta hacer.",
		}),
		mcp.WithString("documento", contract.Nullable(), mcp.MaxLength(30), mcp.Description("Documento de identidad del titular")),
		contract.Output[balanceResult](),
		contract.Reads(), mcp.WithOpenWorldHintAnnotation(false),
		contract.Tool("consultar un saldo", contract.Facturacion, contract.ConsultaEstado),
	)
}

func crearCaso() mcp.Tool {
	return mcp.NewTool("crear_caso",
		describe(whaapy.Describe{
			WhenToUse:       "Abre un caso de soporte de un cliente que ya describió su problema.",
			NeverUseFor:     "No sirve para consultar un caso existente.",
			Identity:        "Requiere el documento del titular.",
			SideEffects:     "Crea un caso en la mesa de ayuda.",
			SuccessCriteria: "El resultado trae el radicado del caso.",
			Fallback:        "Si el cliente no existe, el resultado lo dice y nada se crea.",
		}),
		mcp.WithString("documento", mcp.Required(), mcp.MinLength(5), mcp.MaxLength(30), mcp.Description("Documento de identidad del titular")),
		mcp.WithString("descripcion", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(400), mcp.Description("El problema, en palabras de la persona")),
		contract.Output[caseResult](),
		contract.Writes(contract.Additive, contract.Repeats), mcp.WithOpenWorldHintAnnotation(false),
		contract.Tool("abrir un caso de soporte", contract.Soporte, contract.PQR),
	)
}

func describe(d whaapy.Describe) mcp.ToolOption {
	return whaapy.WithDescription(d, whaapy.MaxDescription)
}
