package middleware_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// decodedAgenda is the agenda as a handler has it before it is encoded.
func decodedAgenda(b *testing.B, size int) any {
	b.Helper()
	var data struct {
		Resultados []struct {
			Numero  string `json:"numero"`
			Cliente string `json:"cliente"`
			Valor   string `json:"valor"`
			Moneda  string `json:"moneda"`
			Fecha   string `json:"fecha"`
			Estado  string `json:"estado"`
		} `json:"resultados"`
		Total  int `json:"total"`
		Limit  int `json:"limit"`
		Offset int `json:"offset"`
	}
	if err := json.Unmarshal(agenda(size), &data); err != nil {
		b.Fatal(err)
	}
	return data
}

// BenchmarkShape measures what shapes results, on 2 and 200 KB. "encode" is what one
// encoding of the data costs: any result with structured content pays for it.
// "fits" has a limit above the size; "over" has the gateway's.
func BenchmarkShape(b *testing.B) {
	for _, size := range []int{2_000, 200_000} {
		data := decodedAgenda(b, size)
		res := mcp.NewToolResultStructured(data, "Hay ciento cuarenta y ocho citas.")
		raw := &mcp.CallToolResult{RawStructuredContent: agenda(size), Content: res.Content}
		var indented bytes.Buffer
		if err := json.Indent(&indented, agenda(size), "", "  "); err != nil {
			b.Fatal(err)
		}
		repeated := structured(string(agenda(size)), indented.String())
		fits := middleware.Budget(middleware.BudgetConfig{Limit: 1 << 20})
		over := middleware.Budget(middleware.BudgetConfig{Limit: 1_000})
		redact := middleware.Redact(middleware.RedactConfig{HideIDs: true})
		voice := middleware.Voice(middleware.VoiceConfig{Always: true})
		b.Run(fmt.Sprintf("encode/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(data); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, bench := range []struct {
			name string
			res  *mcp.CallToolResult
			mw   server.ToolHandlerMiddleware
		}{
			{"none", res, middleware.Chain()},
			{"Budget fits", res, fits},
			{"Budget fits, encoded", raw, fits},
			{"Budget over", raw, over},
			{"Redact", raw, redact},
			{"Redact, the data again as text", repeated, redact}, // which is compared and not decoded
			{"Redact and Voice", raw, middleware.Chain(voice, redact)},
			{"all three", raw, middleware.Chain(over, voice, redact)},
		} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, size), func(b *testing.B) {
				b.ReportAllocs()
				h, req := bench.mw(returns(bench.res)), request(nil)
				for b.Loop() {
					if _, err := h(b.Context(), req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkBudgetAlone says what Budget adds to a result of 2 KB that fits, beside the
// one encoding that any structured result needs: both are measured in turn, with the
// record of a call that something has to make in any case. "adds-ns/op" is the
// difference of the medians, which a busy machine moves less than the means.
func BenchmarkBudgetAlone(b *testing.B) {
	data := decodedAgenda(b, 2_000)
	record := middleware.Metadata(call.Keys{})
	bare := record(returns(&mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent("Hay ciento cuarenta y ocho citas.")}}))
	h := middleware.Chain(record, middleware.Budget(middleware.BudgetConfig{}))(returns(mcp.NewToolResultStructured(data, "Hay ciento cuarenta y ocho citas.")))
	req := request(map[string]any{"com.asixto/requestId": "req_c41"})
	var encodes, budgets []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		if _, err := json.Marshal(data); err != nil {
			b.Fatal(err)
		}
		if _, err := bare(b.Context(), req); err != nil {
			b.Fatal(err)
		}
		encoded := time.Now()
		if _, err := h(b.Context(), req); err != nil {
			b.Fatal(err)
		}
		encodes, budgets = append(encodes, encoded.Sub(start)), append(budgets, time.Since(encoded))
	}
	slices.Sort(encodes)
	slices.Sort(budgets)
	encode, budget := encodes[len(encodes)/2], budgets[len(budgets)/2]
	b.ReportMetric(float64(encode.Nanoseconds()), "encode-ns/op")
	b.ReportMetric(float64((budget - encode).Nanoseconds()), "adds-ns/op")
}
