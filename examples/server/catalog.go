package main

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/paginate"
)

// addTools publishes the catalogue. The examples in the schemas go together and
// work on the demo data, on any day, and as often as one likes. One thing
// cannot be done twice: to cancel an appointment under another idempotency key. The
// jobId of consultar_reporte is nobody's.
func (op *operator) addTools(srv *server.MCPServer, workers *middleware.Workers) {
	srv.AddTool(consultarCliente(), op.consultarCliente)
	srv.AddTool(buscarItems(), op.buscarItems)
	srv.AddTool(abrirCasoSoporte(), op.abrirCasoSoporte)
	srv.AddTool(actualizarCliente(), op.actualizarCliente)
	srv.AddTool(consultarAgenda(), op.consultarAgenda)
	srv.AddTool(cancelarCita(), middleware.Wrap(op.cancelarCita,
		middleware.Guard(op.ownAppointment),
		middleware.Guard(op.openAppointment)))

	reports := middleware.Deferred(workers, generarReporte(), op.generarReporte, middleware.DeferredConfig{
		Say: middleware.JobSentences{Started: "Ya inicié su informe, le aviso en unos minutos."},
	})
	reports[0].Handler = middleware.Wrap(reports[0].Handler, middleware.Guard(op.knownClient))
	srv.AddTools(reports...)
}

func generarReporte() mcp.Tool {
	return mcp.NewTool("generar_reporte",
		mcp.WithDescription("Reúne en un informe el plan, las visitas y los casos de un cliente. "+
			"No sirve para abrir casos ni para cambiar visitas."),
		documento(),
		contract.Output[reportResult](),
		contract.Writes(contract.Additive, contract.Repeats), ownRecords(),
		contract.Tool("generar un informe", contract.ConsultaEstado, contract.SolicitudDocumentos),
	)
}

func consultarCliente() mcp.Tool {
	return mcp.NewTool("consultar_cliente",
		mcp.WithDescription("Consulta el plan, el valor mensual y el estado del servicio de un cliente por su documento. "+
			"No sirve para buscar planes en venta ni para ver sus visitas."),
		documento(),
		contract.Output[clientResult](),
		contract.Reads(), ownRecords(),
		contract.Tool("consultar el servicio de un cliente", contract.ConsultaEstado, contract.Facturacion, contract.General),
	)
}

func buscarItems() mcp.Tool {
	return mcp.NewTool("buscar_items",
		mcp.WithDescription("Busca planes, equipos y servicios del catálogo y devuelve su precio final. "+
			"No sirve para saber qué plan tiene ya un cliente."),
		mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80), examples("plan", "fibra", "router"),
			mcp.Description("Lo que se busca, en palabras de la persona")),
		limit(), offset(),
		contract.Output[paginate.Page[itemResult]](),
		contract.Reads(), ownRecords(),
		contract.Tool("buscar planes y servicios", contract.InformacionProductos, contract.InformacionServicios, contract.Ventas, contract.CambioPlan),
	)
}

func abrirCasoSoporte() mcp.Tool {
	return mcp.NewTool("abrir_caso_soporte",
		mcp.WithDescription("Registra un caso de soporte de un cliente que ya describió su problema y devuelve el radicado. "+
			"No sirve para consultar un caso existente."),
		documento(),
		mcp.WithString("tipo", mcp.Required(), mcp.Enum("falla", "instalacion", "cobro"), examples("falla"),
			mcp.Description("Qué clase de problema es")),
		mcp.WithString("descripcion", mcp.Required(), mcp.MinLength(1), mcp.MaxLength(400),
			examples("No hay internet desde anoche"),
			mcp.Description("El problema, en palabras de la persona")),
		mcp.WithString("prioridad", mcp.Enum("alta", "normal"), contract.Nullable(), examples("normal"),
			mcp.Description("Normal si no se indica")),
		contract.Output[caseResult](),
		contract.Writes(contract.Additive, contract.Repeats), ownRecords(),
		contract.Tool("abrir un caso de soporte", contract.Soporte, contract.PQR, contract.Garantia),
	)
}

func actualizarCliente() mcp.Tool {
	return mcp.NewTool("actualizar_cliente",
		mcp.WithDescription("Cambia el teléfono, el correo o la dirección de contacto de un cliente. "+
			"No sirve para cambiar el plan ni el titular."),
		documento(),
		mcp.WithString("dato", mcp.Required(), mcp.Enum("telefono", "correo", "direccion"), examples("telefono"),
			mcp.Description("Cuál de los datos cambia")),
		mcp.WithString("valor", mcp.Required(), mcp.MinLength(5), mcp.MaxLength(120), examples("300 555 0199"),
			mcp.Description("El valor nuevo y completo")),
		contract.Output[updateResult](),
		contract.Writes(contract.Destructive, contract.Settles), ownRecords(),
		contract.Tool("actualizar los datos de contacto", contract.ActualizacionDatos),
	)
}

func consultarAgenda() mcp.Tool {
	return mcp.NewTool("consultar_agenda",
		mcp.WithDescription("Lista las visitas técnicas de un cliente con su fecha y su estado, primero las próximas. "+
			"No sirve para programar ni para cancelar."),
		documento(),
		mcp.WithString("estado", mcp.Enum(programmed, attended, cancelled), contract.Nullable(), examples(programmed),
			mcp.Description("Todas si no se indica")),
		limit(), offset(),
		contract.Output[paginate.Page[appointmentResult]](),
		contract.Reads(), ownRecords(),
		contract.Tool("consultar las visitas de un cliente", contract.Agenda, contract.ConsultaEstado),
	)
}

func cancelarCita() mcp.Tool {
	return mcp.NewTool("cancelar_cita",
		mcp.WithDescription("Cancela una visita técnica programada que la persona confirmó que no quiere. "+
			"No sirve para cambiarla de fecha ni para dar de baja el servicio."),
		documento(),
		mcp.WithString("cita", mcp.Required(), mcp.MaxLength(12), examples("V-1042"),
			mcp.Description("Código de la visita, como aparece en la agenda")),
		contract.Output[appointmentResult](),
		contract.Writes(contract.Destructive, contract.Settles), ownRecords(),
		contract.Tool("cancelar una visita", contract.Cancelacion, contract.Agenda),
	)
}
