package voice

// cues are the words before a number that decide how it is said, in lower case.
// Words that name several kinds of numbers are left out: a number that is said
// as a number is understood, a year said digit by digit is not.
var cues = map[string]cueWord{
	// What may stand between.
	"de": {cue: cueLink}, "del": {cue: cueDay}, "el": {cue: cueDay}, "la": {cue: cueLink}, "al": {cue: cueDay},
	"es": {cue: cueLink}, "su": {cue: cueLink}, "a": {cue: cueLink}, "en": {cue: cueLink}, "o": {cue: cueLink},
	"verificación": {cue: cueLink}, "verificacion": {cue: cueLink}, "seguridad": {cue: cueLink}, "acceso": {cue: cueLink},
	"confirmación": {cue: cueLink}, "confirmacion": {cue: cueLink}, "ciudadanía": {cue: cueLink}, "ciudadania": {cue: cueLink},
	"extranjería": {cue: cueLink}, "identidad": {cue: cueLink}, "identificación": {cue: cueLink}, "ahorros": {cue: cueLink},
	"ahorro": {cue: cueLink}, "corriente": {cue: cueLink}, "activación": {cue: cueLink}, "descuento": {cue: cueLink},
	"atención": {cue: cueLink}, "atencion": {cue: cueLink}, "servicio": {cue: cueLink}, "gratuita": {cue: cueLink},
	"nacional": {cue: cueLink}, "contacto": {cue: cueLink}, "temporal": {cue: cueLink}, "siguiente": {cue: cueLink},
	"único": {cue: cueLink}, "crédito": {cue: cueLink}, "débito": {cue: cueLink}, "postal": {cue: cueLink},
	"compra": {cue: cueLink}, "barras": {cue: cueLink}, "rastreo": {cue: cueLink}, "seguimiento": {cue: cueLink},

	"número": {cue: cueChoice}, "numero": {cue: cueChoice}, "núm": {cue: cueChoice}, "nro": {cue: cueChoice},
	"no": {cue: cueChoice}, "n": {cue: cueChoice},

	"día": {cue: cueDay}, "hasta": {cue: cueDay}, "desde": {cue: cueDay}, "fecha": {cue: cueDay}, "vence": {cue: cueDay},

	// Codes.
	"código": {cue: cueCode}, "codigo": {cue: cueCode}, "cód": {cue: cueCode}, "cod": {cue: cueCode}, "pin": {cue: cueCode},
	"nip": {cue: cueCode}, "clave": {cue: cueCode}, "contraseña": {cue: cueCode}, "otp": {cue: cueCode}, "token": {cue: cueCode},
	"radicado": {cue: cueCode}, "radicación": {cue: cueCode}, "rad": {cue: cueCode}, "cvv": {cue: cueCode}, "cvc": {cue: cueCode},
	"serial": {cue: cueCode}, "imei": {cue: cueCode}, "cupón": {cue: cueCode}, "autorización": {cue: cueCode},
	"terminada": {cue: cueCode}, "terminado": {cue: cueCode}, "terminación": {cue: cueCode}, "termina": {cue: cueCode},
	"cp": {cue: cueCode}, "clabe": {cue: cueCode}, "cbu": {cue: cueCode}, "cci": {cue: cueCode}, "iban": {cue: cueCode},
	"localizador": {cue: cueCode},

	// Documents.
	"cédula": {cueDocument, DocCedula}, "cedula": {cueDocument, DocCedula}, "cc": {cueDocument, DocCedula},
	"ci": {cueDocument, DocCedula}, "ti": {cueDocument, DocCedula}, "ce": {cueDocument, DocCedula},
	"nit": {cueDocument, DocNIT}, "rut": {cueDocument, DocRUT}, "rfc": {cueDocument, DocRFC}, "curp": {cueDocument, DocCURP},
	"dni": {cueDocument, DocDNI}, "nie": {cueDocument, DocNIE}, "cuit": {cueDocument, DocCUIT}, "cuil": {cueDocument, DocCUIL},
	"ruc": {cueDocument, DocRUC}, "rif": {cueDocument, DocRIF}, "dui": {cueDocument, DocDUI}, "dpi": {cueDocument, DocDPI},
	"rtn": {cueDocument, DocRTN}, "pasaporte": {cueDocument, DocPassport}, "placa": {cueDocument, DocPlate},
	"placas": {cueDocument, DocPlate}, "patente": {cueDocument, DocPlate}, "matrícula": {cueDocument, DocPlate},

	// References.
	"factura": {cue: cueReference}, "pedido": {cue: cueReference}, "orden": {cue: cueReference}, "ticket": {cue: cueReference},
	"tiquete": {cue: cueReference}, "caso": {cue: cueReference}, "guía": {cue: cueReference}, "guia": {cue: cueReference},
	"referencia": {cue: cueReference}, "ref": {cue: cueReference}, "contrato": {cue: cueReference}, "póliza": {cue: cueReference},
	"poliza": {cue: cueReference}, "cuenta": {cue: cueReference}, "expediente": {cue: cueReference}, "folio": {cue: cueReference},
	"solicitud": {cue: cueReference}, "reserva": {cue: cueReference}, "reservación": {cue: cueReference},
	"cliente": {cue: cueReference}, "usuario": {cue: cueReference}, "suscriptor": {cue: cueReference}, "tarjeta": {cue: cueReference},
	"trámite": {cue: cueReference}, "reporte": {cue: cueReference}, "recibo": {cue: cueReference}, "comprobante": {cue: cueReference},
	"transacción": {cue: cueReference}, "reclamo": {cue: cueReference}, "queja": {cue: cueReference}, "boleta": {cue: cueReference},
	"cotización": {cue: cueReference}, "remisión": {cue: cueReference}, "afiliado": {cue: cueReference}, "vuelo": {cue: cueReference},

	// Phones.
	"teléfono": {cue: cuePhone}, "telefono": {cue: cuePhone}, "teléfonos": {cue: cuePhone}, "tel": {cue: cuePhone},
	"tels": {cue: cuePhone}, "celular": {cue: cuePhone}, "cel": {cue: cuePhone}, "móvil": {cue: cuePhone}, "movil": {cue: cuePhone},
	"whatsapp": {cue: cuePhone}, "línea": {cue: cuePhone}, "linea": {cue: cuePhone}, "fax": {cue: cuePhone}, "pbx": {cue: cuePhone},
	"conmutador": {cue: cuePhone}, "llame": {cue: cuePhone}, "llamar": {cue: cuePhone}, "llama": {cue: cuePhone},
	"llámenos": {cue: cuePhone}, "llámanos": {cue: cuePhone}, "llamando": {cue: cuePhone}, "marque": {cue: cuePhone},
	"marca": {cue: cuePhone}, "marcar": {cue: cuePhone}, "marcando": {cue: cuePhone}, "comuníquese": {cue: cuePhone},
	"comunícate": {cue: cuePhone}, "comunicarse": {cue: cuePhone}, "escríbanos": {cue: cuePhone}, "fijo": {cue: cuePhone},
	"ext": {cue: cueExtension}, "extensión": {cue: cueExtension}, "extension": {cue: cueExtension}, "interno": {cue: cueExtension},

	// Streets, in full and shortened (Instituto Geográfico Agustín Codazzi, nomenclatura vial).
	"calle": {cue: cueStreet}, "cl": {cue: cueStreet}, "cll": {cue: cueStreet}, "carrera": {cue: cueStreet}, "cra": {cue: cueStreet},
	"cr": {cue: cueStreet}, "kr": {cue: cueStreet}, "kra": {cue: cueStreet}, "crr": {cue: cueStreet}, "avenida": {cue: cueStreet},
	"av": {cue: cueStreet}, "avda": {cue: cueStreet}, "ave": {cue: cueStreet}, "diagonal": {cue: cueStreet}, "dg": {cue: cueStreet},
	"diag": {cue: cueStreet}, "transversal": {cue: cueStreet}, "tv": {cue: cueStreet}, "transv": {cue: cueStreet},
	"circular": {cue: cueStreet}, "autopista": {cue: cueStreet}, "ak": {cue: cueStreet}, "ac": {cue: cueStreet},

	// One of several.
	"opción": {cue: cueChoice}, "opcion": {cue: cueChoice}, "oprima": {cue: cueChoice}, "presione": {cue: cueChoice},
	"digite": {cue: cueChoice}, "pulse": {cue: cueChoice}, "piso": {cue: cueChoice}, "nivel": {cue: cueChoice},
	"página": {cue: cuePart}, "pág": {cue: cueChoice}, "versión": {cue: cueChoice}, "paso": {cue: cuePart}, "fase": {cue: cueChoice},
	"etapa": {cue: cueChoice}, "tipo": {cue: cueChoice}, "grado": {cue: cueChoice}, "capítulo": {cue: cueChoice},
	"artículo": {cue: cueChoice}, "art": {cue: cueChoice}, "sala": {cue: cueChoice}, "consultorio": {cue: cueChoice},
	"puerta": {cue: cueChoice}, "torre": {cue: cueChoice}, "bloque": {cue: cueChoice}, "casa": {cue: cueChoice},
	"apartamento": {cue: cueChoice}, "apto": {cue: cueChoice}, "interior": {cue: cueChoice}, "int": {cue: cueChoice},
	"oficina": {cue: cueChoice}, "of": {cue: cueChoice}, "local": {cue: cueChoice}, "bodega": {cue: cueChoice},
	"lote": {cue: cueChoice}, "manzana": {cue: cueChoice}, "mz": {cue: cueChoice}, "caja": {cue: cueChoice},
	"ventanilla": {cue: cueChoice}, "módulo": {cue: cueChoice}, "turno": {cue: cueChoice}, "mesa": {cue: cueChoice},
	"habitación": {cue: cueChoice}, "cama": {cue: cueChoice}, "estrato": {cue: cueChoice}, "categoría": {cue: cueChoice},
	"zona": {cue: cueChoice}, "ruta": {cue: cueChoice}, "talla": {cue: cueChoice}, "anexo": {cue: cueExtension},
	"kilómetro": {cue: cueChoice}, "km": {cue: cueChoice},

	// Parts of a whole, and pressures.
	"cuota": {cue: cuePart}, "intento": {cue: cuePart}, "parte": {cue: cuePart}, "pregunta": {cue: cuePart}, "ciclo": {cue: cuePart},
	"presión": {cue: cuePressure}, "tensión": {cue: cuePressure}, "arterial": {cue: cuePressure},

	// Roman numerals.
	"siglo": {cue: cueRoman}, "siglos": {cue: cueRoman}, "tomo": {cue: cueRoman}, "volumen": {cue: cueRoman},
	"título": {cue: cueRoman},
}
