package paginate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/paginate"
)

type plan struct {
	Nombre  string `json:"nombre"`
	Detalle string `json:"detalle"`
	Precio  string `json:"precio"`
	Moneda  string `json:"moneda"`
}

// plans returns n results of about 200 bytes.
func plans(n int) []plan {
	all := make([]plan, n)
	for i := range all {
		all[i] = plan{fmt.Sprintf("Plan Fibra %d", i), strings.Repeat("Internet simétrico. ", 6), "89900.00", "COP"}
	}
	return all
}

func BenchmarkParams(b *testing.B) {
	var rules paginate.Rules
	decoded := map[string]any{"texto": "fibra", "limit": 5.0, "offset": 20.0}
	encoded := []byte(`{"texto":"fibra","limit":5,"offset":20}`)
	wrong := map[string]any{"limit": -1.0, "offset": 0.5}
	b.Run("map", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rules.FromMap(decoded, false); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("JSON", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rules.FromJSON(encoded, false); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("refused", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rules.FromMap(wrong, false); err == nil {
				b.Fatal("no error")
			}
		}
	})
}

// BenchmarkEncode compares a page with a struct that has no guarantee, and with
// names of its own.
func BenchmarkEncode(b *testing.B) {
	page := paginate.Slice(plans(10), paginate.Params{})
	type plain struct {
		Resultados []plan `json:"resultados"`
		Total      int    `json:"total"`
		Limit      int    `json:"limit"`
		Offset     int    `json:"offset"`
	}
	for _, bench := range []struct {
		name string
		v    any
	}{
		{"plain struct", plain{page.Results, page.Total, page.Limit, page.Offset}},
		{"page", page},
		{"named", page.Named(paginate.Names{Results: "planes", Next: "siguiente"})},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(bench.v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFit is a page that fits, one that is cut, and one of 200 KB of which
// nearly nothing is looked at; the encoding is in all of them.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{10, 25, 1000} {
		page := paginate.Slice(plans(n), paginate.Params{Limit: n})
		b.Run(fmt.Sprint(n, " results"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := page.Fit(3000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUTF16Len(b *testing.B) {
	text := strings.Repeat("Internet simétrico 👍 ", 140)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if paginate.UTF16Len(text) != 3080 {
			b.Fatal("wrong length")
		}
	}
}
