package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// page is a page of a search of about size bytes.
func page(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"resultados":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"numero":"F-%05d","cliente":"Ana María Peña","valor":"89900.00","moneda":"COP","fecha":"2026-09-03T09:00:00-05:00","estado":"pendiente"}`, i)
	}
	b.WriteString(`],"total":148,"limit":10,"offset":0}`)
	return []byte(b.String())
}

func BenchmarkDocument(b *testing.B) {
	for _, size := range []int{2_000, 200_000} {
		raw := page(size)
		b.Run(fmt.Sprintf("parse/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := document.Parse(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("truncate and encode/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				doc, err := document.Parse(raw)
				if err != nil {
					b.Fatal(err)
				}
				doc.Root().Get("resultados").Truncate(3)
				doc.JSON()
			}
		})
	}
}
