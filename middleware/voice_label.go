package middleware

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// labelOf makes words that can be heard of the name of a member: "fecha_cita" is
// "Fecha de cita", "direccionEnvio" "Dirección de envío". Names are written without
// accents, and a voice would stress them wrong.
func labelOf(name string) string {
	var b strings.Builder
	small := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && small:
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.Fields(b.String())
	if len(words) == 1 && english[words[0]] != "" {
		return capital(english[words[0]])
	}
	tied := len(words) > 1 && isWordOf(headWords, words[0]) && isComplement(words[1], words[0] == "numero")
	for i, w := range words {
		words[i] = accented(w)
	}
	if tied {
		words[0] += " de"
	}
	return capital(strings.Join(words, " "))
}

// headWords are nouns that names of members begin with, and which other nouns follow
// without the preposition that ties them.
const headWords = " fecha hora numero tipo nombre direccion estado valor medio metodo forma codigo lugar motivo plazo dia correo telefono sede "

// complementWords are nouns that follow them; those in -ción, -sión and -miento are
// too many to be listed. An adjective is none: fecha límite, valor total.
const complementWords = " pago inicio fin entrega envio cita corte registro documento cliente pedido factura cuenta contrato caso radicado " +
	"producto servicio compra venta visita llegada salida entrada cierre apertura ingreso retiro contacto reserva orden guia cuota solicitud respuesta " +
	"empresa paciente medico usuario consulta prestamo credito poliza seguro vehiculo cobro recibo plan "

func isComplement(word string, counted bool) bool {
	return isWordOf(complementWords, word) || counted && strings.HasSuffix(word, "s") || strings.HasSuffix(word, "cion") || strings.HasSuffix(word, "sion") || strings.HasSuffix(word, "miento")
}

// isFeminine reports whether the name of a member counts feminine things: "cuotas",
// "horas_extra". In Spanish "una" and "veintiuna" agree with them.
func isFeminine(name string) bool {
	var parts [maxNameWords]string
	words := nameWords(parts[:0], name)
	if len(words) == 0 {
		return false
	}
	word := words[0]
	for _, end := range [...]string{"ciones", "siones", "dades", "tudes"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	if isWordOf(feminines, word) {
		return true
	}
	return strings.HasSuffix(word, "as") && word != "dias" && word != "mapas" && word != "mas" &&
		!strings.HasSuffix(word, "emas") && !strings.HasSuffix(word, "amas")
}

// feminines are plurals that do not end like it.
const feminines = " noches veces clases partes tardes llaves redes sedes mujeres imagenes ordenes "

// capital begins a text with a capital.
func capital(s string) string {
	first, width := utf8.DecodeRuneInString(s)
	if s == "" {
		return ""
	}
	return string(unicode.ToUpper(first)) + s[width:]
}

// accented puts the accent on a word that has one.
func accented(word string) string {
	if stem, ok := strings.CutSuffix(word, "cion"); ok {
		return stem + "ción"
	}
	if stem, ok := strings.CutSuffix(word, "sion"); ok {
		return stem + "sión"
	}
	if right := accents[word]; right != "" {
		return right
	}
	if one, many := strings.CutSuffix(word, "s"); many && accents[one] != "" { // the stress stays where it is
		return accents[one] + "s"
	}
	return word
}

// english are labels of members that are named in English, as many are.
var english = map[string]string{
	"address": "dirección", "amount": "monto", "balance": "saldo", "city": "ciudad", "date": "fecha", "description": "descripción",
	"email": "correo", "name": "nombre", "phone": "teléfono", "price": "precio", "quantity": "cantidad", "reason": "motivo",
	"status": "estado", "time": "hora",
}

// accents are words that names of members often have.
var accents = map[string]string{
	"ano": "año", "anos": "años", "area": "área", "articulo": "artículo", "avaluo": "avalúo", "categoria": "categoría",
	"clinica": "clínica", "codigo": "código", "compania": "compañía", "contrasena": "contraseña", "credito": "crédito",
	"debito": "débito", "dia": "día", "dias": "días", "diagnostico": "diagnóstico", "electronico": "electrónico",
	"energia": "energía", "envio": "envío", "garantia": "garantía", "limite": "límite", "linea": "línea", "maximo": "máximo",
	"medico": "médico", "metodo": "método", "minimo": "mínimo", "movil": "móvil", "nucleo": "núcleo", "numero": "número",
	"pagina": "página", "pais": "país", "paises": "países", "poliza": "póliza", "prestamo": "préstamo", "proximo": "próximo", "proxima": "próxima",
	"publico": "público", "razon": "razón", "region": "región", "tecnico": "técnico", "telefono": "teléfono", "titulo": "título",
	"eps": "EPS", "guia": "guía", "iva": "IVA", "nit": "NIT", "soat": "SOAT",
	"transito": "tránsito", "ultima": "última", "ultimo": "último", "unico": "único", "vehiculo": "vehículo", "via": "vía",
}
