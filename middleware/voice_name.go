package middleware

import (
	"strings"
	"unicode"
)

// fieldName is what the name of a member says about its value.
type fieldName struct {
	amount   bool // money, if there is a currency
	currency bool // names a currency
	phone    bool
	clock    bool // a time of day
	span     bool // a duration
	id       bool // for programs: not read aloud
	naming   bool // what its object is called
	sentence bool // prose for the person
}

// Words of names, in Spanish and English, whole and without accents. Plurals of
// amounts are not among them: "cuotas": 12 counts.
const (
	amountWords = " precio precios valor monto importe saldo costo coste tarifa cuota pago pagar pagado adeudado deuda abono cargo recargo multa subtotal salario sueldo presupuesto " +
		"price amount cost fee balance payment charge fare subtotal salary budget owed due paid "
	// countWords make a number something else than money, whatever stands beside them.
	countWords = " limit limite offset page pagina cantidad count conteo numero num nro no dia dias mes meses ano anos anio anios semana semanas hora horas minuto minutos plazo veces unidades stock " +
		"puntos millas porcentaje percent percentage pct tasa rate id ids uuid codigo code referencia version orden posicion nivel score metodo forma medio tipo type estado status fecha date " +
		"day days month months year years quantity qty units number points times method "
	currencyWords = " moneda currency divisa "
	phoneWords    = " telefono tel celular cel movil phone mobile whatsapp fax "
	clockWords    = " hora hour time inicio fin desde hasta apertura cierre start end opens closes "
	spanWords     = " duracion duration espera demora plazo tiempo vigencia wait elapsed "
	idWords       = " id uuid guid hash token key clave cursor etag url uri link enlace checksum "
	namingWords   = " nombre name titulo title plan producto product servicio service asunto subject motivo concepto especialidad especialista medico label etiqueta opcion "
	sentenceWords = " mensaje message resumen summary respuesta confirmacion texto nota aviso "
)

// readName reads a name.
func readName(name string) fieldName {
	var f fieldName
	var parts [maxNameWords]string
	words := nameWords(parts[:0], name)
	counts := len(words) == 1 && words[0] == "total"
	for _, w := range words {
		f.amount = f.amount || isWordOf(amountWords, w)
		f.currency = f.currency || isWordOf(currencyWords, w)
		f.phone = f.phone || isWordOf(phoneWords, w)
		f.clock = f.clock || isWordOf(clockWords, w)
		f.span = f.span || isWordOf(spanWords, w)
		f.id = f.id || isWordOf(idWords, w)
		f.sentence = f.sentence || isWordOf(sentenceWords, w)
		counts = counts || isWordOf(countWords, w)
	}
	f.naming = len(words) > 0 && isWordOf(namingWords, words[0])
	f.amount = f.amount && !counts && !f.currency
	return f
}

const maxNameWords = 8

// nameWords cuts a name into its words, in lower case and without accents:
// total_a_pagar, fechaCita, "Valor total".
func nameWords(words []string, name string) []string {
	if len(name) > maxNameBytes { // it is data
		return words
	}
	var word strings.Builder
	end := func() {
		if word.Len() > 0 && len(words) < maxNameWords {
			words = append(words, word.String())
		}
		word.Reset()
	}
	small := false // the last rune was a small letter
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && small:
			end()
			fallthrough
		default:
			word.WriteRune(unaccented(unicode.ToLower(r)))
		}
		small = unicode.IsLower(r)
	}
	end()
	return words
}

func isWordOf(list, word string) bool {
	at := strings.Index(list, word)
	for at > 0 {
		if end := at + len(word); list[at-1] == ' ' && list[end] == ' ' {
			return true
		}
		next := strings.Index(list[at+1:], word)
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	return false
}

// unaccented is a small letter of Spanish without its accent.
func unaccented(r rune) rune {
	switch r {
	case 'á':
		return 'a'
	case 'é':
		return 'e'
	case 'í':
		return 'i'
	case 'ó':
		return 'o'
	case 'ú', 'ü':
		return 'u'
	case 'ñ':
		return 'n'
	}
	return r
}

// isCurrency reports whether a text is written as an ISO 4217 code.
func isCurrency(s string) bool {
	if len(s) != 3 {
		return false
	}
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// fieldNames remembers what names say.
type fieldNames struct{ cache nameCache[fieldName] }

func (f *fieldNames) read(name string) fieldName { return f.cache.of(name, readName) }
