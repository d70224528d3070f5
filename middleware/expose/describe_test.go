package expose_test

import (
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
