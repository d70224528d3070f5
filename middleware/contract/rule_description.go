package contract

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/paginate"
)

const (
	maxDescription      = 700  // UTF-16 code units, Asixto Gateway
	maxProviderDescribe = 1024 // OpenAI refuses a request with a longer one
	maxSentences        = 3    // one or two, and the gateway's own example has three
)

var descriptionRules = []Rule{{
	ID: "description-missing", Core: Must,
	Demand: Text{ES: "Hay descripción.", EN: "There is a description."},
	Fix:    Text{ES: "Diga en una o dos frases qué hace y cuándo no usarla.", EN: "Say in one or two sentences what it does and when not to use it."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-length", Asixto: Must,
	Demand: Text{ES: "La descripción tiene 700 caracteres como máximo.", EN: "The description has 700 characters at most."},
	Fix:    Text{ES: "Deje qué hace y cuándo no usarla; lo demás va en las propiedades o en el resultado.", EN: "Keep what it does and when not to use it; the rest belongs into the properties or the result."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-provider-length", Core: Should,
	Demand: Text{ES: "La descripción tiene 1.024 caracteres como máximo.", EN: "The description has 1,024 characters at most."},
	Fix:    Text{ES: "Acorte la descripción: un proveedor rechaza la petición entera por una sola más larga.", EN: "Shorten the description: for a single longer one a provider refuses the whole request."},
	Cure:   "mcp.WithDescription", Source: sourceProvider,
}, {
	ID: "description-sentences", Asixto: Should,
	Demand: Text{ES: "La descripción tiene una o dos frases.", EN: "The description has one or two sentences."},
	Fix:    Text{ES: "Deje una frase para lo que hace y otra para cuándo no usarla.", EN: "Keep one sentence for what it does and one for when not to use it."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-when-not", Core: Hint, Asixto: Should, Whaapy: Should,
	Demand: Text{ES: "La descripción dice cuándo no usar la herramienta.", EN: "The description says when not to use the tool."},
	Fix:    Text{ES: "Agregue una frase como «No sirve para cancelar citas».", EN: `Add a sentence such as "Not for cancelling appointments".`},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-instructions", Core: Hint, Asixto: Should,
	Demand: Text{ES: "La descripción no le da instrucciones al modelo.", EN: "The description does not instruct the model."},
	Fix:    Text{ES: "Describa la herramienta; cómo hablar y qué preguntar lo decide el agente.", EN: "Describe the tool; how to speak and what to ask is for the agent to decide."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-injection", Core: Must,
	Demand: Text{ES: "Ningún texto de la definición intenta cambiar las instrucciones del agente ni ocultarle algo a la persona.", EN: "No text of the definition tries to change the agent's instructions or to hide something from the person."},
	Fix:    Text{ES: "Quite ese texto.", EN: "Take this text out."},
	Cure:   "mcp.WithDescription", Source: sourcePractice,
}, {
	ID: "description-tone", Asixto: Should,
	Demand: Text{ES: "La descripción no fija el tono.", EN: "The description does not set the tone."},
	Fix:    Text{ES: "Quite el tono: es del agente.", EN: "Take the tone out: it is the agent's."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "description-brand", Asixto: Should,
	Demand: Text{ES: "La descripción no lleva marca ni publicidad.", EN: "The description carries no brand and no advertising."},
	Fix:    Text{ES: "Nombre la cosa y no la marca.", EN: "Name the thing and not the brand."},
	Cure:   "mcp.WithDescription", Source: sourceAsixto,
}, {
	ID: "whaapy-sections", Whaapy: Should,
	Demand: Text{ES: "La descripción tiene las secciones When to use, Never use for, Identity, Side effects, Success criteria y Fallback.", EN: "The description has the sections When to use, Never use for, Identity, Side effects, Success criteria and Fallback."},
	Fix:    Text{ES: "Escriba la descripción con las seis secciones.", EN: "Write the description with the six sections."},
	Cure:   "mcp.WithDescription", Source: sourceWhaapy,
}}

func (l *linter) description(d *definition) {
	text, _ := d.object["description"].(string)
	if strings.TrimSpace(text) == "" {
		l.find(d, "description-missing", "/description", Text{ES: "No tiene descripción.", EN: "It has no description."})
		return
	}
	l.length(d, text)
	folded := fold(text)
	words := textWords(folded)
	l.sections(d, folded)
	if !l.saysWhenNot(words) {
		l.find(d, "description-when-not", "/description", Text{
			ES: "La descripción no dice cuándo no usarla.", EN: "The description does not say when not to use it.",
		})
	}
	injected := l.injection(d, "/description", text)
	if at := l.cues.instructions.find(words); at != "" && !injected {
		l.find(d, "description-instructions", "/description", Text{
			ES: "La descripción le habla al modelo: «" + clip(at) + "».", EN: `The description speaks to the model: "` + clip(at) + `".`,
		})
	}
	if at := l.tone(words, text); at != "" {
		l.find(d, "description-tone", "/description", Text{
			ES: "La descripción fija un tono: «" + clip(at) + "».", EN: `The description sets a tone: "` + clip(at) + `".`,
		})
	}
	if at := l.brand(words, text); at != "" {
		l.find(d, "description-brand", "/description", Text{
			ES: "La descripción lleva marca o publicidad: «" + clip(at) + "».", EN: `The description carries a brand or advertising: "` + clip(at) + `".`,
		})
	}
}

func (l *linter) length(d *definition, text string) {
	n := paginate.UTF16Len(text)
	sentences := countSentences(text)
	switch {
	case n > maxDescription && l.asked("description-length"):
		l.find(d, "description-length", "/description", Text{
			ES: "La descripción tiene " + strconv.Itoa(n) + " caracteres.", EN: "The description has " + strconv.Itoa(n) + " characters.",
		})
	case n > maxProviderDescribe:
		l.find(d, "description-provider-length", "/description", Text{
			ES: "La descripción tiene " + strconv.Itoa(n) + " caracteres.", EN: "The description has " + strconv.Itoa(n) + " characters.",
		})
	case sentences > maxSentences && !l.profile.has(Whaapy) && missingSections(fold(text)) != nil: // they are sentences, too
		l.find(d, "description-sentences", "/description", Text{
			ES: "La descripción tiene " + strconv.Itoa(sentences) + " frases.", EN: "The description has " + strconv.Itoa(sentences) + " sentences.",
		})
	}
}

// saysWhenNot looks for a negation or a limit, of what the tool is for and not of
// what it finds.
func (l *linter) saysWhenNot(words []string) bool {
	for i := 0; i < len(words); i++ {
		if n := l.cues.notFound.at(words[i:]); n > 0 {
			i += n - 1
		} else if l.cues.whenNot.at(words[i:]) > 0 {
			return true
		}
	}
	return false
}

// injection looks for texts that work against the agent or the person.
func (l *linter) injection(d *definition, pointer, text string) bool {
	folded := fold(text)
	at := l.cues.injection.find(textWords(folded))
	for _, tag := range injectedTags {
		if at == "" && strings.Contains(folded, tag) {
			at = tag
		}
	}
	if at == "" {
		return false
	}
	l.find(d, "description-injection", pointer, Text{
		ES: "El texto intenta dirigir al agente: «" + clip(at) + "».", EN: `The text tries to steer the agent: "` + clip(at) + `".`,
	})
	return true
}

// whaapySections are the headings that Whaapy reads.
var whaapySections = [...]string{"When to use", "Never use for", "Identity", "Side effects", "Success criteria", "Fallback"}

// missingSections are those that a folded description does not have.
func missingSections(folded string) []string {
	var missing []string
	for _, section := range whaapySections {
		if !strings.Contains(folded, strings.ToLower(section)+":") {
			missing = append(missing, section)
		}
	}
	return missing
}

func (l *linter) sections(d *definition, folded string) {
	missing := missingSections(folded)
	if missing != nil {
		list := strings.Join(missing, ", ")
		l.find(d, "whaapy-sections", "/description", Text{
			ES: "Faltan secciones en la descripción: " + list + ".", EN: "Sections are missing in the description: " + list + ".",
		})
	}
}

// tone finds a word about tone, an exclamation or an emoji.
func (l *linter) tone(words []string, text string) string {
	if at := l.cues.tone.find(words); at != "" {
		return at
	}
	for _, r := range text {
		if r == '!' || r == '¡' || r >= 0x1f300 && r <= 0x1faff || unicode.Is(unicode.So, r) && !strings.ContainsRune(marks+"°", r) {
			return string(r)
		}
	}
	return ""
}

// marks stand beside a brand.
const marks = "®™©"

func (l *linter) brand(words []string, text string) string {
	if at := l.cues.brand.find(words); at != "" {
		return at
	}
	if i := strings.IndexAny(text, marks); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		return string(r)
	}
	if len(l.brands) == 0 {
		return ""
	}
	padded := " " + strings.Join(words, " ") + " "
	for _, name := range l.brands {
		if strings.Contains(padded, " "+strings.Join(textWords(name), " ")+" ") {
			return name
		}
	}
	return ""
}

// shortForms end in a stop and do not end a sentence.
var shortForms = [...]string{"ej", "p. ej", "e.g", "i.e", "etc", "no", "nro", "núm", "sr", "sra", "vs", "art", "tel", "máx", "mín", "aprox", "max", "min"}

// countSentences counts what ends in a stop, a question or exclamation mark before
// a space or the end, or in a line break after a text without one.
func countSentences(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		open := false
		for i, r := range line {
			rest := line[i+len(string(r)):]
			switch {
			case strings.ContainsRune(".?!…", r) && (rest == "" || rest[0] == ' ') && !endsShort(line[:i]):
				if open {
					n++
				}
				open = false
			case !unicode.IsSpace(r):
				open = true
			}
		}
		if open {
			n++
		}
	}
	return n
}

// longestShort is at least the length of each short form, in bytes.
const longestShort = 8

func endsShort(before string) bool {
	lower := strings.ToLower(before[max(0, len(before)-2*longestShort):]) // and what stands before it
	for _, short := range shortForms {
		if rest, ok := strings.CutSuffix(lower, short); ok && (rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "(")) {
			return true
		}
	}
	return false
}
