package main

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/portavoz/portavoz/middleware/contract"
)

// spokenItems is how many elements of a list a person keeps in mind.
const spokenItems = 3

var voiceRules = []contract.Rule{{
	ID: "voice-items", Asixto: must,
	Demand: say("En voz, ninguna lista tiene más de tres elementos.", "In voice no list has more than three elements."),
	Fix:    say("Agregue middleware.Voice.", "Add middleware.Voice."),
	Cure:   "middleware.Voice", Source: sourceAsixto,
}, {
	ID: "voice-address", Asixto: must,
	Demand: say("En voz, ningún texto lleva enlaces, correos, usuarios con @ ni nombres de archivo.", "In voice no text carries URLs, e-mails, @handles or file names."),
	Fix:    say("Agregue middleware.Voice.", "Add middleware.Voice."),
	Cure:   "middleware.Voice", Source: sourceAsixto,
}, {
	ID: "voice-date-text", Asixto: must,
	Demand: say("En voz, junto a cada fecha va su texto, con el sufijo _texto.", "In voice each date has its text beside it, with the suffix _texto."),
	Fix:    say("Declare el resultado con contract.Output y agregue middleware.Voice.", "Declare the result with contract.Output and add middleware.Voice."),
	Cure:   "contract.Output", Source: sourceAsixto,
}, {
	ID: "voice-amount-text", Asixto: should,
	Demand: say("En voz, junto a cada importe va su texto, con el sufijo _texto.", "In voice each amount has its text beside it, with the suffix _texto."),
	Fix:    say("Declare el resultado con contract.Output y agregue middleware.Voice.", "Declare the result with contract.Output and add middleware.Voice."),
	Cure:   "contract.Output", Source: sourceAsixto,
}, {
	ID: "voice-markup", Asixto: should,
	Demand: say("En voz, ningún texto lleva tablas, viñetas ni markdown.", "In voice no text carries tables, bullets or markdown."),
	Fix:    say("Agregue middleware.Voice.", "Add middleware.Voice."),
	Cure:   "middleware.Voice", Source: sourceAsixto,
}}

var (
	addressForm = regexp.MustCompile(`(?i)\b(https?://|www\.)\S+|[\w.+-]+@[\w-]+\.\w[\w.-]*|(^|[\s(])@[a-z_]\w+|` +
		`\b[\w-]+\.(pdf|docx?|xlsx?|pptx?|png|jpe?g|csv|txt|zip|json|html?|xml)\b|` +
		`\b[a-z0-9-]{2,}(\.[a-z0-9-]+)*\.(com|net|org|info|io|app|co|mx|pe|cl|ar|ec|es)\b`)
	markupForm = regexp.MustCompile("(?m)^\\s*([-*•–]|\\d+[.)]) |^#{1,6} |^\\s*\\|.*\\|\\s*$|\\*\\*\\S|__\\S|```|`\\w|\\]\\(|<\\/?[a-z]+>")
	dateForm   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$`)
	amountForm = regexp.MustCompile(`^-?\d+([.,]\d+)?$`)
)

// The words of names of amounts, and the names of currencies.
const (
	amountWords   = " precio valor monto importe saldo costo tarifa cuota deuda abono cargo multa subtotal price amount cost fee balance "
	currencyNames = " moneda divisa currency "
)

// textSuffix names the member that says another one in words.
const textSuffix = "_texto"

// voice calls the tools that worked as on the phone. The rules are
// inspectVoice's.
func (c *certifier) voice(ctx context.Context) error {
	for _, t := range c.tools {
		if t.sampled == nil || !t.reads || c.stopped {
			continue
		}
		c.call(ctx, t, t.sampled, callInfo{voice: true})
		if missing, ok := missingArguments(t, t.sampled); ok {
			c.call(ctx, t, missing, callInfo{voice: true})
		}
	}
	return nil
}

// inspectVoice holds what is going to be read aloud against the rules for it.
func (c *certifier) inspectVoice(a answer) {
	if !a.voice || !a.ok() {
		return
	}
	c.check("voice-items", "voice-address", "voice-markup")
	for _, p := range a.places() {
		switch v := p.value.(type) {
		case []any:
			n := strconv.Itoa(len(v))
			c.expect(len(v) <= spokenItems, "voice-items", a.tool.name, p.pointer, say("Tiene "+n+" elementos.", "It has "+n+" elements."))
		case string:
			c.inspectSpoken(a, p, v)
		}
		if a.success() {
			c.inspectTexts(a, p)
		}
	}
}

// inspectSpoken looks at one text.
func (c *certifier) inspectSpoken(a answer, p place, text string) {
	c.expect(!addressForm.MatchString(text), "voice-address", a.tool.name, p.pointer, say(
		"Lleva algo que se borra antes de leer: «"+quote(addressForm.FindString(text))+"».",
		`It carries what is deleted before it is read: "`+quote(addressForm.FindString(text))+`".`))
	c.expect(!markupForm.MatchString(text), "voice-markup", a.tool.name, p.pointer, say(
		"Lleva marcas que se leen tal cual.", "It carries marks that are read as they are."))
}

// inspectTexts looks for the words beside a date or an amount.
func (c *certifier) inspectTexts(a answer, p place) {
	text := scalar(p.value)
	if text == "" || p.key == "" || strings.HasSuffix(p.key, textSuffix) || len(p.in) == 0 {
		return
	}
	if _, isMember := p.in[len(p.in)-1][p.key].([]any); isMember {
		return // a list has no room for texts
	}
	words, _ := p.sibling(p.key + textSuffix).(string)
	said := strings.ContainsFunc(words, unicode.IsLetter) && words != text
	switch {
	case dateForm.MatchString(text):
		c.expect(said, "voice-date-text", a.tool.name, p.pointer, say(
			"La fecha no tiene «"+quote(p.key)+textSuffix+"».", `The date has no "`+quote(p.key)+textSuffix+`".`))
	case amountForm.MatchString(text) && isAmount(p):
		c.expect(said, "voice-amount-text", a.tool.name, p.pointer, say(
			"El importe no tiene «"+quote(p.key)+textSuffix+"».", `The amount has no "`+quote(p.key)+textSuffix+`".`))
	}
}

// isAmount reports whether a number is one by its name, in an object that names
// a currency.
func isAmount(p place) bool {
	named := slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(p.key), func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return strings.Contains(amountWords, " "+word+" ")
	})
	return named && slices.ContainsFunc(p.in, func(object map[string]any) bool {
		for key := range object {
			if strings.Contains(currencyNames, " "+strings.ToLower(key)+" ") {
				return true
			}
		}
		return false
	})
}
