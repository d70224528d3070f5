package middleware_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// agenda is a page of appointments of about size bytes.
func agenda(size int) json.RawMessage {
	var b strings.Builder
	b.WriteString(`{"resultados":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"numero":"F-%05d","cliente":"Ana María Peña","valor":"89900.00","moneda":"COP","fecha":"2026-09-03T09:00:00-05:00","estado":"pendiente"}`, i)
	}
	b.WriteString(`],"total":148,"limit":10,"offset":0}`)
	return json.RawMessage(b.String())
}

// BenchmarkVoice measures results of 2 and 200 KB: as a page, of which three
// elements are left; as a table of texts that all stay; and what costs nothing
// because the channel is chat.
func BenchmarkVoice(b *testing.B) {
	h := func(res *mcp.CallToolResult) handler { return middleware.Voice(inBogota())(returns(res)) }
	texts := func(size int) json.RawMessage {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, `,"m%d":{"a":"La visita quedó programada y el técnico llega en la mañana","b":"Traiga el documento"}`, i)
		}
		return json.RawMessage("{" + b.String()[1:] + "}")
	}
	for _, size := range []int{2_000, 200_000} {
		for name, data := range map[string]json.RawMessage{"page": agenda(size), "texts": texts(size)} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(data)))
				h, req := h(&mcp.CallToolResult{RawStructuredContent: data}), onChannel("voice")
				for b.Loop() {
					if _, err := h(b.Context(), req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("chat", func(b *testing.B) {
		b.ReportAllocs()
		h, req := h(&mcp.CallToolResult{RawStructuredContent: agenda(2_000)}), onChannel("chat")
		for b.Loop() {
			if _, err := h(b.Context(), req); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("own words", func(b *testing.B) {
		b.ReportAllocs()
		h, req := h(structured(`{"estado":"activo"}`, "Está activo.")), onChannel("voice")
		for b.Loop() {
			if _, err := h(b.Context(), req); err != nil {
				b.Fatal(err)
			}
		}
	})
}
