package main

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/paginate"
)

// addTools publishes the catalogue. The examples in the schemas go together and
// work on the demo data, on any day, and as often as one likes. One thing
// cannot be done twice: to cancel an appointment under another idempotency key.
func (op *operator) addTools(srv *server.MCPServer) {
	srv.AddTool(consultarCliente(), op.consultarCliente)
	srv.AddTool(buscarItems(), op.buscarItems)
	srv.AddTool(abrirCasoSoporte(), op.abrirCasoSoporte)
	srv.AddTool(actualizarCliente(), op.actualizarCliente)
	srv.AddTool(consultarAgenda(), op.consultarAgenda)
	srv.AddTool(cancelarCita(), middleware.Wrap(op.cancelarCita,
		middleware.Guard(op.ownAppointment),
		middleware.Guard(op.openAppointment)))
}

func consultarCliente() mcp.Tool {
	return mcp.NewTool("consultar_cliente",
		mcp.WithDescription("Consulta el plan, el valor mensual y el estado del servicio de un cliente por su documento. "+
			"No sirve para buscar planes en venta ni para ver sus visitas."),
		mcp.WithSchemaAdditionalProperties(false),
		documento(),
		mcp.WithOutputSchema[clientResult](),
		reads(),
		asixto("consultar el servicio de un cliente", "consulta_estado", "facturacion", "general"),
	)
}

func buscarItems() mcp.Tool {
	return mcp.NewTool("buscar_items",
		mcp.WithDescription("Busca planes, equipos y servicios del catálogo y devuelve su precio final. "+
			"No sirve para saber qué plan tiene ya un cliente."),
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80), examples("plan", "fibra", "router"),
			mcp.Description("Lo que se busca, en palabras de la persona")),
		limit(), offset(),
		mcp.WithOutputSchema[paginate.Page[itemResult]](), neverNull("resultados"),
		reads(),
		asixto("buscar planes y servicios", "informacion_productos", "informacion_servicios", "ventas", "cambio_plan"),
	)
}

func abrirCasoSoporte() mcp.Tool {
	return mcp.NewTool("abrir_caso_soporte",
		mcp.WithDescription("Registra un caso de soporte de un cliente que ya describió su problema y devuelve el radicado. "+
			"No sirve para consultar un caso existente."),
		mcp.WithSchemaAdditionalProperties(false),
		documento(),
		mcp.WithString("tipo", mcp.Required(), oneOf("falla", "instalacion", "cobro"), examples("falla")),
		mcp.WithString("descripcion", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(400),
			examples("No hay internet desde anoche"),
			mcp.Description("El problema, en palabras de la persona")),
		mcp.WithString("prioridad", nullable, oneOf("alta", "normal", nil), examples("normal"),
			mcp.Description("Normal si no se indica")),
		mcp.WithOutputSchema[caseResult](),
		writes(harmless, again),
		asixto("abrir un caso de soporte", "soporte", "pqr", "garantia"),
	)
}

func actualizarCliente() mcp.Tool {
	return mcp.NewTool("actualizar_cliente",
		mcp.WithDescription("Cambia el teléfono, el correo o la dirección de contacto de un cliente. "+
			"No sirve para cambiar el plan ni el titular."),
		mcp.WithSchemaAdditionalProperties(false),
		documento(),
		mcp.WithString("dato", mcp.Required(), oneOf("telefono", "correo", "direccion"), examples("telefono")),
		mcp.WithString("valor", mcp.Required(), mcp.MinLength(5), mcp.MaxLength(120), examples("300 555 0199"),
			mcp.Description("El valor nuevo y completo")),
		mcp.WithOutputSchema[updateResult](),
		writes(overwrites, once),
		asixto("actualizar los datos de contacto", "actualizacion_datos"),
	)
}

func consultarAgenda() mcp.Tool {
	return mcp.NewTool("consultar_agenda",
		mcp.WithDescription("Lista las visitas técnicas de un cliente con su fecha y su estado, primero las próximas. "+
			"No sirve para programar ni para cancelar."),
		mcp.WithSchemaAdditionalProperties(false),
		documento(),
		mcp.WithString("estado", nullable, oneOf(programmed, attended, cancelled, nil), examples(programmed),
			mcp.Description("Todas si no se indica")),
		limit(), offset(),
		mcp.WithOutputSchema[paginate.Page[appointmentResult]](), neverNull("resultados"),
		reads(),
		asixto("consultar las visitas de un cliente", "agenda", "consulta_estado"),
	)
}

func cancelarCita() mcp.Tool {
	return mcp.NewTool("cancelar_cita",
		mcp.WithDescription("Cancela una visita técnica programada que la persona confirmó que no quiere. "+
			"No sirve para cambiarla de fecha ni para dar de baja el servicio."),
		mcp.WithSchemaAdditionalProperties(false),
		documento(),
		mcp.WithString("cita", mcp.Required(), mcp.MaxLength(12), examples("V-1042"),
			mcp.Description("Código de la visita, como aparece en la agenda")),
		mcp.WithOutputSchema[appointmentResult](),
		writes(overwrites, once),
		asixto("cancelar una visita", "cancelacion", "agenda"),
	)
}
