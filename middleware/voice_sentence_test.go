package middleware_test

import (
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// TestVoiceSentences says what is heard of data that came without a text.
func TestVoiceSentences(t *testing.T) {
	t.Parallel()
	h := middleware.Voice(inBogota())
	for _, test := range []struct{ name, data, want string }{
		{"empty page", `{"resultados":[],"total":0,"limit":10,"offset":0}`, "No encontré resultados."},
		{"a nil slice", `{"resultados":null,"total":0,"limit":10,"offset":0}`, "No encontré resultados."},
		{"a nil slice behind the last page", `{"resultados":null,"total":5,"limit":10,"offset":10}`, "No hay más resultados."},
		{"no page", `{"resultados":null,"estado":"activo"}`, "Estado: activo."},
		{"behind the last page", `{"resultados":[],"total":5,"limit":10,"offset":10}`, "No hay más resultados."},
		{"one result", `{"resultados":[{"nombre":"Plan Oro","precio":59900,"moneda":"COP"}],"total":1,"limit":10,"offset":0}`, "Encontré un resultado: Plan Oro, cincuenta y nueve mil novecientos pesos."},
		{"first page", `{"resultados":["a","b","c","d"],"total":148,"limit":10,"offset":0}`, "Encontré ciento cuarenta y ocho resultados. Los primeros tres son: a, b y c."},
		{"first page of one", `{"resultados":["a"],"total":24,"limit":1,"offset":0}`, "Encontré veinticuatro resultados. El primero es: a."},
		{"next page", `{"resultados":["a","b","c","d"],"total":24,"limit":10,"offset":10}`, "Encontré veinticuatro resultados. Los siguientes tres son: a, b y c."},
		{"next page of one", `{"resultados":["a"],"total":24,"limit":1,"offset":3}`, "Encontré veinticuatro resultados. El siguiente es: a."},
		{"last page", `{"resultados":["a","b"],"total":21,"limit":10,"offset":19}`, "Encontré veintiún resultados. Los últimos dos son: a y b."},
		{"last page of one", `{"resultados":["a"],"total":21,"limit":10,"offset":20}`, "Encontré veintiún resultados. El último es: a."},
		{"results that say nothing", `{"resultados":[{"x":{"y":1}},{"x":2}],"total":2}`, "Encontré dos resultados."},
		{"what before where", `{"citas":[{"sede":"Norte","especialidad":"Odontología","fecha":"2026-09-03T09:00:00-05:00"}],"total":1}`, "Encontré un resultado: Odontología, jueves tres de septiembre a las nueve de la mañana."},
		{"a number wins over currency", `{"facturas":[{"numero":"F-1","valor":1,"moneda":"COP","fecha_vencimiento":"2027-01-01"},{"numero":"F-2","valor":-1,"moneda":"USD"}]}`, "Encontré dos resultados: efe, uno, un peso, viernes primero de enero de dos mil veintisiete; y efe, dos, menos un dólar."},
		{"record", `{"cliente":{"nombre":"Ana","saldo":100,"moneda":"COP"},"direccion":"Cra 7 # 12-34 apto 501"}`, "Cliente: Ana, cien pesos. Dirección: carrera siete número doce treinta y cuatro apartamento quinientos uno."},
		{"labels that are tied", `{"hora_inicio":"09:00","fechaVencimiento":"2026-09-03","direccionEnvio":"Norte","fecha_limite":"2026-09-04","valor_total":3}`, "Hora de inicio: las nueve de la mañana. Fecha de vencimiento: jueves tres de septiembre. Dirección de envío: Norte. Fecha límite: viernes cuatro de septiembre. Valor total: tres."},
		{"labels in the plural", `{"telefonos":[1],"codigosPostales":[2],"paises":[3],"regiones":[4],"dias":[5]}`, "Teléfonos: uno. Códigos postales: dos. Países: tres. Regiones: cuatro. Días: cinco."},
		{"feminine", `{"personas":1,"horas_extra":21,"habitaciones":31,"dias":1,"programas":21}`, "Personas: una. Horas extra: veintiuna. Habitaciones: treinta y una. Días: uno. Programas: veintiuno."},
		{"prose first", `{"mensaje":"Su cita quedó lista","cita_id":"C-9","fecha":"2026-01-01"}`, "Su cita quedó lista. Fecha: jueves primero de enero."},
		{"acronym", `{"iva":"19%"}`, "Iva: diecinueve por ciento."},
		{"English names", `{"status":"activo","balance":"1500000.00","currency":"USD"}`, "Estado: activo. Saldo: un millón quinientos mil dólares."},
		{"another zone", `{"fecha":"2026-09-03T23:30:00Z","hora":"2026-09-03T23:30:00+09:00"}`, "Fecha: jueves tres de septiembre a las seis y media de la tarde. Hora: jueves tres de septiembre a las nueve y media de la mañana."},
		{"yes and no", `{"confirmada":true,"cancelada":false}`, "Confirmada: sí. Cancelada: no."},
		{"for programs", `{"limit":10,"offset":0,"total":"148","ok":true}`, "Total: ciento cuarenta y ocho."},
		{"all went well", `{"ok":true}`, "Listo."},
		{"only links", `{"archivo":"informe.pdf","enlace":"https://x.co/a","correo":"a@b.co"}`, "Listo."},
		{"nothing", `{}`, "Listo."},
		{"null", `null`, "Listo."},
		{"a number", `5`, "Cinco."},
		{"a list", `[1]`, "Encontré un resultado: uno."},
		{"an empty list", `[]`, "No encontré resultados."},
		{"deep", `{"datos":{"a":{"b":{"c":1}}},"lista":[[1,2],[3]]}`, "Listo."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := &mcp.CallToolResult{RawStructuredContent: []byte(test.data)}
			if got := callTool(t, reads(""), onVoice, returns(res), h).text(); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.data, got, test.want)
			}
		})
	}
}
