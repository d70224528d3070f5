package expose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/expose"
)

// A compact description is the first sentence, or what was written for it, and never
// longer than the normal one.
func TestCompactDescriptions(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ description, brief, want string }{
		"first sentence":      {"Consulta una cita. No la mueve.", "", "Consulta una cita."},
		"first line":          {"Consulta una cita\nNo la mueve.", "", "Consulta una cita"},
		"one sentence":        {"Consulta una cita", "", "Consulta una cita"},
		"nothing":             {"", "", ""},
		"an abbreviation":     {"Consulta por documento (p. ej. la cédula). No la mueve.", "", "Consulta por documento (p. ej. la cédula)."},
		"a number":            {"Hasta 1.5 horas antes. No después.", "", "Hasta 1.5 horas antes."},
		"a title":             {"Consulta la cita con la Dra. Pérez. No la mueve.", "", "Consulta la cita con la Dra. Pérez."},
		"a numeral":           {"Consulta la factura No. 5 de un mes. No la paga.", "", "Consulta la factura No. 5 de un mes."},
		"initials":            {"Consulta por NIT. No por nombre.", "", "Consulta por NIT."},
		"a denial":            {"Dice si hay fallas o no. Nada más.", "", "Dice si hay fallas o no."},
		"a Spanish question":  {"Responde. ¿Cuándo? Siempre.", "", "Responde."},
		"of its own":          {"Consulta una cita. No la mueve.", "Ver citas", "Ver citas"},
		"of its own, longer":  {"Ver.", "Consulta una cita.", "Ver."},
		"of its own, for one": {"", "Consulta una cita.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := expose.Query("citas.ver", ok, text(tc.description))
			d.Brief = tc.brief
			if got := compile(t, expose.Config{Compact: true}, d).Tools()[0].Tool.Description; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if got := compile(t, expose.Config{}, d).Tools()[0].Tool.Description; got != tc.description {
				t.Errorf("normal: got %q, want %q", got, tc.description)
			}
		})
	}
}

// A demand that differs is named in a few words, however long it is.
func TestLongDemandsAreClipped(t *testing.T) {
	t.Parallel()
	surface := compile(t, expose.Config{Strategy: expose.Grouped},
		expose.Query("n.a", ok, raw(`{"x":{"type":"string","enum":["`+strings.Repeat("ñ", 300)+`"]}}`)),
		expose.Query("n.b", ok, raw(`{"x":{"type":"string","pattern":"^`+strings.Repeat("a", 300)+`"}}`)))
	if got := string(surface.Tools()[0].Tool.RawInputSchema); len(got) > 800 || !strings.Contains(got, "…; b: pattern") {
		t.Errorf("%s", got)
	}
}

// A full stop ends what is said before the note of a field, unless a mark does.
func TestNotesFollowSentences(t *testing.T) {
	t.Parallel()
	for description, want := range map[string]string{
		"Documento":           "Documento. (always required)",
		"Documento.":          "Documento. (always required)",
		"¿Cuál documento?":    "¿Cuál documento? (always required)",
		"Documento (CC o CE)": "Documento (CC o CE). (always required)",
		"Uno de estos:":       "Uno de estos: (always required)",
		"Documento, sede…":    "Documento, sede… (always required)",
		"":                    "(always required)",
		"  Documento \\n  ":   "Documento. (always required)",
	} {
		surface := compile(t, expose.Config{Strategy: expose.Grouped}, expose.Query("n.a", ok, raw(`{"x":{"description":"`+description+`"}}`, "x")))
		if got := string(surface.Tools()[0].Tool.RawInputSchema); !strings.Contains(got, `"x":{"description":"`+want+`"}`) {
			t.Errorf("%q: got %s, want %q", description, got, want)
		}
	}
}

// What is longer than clients take is served, and noted with what can be done.
func TestLongDescriptions(t *testing.T) {
	t.Parallel()
	const limit, contractLimit = 1024, 700
	one := func(n int) []expose.Declaration {
		return []expose.Declaration{expose.Query("plana", ok, text(strings.Repeat("ñ", n-2)+"😀"))} // two units
	}
	many := func(n int) []expose.Declaration {
		var all []expose.Declaration
		for i := range n {
			all = append(all, expose.Query(fmt.Sprintf("n.accion_%02d", i), ok, text("Consulta algo de un cliente. No sirve para otra cosa que esa.")))
		}
		return all
	}
	contract := expose.Asixto(expose.Grouped)
	contract.GroupOutputs = false
	compact := contract
	compact.Compact = true
	for name, tc := range map[string]struct {
		cfg          expose.Config
		declarations []expose.Declaration
		want         []string
	}{
		"as long as clients take":         {expose.Config{}, one(limit), nil},
		"longer":                          {expose.Config{}, one(limit + 1), []string{"description: plana: its description has 1025 characters, and clients take 1024; shorten it"}},
		"as long as the contract allows":  {contract, one(contractLimit), nil},
		"longer than the contract allows": {contract, one(contractLimit + 1), []string{"description: plana: its description has 701 characters, and clients take 700; shorten it"}},
		"a small namespace":               {contract, many(7), nil},
		"a namespace":                     {contract, many(8), []string{"description: n: its description has 751 characters, and clients take 700; set Config.Compact, or shorten what its actions say"}},
		"compact":                         {compact, many(8), nil},
		"too much for compact":            {compact, many(30), []string{"description: n: its description has 810 characters, and clients take 700; divide the namespace"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range compile(t, tc.cfg, tc.declarations...).Findings() {
				got = append(got, f.String())
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
