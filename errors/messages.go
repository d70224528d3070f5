package errors

import (
	"cmp"
	"maps"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Messages is a table of sentences for the person, keyed by [Error.Code] or by
// [Type]. A table need not be complete: what it lacks comes from
// [DefaultMessages]. A nil table is ready to use.
//
// A sentence may hold placeholders, which [Messages.For] fills:
//
//   - {field} is the name of the argument at fault in words ("fecha_entrega"
//     becomes "fecha entrega"), or "ese dato" when there is none that can be
//     said: "Hace falta revisar {field}."
//   - {fields} is the same for several, the list of strings in Details["fields"]:
//     "documento, fecha y plan", the first three if there are more.
//   - {suggestion} is in words what may have been meant, the string in
//     Details["suggestion"], or "otro dato" when there is none that can be said.
//   - {retry_after} is when to try again, rounded up and with its preposition
//     ("en unos veinte segundos", "en media hora"), or a short while when that
//     is not known: "Conviene intentarlo de nuevo {retry_after}."
//
// A table may be read by several goroutines as long as none writes to it.
type Messages map[string]string

// DefaultMessages returns a fresh copy of the sentences that this module says.
// Each is one short sentence in neutral Spanish without tú or usted, and claims
// nothing about an effect that nobody knows.
func DefaultMessages() Messages { return maps.Clone(defaults) }

// defaults is read only; DefaultMessages hands out copies.
var defaults = map[string]string{
	string(TypeBlocker):    "Por ahora no es posible continuar con esa solicitud.",
	string(TypeNotFound):   "No se encontró información con esos datos.",
	string(TypeValidation): "Hay un dato que no permite completar la solicitud.",
	string(TypePermission): "No hay autorización para atender esa solicitud.",
	string(TypeSystem):     "En este momento hay un problema para atender la solicitud.",
	string(TypeUnknown):    "No fue posible confirmar el resultado de la solicitud.",

	CodeTimeout:        "La respuesta tardó más de lo esperado.",
	CodeCanceled:       "La solicitud se interrumpió antes de terminar.",
	CodeUnavailable:    "El servicio no está disponible en este momento.",
	CodeConnectionLost: "Se perdió la comunicación antes de recibir la respuesta.",
	CodeOutcomeUnknown: "No se pudo confirmar si la solicitud se completó, y conviene verificarlo antes de repetirla.",
	CodePanic:          "Ocurrió un problema inesperado al atender la solicitud.",
	CodeNoResult:       "No llegó ninguna respuesta para esa solicitud.",
	CodeInputRequired:  "Hacen falta más datos para continuar.",
	CodeBusy:           "Hay muchas solicitudes pendientes, y conviene intentarlo de nuevo {retry_after}.",
	CodeInvalidKey:     "La solicitud llegó con un dato interno que no es válido.",
	CodeBadResult:      "Se obtuvo una respuesta, pero no es posible presentarla.",
	CodeTooLarge:       "Hay demasiada información para esa solicitud, y conviene pedir algo más específico.",
	CodeDoneWithheld:   "La solicitud se completó, pero no es posible presentar la respuesta.",
	CodeInvalidLimit:   "El dato limit debe ser un número entero mayor que cero.",
	CodeInvalidOffset:  "El dato offset debe ser un número entero desde cero hasta el máximo permitido.",
	CodeInvalidPage:    "Los datos limit y offset deben ser números enteros dentro de lo permitido.",
	CodeRateLimited:    "Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo {retry_after}.",
	CodeNoQuota:        "Esa solicitud supera lo que está permitido.",
	CodeBadSchema:      "Por ahora no es posible atender ese tipo de solicitud.",

	CodeKeyRequired: "La solicitud llegó sin un dato interno que es necesario.",
	CodeKeyReused:   "Esa solicitud ya se registró con otros datos.",
	CodeInProgress:  "Esa solicitud todavía se está procesando.",
	CodeAlreadyDone: "Esa solicitud ya se había completado.",
	CodeStore:       "En este momento no es posible registrar la solicitud.",
	CodeStoreFull:   "En este momento no se reciben más solicitudes.",

	CodeRepeatedCall:     "Esa misma solicitud ya se hizo varias veces, y conviene seguir con lo que ya se sabe.",
	CodeTooManyCalls:     "Ya se hicieron muchas solicitudes como esa, y conviene buscar otra forma de continuar.",
	CodeApprovalPending:  "Esa solicitud necesita la autorización de una persona, y todavía no se ha hecho nada.",
	CodeApprovalRefused:  "La persona encargada no autorizó esa solicitud.",
	CodeApprovalStore:    "En este momento no es posible pedir la autorización que hace falta.",
	CodeJobNotFound:      "No se encontró una solicitud en curso con ese dato.",
	CodeJobLost:          "No fue posible confirmar si esa solicitud llegó a terminar.",
	CodeJobNotStarted:    "Esa solicitud no llegó a empezar, y conviene iniciarla de nuevo.",
	CodeJobEnded:         "Esa solicitud ya había terminado.",
	CodeJobStore:         "En este momento no es posible atender solicitudes que toman tiempo.",
	CodeInvalidArguments: "Los datos de la solicitud no tienen la forma esperada.",
	CodeSeveralArguments: "Conviene revisar {fields}.",
	CodeMissingArgument:  "Hace falta {field}.",
	CodeUnknownArgument:  "No se espera {field} en esta solicitud.",
	CodeMisnamedArgument: "No se espera {field}, y quizás se quiso decir {suggestion}.",
	CodeArgumentType:     "Conviene revisar {field}, que no es del tipo esperado.",
	CodeArgumentValue:    "Conviene revisar {field}, que no tiene uno de los valores posibles.",
	CodeMisspelledValue:  "Conviene revisar {field}, que quizás debe ser {suggestion}.",
	CodeArgumentRange:    "Conviene revisar {field}, que está fuera de los límites.",
	CodeArgumentLength:   "Conviene revisar {field}, que no tiene el largo permitido.",
	CodeInvalidArgument:  "Conviene revisar {field}, que no cumple lo esperado.",
	CodeMissingAction:    "Hace falta indicar qué operación se necesita.",
	CodeUnknownAction:    "No existe esa operación.",
	CodeOtherAction:      "La solicitud nombra dos operaciones distintas.",
	CodeForeignArgument:  "No se espera {field} en esa operación.",
}

// For returns the sentence for e, the first that is not blank of: its own
// UserMessage, the table's for its code, the table's for its type, and the
// default ones in the same order. Placeholders are filled in a table's
// sentence, never in UserMessage. For nil it is empty.
func (m Messages) For(e *Error) string {
	if e == nil {
		return ""
	}
	if strings.TrimSpace(e.UserMessage) != "" {
		return e.UserMessage
	}
	t := string(ParseType(string(e.Type)))
	for _, sentence := range [...]string{m[e.Code], m[t], defaults[e.Code], defaults[t]} {
		if strings.TrimSpace(sentence) != "" {
			return fill(sentence, e)
		}
	}
	return "" // not reached: every type has a default
}

// fill replaces the placeholders. What replaces one holds no brace, so it cannot
// bring in another.
func fill(sentence string, e *Error) string {
	if !strings.Contains(sentence, "{") {
		return sentence
	}
	sentence = strings.ReplaceAll(sentence, "{field}", spokenField(e.Field))
	sentence = strings.ReplaceAll(sentence, "{fields}", spokenFields(e.Details["fields"]))
	sentence = strings.ReplaceAll(sentence, "{suggestion}", spokenSuggestion(e.Details["suggestion"]))
	return strings.ReplaceAll(sentence, "{retry_after}", spokenDelay(e.RetryAfter))
}

// spokenField returns the name of an argument as words.
func spokenField(name string) string {
	return cmp.Or(spoken(name), "ese dato")
}

// spokenFields joins the names of arguments: up to three, as more are not kept in
// mind.
func spokenFields(list any) string {
	names, _ := list.([]string)
	var all string
	for i, name := range names[:min(len(names), 3)] {
		name = spokenField(name)
		switch {
		case i == 0:
			all = name
		case i < min(len(names), 3)-1:
			all += ", " + name
		default:
			all += and(name) + name
		}
	}
	return cmp.Or(all, spokenField(""))
}

// and returns the conjunction before a word: "e" before the sound of i, unless that
// is part of a diphthong (DPD, "y").
func and(word string) string {
	sound := strings.TrimPrefix(word, "h")
	for _, diphthong := range [...]string{"ia", "ie", "io"} {
		if strings.HasPrefix(sound, diphthong) {
			return " y "
		}
	}
	if strings.HasPrefix(sound, "i") || strings.HasPrefix(sound, "í") {
		return " e "
	}
	return " y "
}

func spokenSuggestion(v any) string {
	s, _ := v.(string)
	return cmp.Or(spoken(s), "otro dato")
}

// spoken returns a name as words, or "". It may have been written by the model,
// so nothing but letters and digits gets through, and nothing longer than a tool's
// name may be.
func spoken(name string) string {
	const longest = 40
	var b strings.Builder
	previous := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	words := strings.Join(strings.Fields(b.String()), " ")
	if utf8.RuneCountInString(words) > longest {
		return ""
	}
	return words
}

// spokenDelay returns when to try again. It climbs to the next rung, so that
// nobody comes back too early, and each rung is words: digits are not for the
// ear.
func spokenDelay(d time.Duration) string {
	for _, rung := range [...]struct {
		upTo   time.Duration
		spoken string
	}{
		{3 * time.Second, "en un momento"},
		{10 * time.Second, "en unos diez segundos"},
		{20 * time.Second, "en unos veinte segundos"},
		{30 * time.Second, "en medio minuto"},
		{time.Minute, "en un minuto"},
		{2 * time.Minute, "en unos dos minutos"},
		{5 * time.Minute, "en unos cinco minutos"},
		{10 * time.Minute, "en unos diez minutos"},
		{15 * time.Minute, "en unos quince minutos"},
		{30 * time.Minute, "en media hora"},
		{time.Hour, "en una hora"},
		{2 * time.Hour, "en unas dos horas"},
		{12 * time.Hour, "en unas horas"},
		{24 * time.Hour, "en un día"},
	} {
		if d <= rung.upTo {
			return rung.spoken
		}
	}
	return "más adelante"
}
