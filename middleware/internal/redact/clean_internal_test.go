package redact

import "testing"

// cleanTexts are what people are told. None of them is internal and none
// of them is touched.
var cleanTexts = []string{
	"",
	"Listo.",
	"No encontré una cita con esos datos.",
	"Error: no encontramos su factura. Verifique el número.",
	"Error 404: la página que busca no existe.",
	"Error 1: el documento ya está registrado.",
	"Error de validación: el campo correo es obligatorio.",
	"Su factura CC1032456 vence el 15/09/2026 y su valor es de $ 89.900.",
	"Radicado RAD-2026-000123. Guárdelo para consultar el estado.",
	"Su cita quedó para el jueves 3 de septiembre de 2026 a las 9:30 a. m.",
	"El técnico llegará entre las 08:00 y las 12:00.",
	"La dirección registrada es Cra. 45 # 12-30, apto 501, Bogotá D.C.",
	"Calle 100 No. 8A-55, torre C; Medellín, Antioquia.",
	"Escríbanos a soporte@ejemplo.com o a ana.gomez+ventas@mi-empresa.com.co.",
	"Llámenos al 601 555 1234, al +57 300 123 4567 o al (604) 444-4444.",
	"Visite https://www.ejemplo.com/pagos?ref=12345&plan=hogar para pagar.",
	"Restablezca su contraseña: https://portal.ejemplo.com/recuperar",
	"El plan Fibra Hogar 300 cuesta 89.900 pesos al mes, IVA incluido.",
	"Saldo: $ 1.250.000,50. Mínimo a pagar: $ 10.200.300.",
	"El total es $10.120.150.200 y el abono fue de $ 10.100.100.100.",
	"Versión 10.0.1 de la aplicación; actualice a la 10.2.0.",
	"La versión v10.0.0.1 corrige el problema. También la 1.10.0.0.1.",
	"Las direcciones 8.8.8.8 y 1.1.1.1:53 son públicas, como 172.32.0.1 y 100.128.0.1.",
	"La dirección 2800:484:fd12:3400::1 es pública.",
	"Su clave: la que usted eligió al registrarse.",
	"Contraseña: debe tener mínimo 8 caracteres, una mayúscula y un número.",
	"Contraseña: mínimo 8 caracteres.",
	"Clave: 4 dígitos, sin repetir.",
	"Clave incorrecta. Le quedan 2 intentos.",
	"Clave: vencida.",
	"Contraseña: inválida, intente de nuevo.",
	"Contraseña de acceso: incorrecta",
	"Token: expirado",
	"Palabra clave: fibra",
	"Dato clave: 300 megas por el mismo precio.",
	"Fecha clave: 15 de agosto de 2026.",
	"Nunca comparta su clave, su token ni su contraseña.",
	"Le enviamos un código de verificación: 482913.",
	"El secreto: pagar a tiempo.",
	"Estado del token de pago: aprobado por el banco.",
	"Campo token: no es válido.",
	"password: must be at least 8 characters",
	"Authorization: falta el encabezado.",
	"Bearer authentication is required",
	`WWW-Authenticate: Bearer realm="mcp", error="invalid_token"`,
	"Use Authorization: Bearer <token>.",
	`{"token": null, "password": "", "secret": true, "next_page_token": "abc123"}` + "\n",
	"tokens: 1500, max_tokens: 200",
	"Clave: ********",
	"Plan Basic 200 y plan Premium 500; el Basic no incluye televisión.",
	"ASIATICA SAS tiene NIT 900.123.456-7.",
	"AKIA es el prefijo; AKIACORTA no es una llave y AKIAABCDEFGHIJKLMNOPQRST tampoco.",
	"El modelo SK-II y la referencia sk-200 están agotados.",
	"SG. Bogotá, 3 de mayo. EAA es una sigla. hf_corto también.",
	"eyJ no es nada, ni eyJhbGci, ni eyJmb28iOiJiYXIifQ.eyJmb28iOiJiYXIifQ.firma.",
	"-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----",
	"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYI\n-----END PUBLIC KEY-----",
	"Abrimos a las 10:30. Ruta: /usr/local/bin. Archivo: informe.local.pdf",
	"Vivo en el barrio.Local 12, al lado del C.C. Internal.",
	"Escriba a ana.local@ejemplo.com o a maria.internal@ejemplo.com.",
	"El campo 'token': no es válido. `clave`: obligatoria.",
	"El correo es soporte@local y el sitio www.localhost.com.",
	"Hotel internal.example.com, db.local.example.com.",
	"localhost es un nombre reservado.",
	"postgres://servidor.ejemplo.com/base no lleva clave.",
	"https://usuario@ejemplo.com/ruta y https://ejemplo.com:443/@usuario",
	"Agende en https://ejemplo.com:8443\nana@ejemplo.com",
	"Nivel: 3/5. Proporción 16:9. Código: 00:1A:2B:3C:4D:5E.",
	"fe: 10, Fede: presente, café: 2, fd: no.",
	"Internet fijo 300/150 Mbps, señal -65 dBm, serie ZTEGC8A1B2C3.",
	"El pago fue rechazado por el banco (código 51: fondos insuficientes).",
	"Atención de lunes a viernes de 8:00 a. m. a 5:00 p. m.; sábados hasta las 12 m.",
	"¿Desea continuar? Responda sí o no.",
	"«No se preocupe», dijo el asesor: “su caso ya está resuelto”.",
	"Gracias por su compra 🎉❤️ ¡lo esperamos!",
	"50% de descuento en los primeros 3 meses; 100%!",
	"Seleccione una opción: 1) pagar, 2) consultar, 3) salir.",
	"Su caso se actualizará; update del set top box: mañana.",
	"Select Plus es nuestro mejor plan, y From Home el más barato.",
	"a < b y b > c; tengo <3 por usted.",
	"La clave WiFi está en la etiqueta del módem.",
	"Compramos 2x3, 0x12 y 10x20 unidades.",
	"El servicio estará disponible ahora-01 y en la hora-0600.",
	"Aviso a todos: mañana no hay servicio. At. 24 horas.",
	"Botón de pánico: instalado. panic: no lo oprima sin necesidad.",
	"Falla en Stack: revise. Excepción: los domingos.",
	"Curso de SQL: módulo 1. Redis: módulo 2.",
	"El archivo main.go no se encontró.",
	"Pague en Efecty convenio 112233, referencia 4455667788.",
	"Contrato No. 123-2026-A; póliza AB-12.345.678-9; placa ABC123.",
	"UUID 3f2504e0-4f89-11d3-9a0c-0305e82c3301.",
	"Clave dinámica: consúltela en la aplicación.",
	Placeholder,
	"Su dato es " + Placeholder + ", no lo comparta.",
	"password: " + Placeholder,
}

func TestRedactTextLeavesAlone(t *testing.T) {
	t.Parallel()
	for _, s := range cleanTexts {
		if got, found := Text(s); got != s || found != 0 {
			t.Errorf("Text(%q)\n= %q, %d; want it unchanged", s, got, found)
		}
	}
}

//nolint:paralleltest // AllocsPerRun counts those of the whole process
func TestRedactTextCleanCostsNothing(t *testing.T) {
	for _, s := range cleanTexts {
		if s == "Gracias por su compra 🎉❤️ ¡lo esperamos!" { // the heart has a variation selector
			continue
		}
		if n := testing.AllocsPerRun(10, func() { Text(s) }); n != 0 {
			t.Errorf("Text(%q): %v allocations, want 0", s, n)
		}
	}
}
