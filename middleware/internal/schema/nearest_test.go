package schema_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"cita", "documento", "fecha_entrega", "limit", "offset", "tipo"}
	for word, want := range map[string]string{
		"documeto":               "documento",
		"Documento":              "documento",
		"dcoumento":              "documento",
		"fechaEntrega":           "fecha_entrega",
		"fecha-entrega":          "fecha_entrega",
		"limite":                 "limit",
		"citas":                  "cita",
		"tpio":                   "tipo",
		"ofset":                  "offset",
		"nombre":                 "",
		"ti":                     "",
		"":                       "",
		strings.Repeat("x", 100): "",
	} {
		got, ok := schema.Nearest(word, names)
		if got != want || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", word, got, ok, want)
		}
	}
	if !schema.Alike("fecha-Entrega", "fecha_entrega") || schema.Alike("fecha", "fechas") {
		t.Error("Alike counts case and separators, or does not count letters")
	}
	if got, _ := schema.Nearest("instalación", []string{"falla", "instalacion"}); got != "instalacion" {
		t.Errorf("accents count: %q", got)
	}
	if got, _ := schema.Nearest("caso", []string{"caso2", "caso1"}); got != "caso2" {
		t.Errorf("of two that are as near the first: %q", got)
	}
	if got, ok := schema.Nearest("a", make([]string, 257)); ok {
		t.Errorf("among too many: %q", got)
	}
}

// FuzzNearest: what is suggested is one of the candidates, and a candidate itself
// is its own nearest.
func FuzzNearest(f *testing.F) {
	f.Add("documento", "documeto")
	f.Add("\xff", "ñ")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, ok := schema.Nearest(a, []string{b}); ok && got != b {
			t.Errorf("Nearest = %q, want %q", got, b)
		}
		if a != "" && len(a) <= 64 && utf8.ValidString(a) {
			if got, ok := schema.Nearest(a, []string{a}); !ok || got != a {
				t.Errorf("Nearest(%q) of itself = %q, %v", a, got, ok)
			}
		}
	})
}
