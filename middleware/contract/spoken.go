package contract

import (
	"slices"
	"strings"
)

// textSuffix is added to the name of a field for the words in which it is said.
const textSuffix = "_texto"

// annotation is the keyword with which a schema says what a field is; its values
// are those that middleware.Voice reads: money, date, phone, digits, skip.
const annotation = "x-portavoz"

// spoken is a kind of field that is said otherwise than it is written.
type spoken int

const (
	asWritten spoken = iota
	aDate
	anAmount
)

// Words of field names, whole and in the singular, as middleware.Voice reads them.
// A date or a time is known by its words alone; an amount only if its object, or one around
// it, names a currency, and no word makes it a count.
const (
	dateWords   = " fecha date datetime vencimiento vence plazo timestamp deadline nacimiento hora hour inicio fin start end "
	amountWords = " precio precios valor monto importe saldo costo coste tarifa cuota pago pagar pagado adeudado " +
		"deuda abono cargo recargo multa subtotal salario sueldo presupuesto price amount cost fee " +
		"balance payment charge fare salary budget owed due paid "
	countWords = " limit limite offset page pagina cantidad count conteo numero num nro no dia dias mes meses ano " +
		"anos semana semanas hora horas minuto minutos plazo veces unidades stock puntos porcentaje " +
		"percent percentage tasa rate id uuid codigo code referencia orden nivel metodo forma medio tipo " +
		"type estado status fecha date day days month months year years quantity units number points " +
		"times method "
	currencyNames = " moneda divisa currency currencycode codigomoneda "
)

// spokenKind is how a field of an object is said: by its annotation, then its
// format, then its name.
func spokenKind(name string, object node) spoken {
	properties, _ := object.schema["properties"].(map[string]any)
	field, ok := properties[name].(map[string]any)
	if !ok || strings.HasSuffix(name, textSuffix) {
		return asWritten
	}
	switch field[annotation] {
	case "date":
		return aDate
	case "money":
		return anAmount
	case nil:
	default:
		return asWritten
	}
	if isType(field, "string") && (field["format"] == "date" || field["format"] == "date-time") {
		return aDate
	}
	if fixed(field) {
		return asWritten
	}
	words := nameWords(name)
	named := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return among(list, w) })
	}
	isText := isType(field, "string")
	switch {
	case isText && field["format"] == nil && (named(dateWords) || len(words) > 1 && words[len(words)-1] == "at"):
		return aDate
	case (isText || isType(field, "number") || isType(field, "integer")) &&
		named(amountWords) && !named(countWords) && namesCurrency(&object):
		return anAmount
	}
	return asWritten
}

func namesCurrency(object *node) bool {
	for ; object != nil; object = object.up {
		properties, _ := object.schema["properties"].(map[string]any)
		for name := range properties {
			if among(currencyNames, squeeze(name)) {
				return true
			}
		}
	}
	return false
}
