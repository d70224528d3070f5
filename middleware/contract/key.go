package contract

import "slices"

// Key is a scenario of the agent of Asixto Gateway. A tool is offered to the
// agent in the scenarios that its definition names.
type Key string

// The scenarios.
const (
	ActualizacionDatos    Key = "actualizacion_datos"
	Agenda                Key = "agenda"
	BusquedaWeb           Key = "busqueda_web"
	CambioPlan            Key = "cambio_plan"
	Cancelacion           Key = "cancelacion"
	ConsultaEstado        Key = "consulta_estado"
	Emergencia            Key = "emergencia"
	EncuestasSatisfaccion Key = "encuestas_satisfaccion"
	Facturacion           Key = "facturacion"
	Felicitacion          Key = "felicitacion"
	Garantia              Key = "garantia"
	General               Key = "general"
	InformacionEmpresa    Key = "informacion_empresa"
	InformacionProductos  Key = "informacion_productos"
	InformacionServicios  Key = "informacion_servicios"
	Lead                  Key = "lead"
	Notificaciones        Key = "notificaciones"
	PQR                   Key = "pqr" // peticiones, quejas y reclamos
	Reactivacion          Key = "reactivacion"
	ReclamoCalidad        Key = "reclamo_calidad"
	Renovacion            Key = "renovacion"
	ReporteFraude         Key = "reporte_fraude"
	SeguimientoPostventa  Key = "seguimiento_postventa"
	SolicitudDocumentos   Key = "solicitud_documentos"
	Soporte               Key = "soporte"
	Ventas                Key = "ventas"
)

// Keys returns every scenario, in alphabetical order.
func Keys() []Key {
	return []Key{
		ActualizacionDatos, Agenda, BusquedaWeb, CambioPlan, Cancelacion, ConsultaEstado, Emergencia,
		EncuestasSatisfaccion, Facturacion, Felicitacion, Garantia, General, InformacionEmpresa,
		InformacionProductos, InformacionServicios, Lead, Notificaciones, PQR, Reactivacion, ReclamoCalidad,
		Renovacion, ReporteFraude, SeguimientoPostventa, SolicitudDocumentos, Soporte, Ventas,
	}
}

func (k Key) known() bool { return slices.Contains(Keys(), k) }
