package middleware

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// labelOf makes words that can be heard of the name of a member: "fecha_cita" is
// "Fecha cita", "direccionEnvio" "Dirección envío". Names are written without
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
	for i, w := range words {
		words[i] = accented(w)
	}
	return capital(strings.Join(words, " "))
}

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
	return word
}

// accents are words that names of members often have.
var accents = map[string]string{
	"ano": "año", "anos": "años", "area": "área", "articulo": "artículo", "avaluo": "avalúo", "categoria": "categoría",
	"clinica": "clínica", "codigo": "código", "compania": "compañía", "contrasena": "contraseña", "credito": "crédito",
	"debito": "débito", "dia": "día", "dias": "días", "diagnostico": "diagnóstico", "electronico": "electrónico",
	"energia": "energía", "envio": "envío", "garantia": "garantía", "limite": "límite", "linea": "línea", "maximo": "máximo",
	"medico": "médico", "metodo": "método", "minimo": "mínimo", "movil": "móvil", "nucleo": "núcleo", "numero": "número",
	"pagina": "página", "pais": "país", "poliza": "póliza", "prestamo": "préstamo", "proximo": "próximo", "proxima": "próxima",
	"publico": "público", "razon": "razón", "region": "región", "tecnico": "técnico", "telefono": "teléfono", "titulo": "título",
	"transito": "tránsito", "ultima": "última", "ultimo": "último", "unico": "único", "vehiculo": "vehículo", "via": "vía",
}
