package voice

// cues are the words before a number that decide how it is said, in lower case
// and in full: abbreviations count as what they stand for.
// Words that name several kinds of numbers are left out: a number that is said
// as a number is understood, a year said digit by digit is not.
var cues = map[string]cueWord{
	// What may stand between.
	"de": {cue: cueLink}, "del": {cue: cueLink, day: true}, "el": {cue: cueLink, day: true}, "la": {cue: cueLink}, "al": {cue: cueLink, day: true},
	"las": {cue: cueLink}, "los": {cue: cueLink},
	"es": {cue: cueLink}, "su": {cue: cueLink}, "a": {cue: cueLink}, "en": {cue: cueLink}, "o": {cue: cueLink},
	"verificación": {cue: cueLink}, "verificacion": {cue: cueLink}, "seguridad": {cue: cueLink}, "acceso": {cue: cueLink},
	"confirmación": {cue: cueLink}, "confirmacion": {cue: cueLink}, "ciudadanía": {cue: cueLink}, "ciudadania": {cue: cueLink},
	"extranjería": {cue: cueLink}, "identidad": {cue: cueLink}, "identificación": {cue: cueLink}, "ahorros": {cue: cueLink},
	"ahorro": {cue: cueLink}, "corriente": {cue: cueLink}, "activación": {cue: cueLink}, "descuento": {cue: cueLink},
	"atención": {cue: cueLink}, "atencion": {cue: cueLink}, "servicio": {cue: cueLink}, "gratuita": {cue: cueLink},
	"nacional": {cue: cueLink}, "contacto": {cue: cueLink}, "temporal": {cue: cueLink}, "siguiente": {cue: cueLink},
	"único": {cue: cueLink}, "crédito": {cue: cueLink}, "débito": {cue: cueLink}, "postal": {cue: cueLink},
	"compra": {cue: cueLink}, "barras": {cue: cueLink}, "error": {cue: cueLink}, "producto": {cue: cueLink}, "rastreo": {cue: cueLink}, "seguimiento": {cue: cueLink},

	"número": {cue: cueChoice}, "números": {cue: cueChoice}, "numero": {cue: cueChoice},
	"n": {cue: cueChoice},

	"día": {day: true}, "hasta": {day: true}, "desde": {day: true}, "fecha": {day: true}, "vence": {day: true}, "vencimiento": {day: true},

	// Codes.
	"código": {cue: cueCode}, "codigo": {cue: cueCode}, "pin": {cue: cueCode},
	"nip": {cue: cueCode}, "clave": {cue: cueCode}, "contraseña": {cue: cueCode}, "otp": {cue: cueCode}, "token": {cue: cueCode},
	"radicado": {cue: cueCode}, "radicación": {cue: cueCode}, "cvv": {cue: cueCode}, "cvc": {cue: cueCode},
	"serial": {cue: cueCode}, "imei": {cue: cueCode}, "cupón": {cue: cueCode}, "autorización": {cue: cueCode},
	"terminada": {cue: cueCode}, "terminado": {cue: cueCode}, "terminación": {cue: cueCode}, "termina": {cue: cueCode},
	"cp": {cue: cueCode}, "clabe": {cue: cueCode}, "cbu": {cue: cueCode}, "cci": {cue: cueCode}, "iban": {cue: cueCode},
	"localizador": {cue: cueCode},

	// Documents.
	"cédula": {cue: cueDocument, kind: DocCedula}, "cedula": {cue: cueDocument, kind: DocCedula}, "cc": {cue: cueDocument, kind: DocCedula},
	"ci": {cue: cueDocument, kind: DocCedula}, "ti": {cue: cueDocument, kind: DocCedula}, "ce": {cue: cueDocument, kind: DocCedula},
	"nit": {cue: cueDocument, kind: DocNIT}, "rut": {cue: cueDocument, kind: DocRUT}, "rfc": {cue: cueDocument, kind: DocRFC}, "curp": {cue: cueDocument, kind: DocCURP},
	"dni": {cue: cueDocument, kind: DocDNI}, "nie": {cue: cueDocument, kind: DocNIE}, "cuit": {cue: cueDocument, kind: DocCUIT}, "cuil": {cue: cueDocument, kind: DocCUIL},
	"ruc": {cue: cueDocument, kind: DocRUC}, "rif": {cue: cueDocument, kind: DocRIF}, "dui": {cue: cueDocument, kind: DocDUI}, "dpi": {cue: cueDocument, kind: DocDPI},
	"rtn": {cue: cueDocument, kind: DocRTN}, "pasaporte": {cue: cueDocument, kind: DocPassport}, "placa": {cue: cueDocument, kind: DocPlate},
	"placas": {cue: cueDocument, kind: DocPlate}, "patente": {cue: cueDocument, kind: DocPlate}, "matrícula": {cue: cueDocument, kind: DocPlate},

	// References.
	"factura": {cue: cueReference}, "pedido": {cue: cueReference}, "orden": {cue: cueReference}, "ticket": {cue: cueReference},
	"tiquete": {cue: cueReference}, "caso": {cue: cueReference}, "guía": {cue: cueReference}, "guia": {cue: cueReference},
	"referencia": {cue: cueReference}, "contrato": {cue: cueReference}, "póliza": {cue: cueReference},
	"poliza": {cue: cueReference}, "cuenta": {cue: cueReference}, "expediente": {cue: cueReference}, "folio": {cue: cueReference},
	"solicitud": {cue: cueReference}, "reserva": {cue: cueReference}, "reservación": {cue: cueReference},
	"cliente": {cue: cueReference}, "usuario": {cue: cueReference}, "suscriptor": {cue: cueReference}, "tarjeta": {cue: cueReference},
	"trámite": {cue: cueReference}, "reporte": {cue: cueReference}, "recibo": {cue: cueReference}, "comprobante": {cue: cueReference},
	"transacción": {cue: cueReference}, "reclamo": {cue: cueReference}, "queja": {cue: cueReference}, "boleta": {cue: cueReference},
	"cotización": {cue: cueReference}, "remisión": {cue: cueReference}, "afiliado": {cue: cueReference}, "vuelo": {cue: cueReference},

	// Phones.
	"teléfono": {cue: cuePhone}, "telefono": {cue: cuePhone}, "teléfonos": {cue: cuePhone},
	"celular": {cue: cuePhone}, "móvil": {cue: cuePhone}, "movil": {cue: cuePhone},
	"whatsapp": {cue: cuePhone}, "línea": {cue: cuePhone}, "linea": {cue: cuePhone}, "fax": {cue: cuePhone}, "pbx": {cue: cuePhone},
	"conmutador": {cue: cuePhone}, "llame": {cue: cuePhone}, "llamar": {cue: cuePhone}, "llama": {cue: cuePhone},
	"llámenos": {cue: cuePhone}, "llámanos": {cue: cuePhone}, "llamando": {cue: cuePhone}, "marque": {cue: cuePhone},
	"marca": {cue: cuePhone}, "marcar": {cue: cuePhone}, "marcando": {cue: cuePhone}, "comuníquese": {cue: cuePhone},
	"comunícate": {cue: cuePhone}, "comunicarse": {cue: cuePhone}, "escríbanos": {cue: cuePhone}, "fijo": {cue: cuePhone},
	"extensión": {cue: cueExtension}, "extension": {cue: cueExtension}, "interno": {cue: cueExtension},

	// Streets.
	"calle": {cue: cueStreet}, "carrera": {cue: cueStreet}, "avenida": {cue: cueStreet}, "diagonal": {cue: cueStreet},
	"transversal": {cue: cueStreet}, "circular": {cue: cueStreet}, "autopista": {cue: cueStreet},

	// One of several.
	"opción": {cue: cueChoice}, "opcion": {cue: cueChoice}, "oprima": {cue: cueChoice}, "presione": {cue: cueChoice},
	"digite": {cue: cueChoice}, "pulse": {cue: cueChoice}, "piso": {cue: cueChoice}, "nivel": {cue: cueChoice, roman: true},
	"página": {cue: cuePart}, "versión": {cue: cueChoice}, "paso": {cue: cuePart}, "fase": {cue: cueChoice, roman: true},
	"etapa": {cue: cueChoice, roman: true}, "tipo": {cue: cueChoice, roman: true}, "grado": {cue: cueChoice, roman: true}, "capítulo": {cue: cueChoice, roman: true},
	"artículo": {cue: cueChoice, roman: true}, "sala": {cue: cueChoice}, "consultorio": {cue: cueChoice},
	"puerta": {cue: cueChoice}, "torre": {cue: cueChoice}, "bloque": {cue: cueChoice}, "casa": {cue: cueChoice},
	"apartamento": {cue: cueChoice}, "interior": {cue: cueChoice},
	"oficina": {cue: cueChoice}, "local": {cue: cueChoice}, "bodega": {cue: cueChoice},
	"lote": {cue: cueChoice}, "manzana": {cue: cueChoice}, "caja": {cue: cueChoice},
	"ventanilla": {cue: cueChoice}, "módulo": {cue: cueChoice}, "turno": {cue: cueChoice}, "mesa": {cue: cueChoice},
	"habitación": {cue: cueChoice}, "cama": {cue: cueChoice}, "estrato": {cue: cueChoice}, "categoría": {cue: cueChoice, roman: true},
	"zona": {cue: cueChoice}, "ruta": {cue: cueChoice}, "talla": {cue: cueChoice}, "anexo": {cue: cueExtension},
	"kilómetro": {cue: cueChoice},

	// Parts of a whole, and pressures.
	"cuota": {cue: cuePart}, "intento": {cue: cuePart}, "parte": {cue: cuePart}, "pregunta": {cue: cuePart}, "ciclo": {cue: cuePart},
	"presión": {cue: cuePressure}, "tensión": {cue: cuePressure}, "arterial": {cue: cuePressure},

	// Roman numerals.
	"siglo": {cue: cueRoman}, "siglos": {cue: cueRoman}, "s": {cue: cueRoman}, "tomo": {cue: cueRoman}, "volumen": {cue: cueRoman},
	"título": {cue: cueRoman},
}
