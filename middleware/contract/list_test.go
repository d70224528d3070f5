package contract_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/contract"
)

// ids are the rules of a report, each once, in order.
func ids(r contract.Report) []string {
	var out []string
	for _, f := range r.Findings {
		if !slices.Contains(out, f.Rule) {
			out = append(out, f.Rule)
		}
	}
	return out
}

// many is a list of n good tools with different descriptions, each of about size
// characters.
func many(n, size int) []mcp.Tool {
	nouns := strings.Fields("cita caso plan visita factura pago pedido equipo contrato sede")
	facts := strings.Fields("fecha estado precio lugar motivo plazo nombre detalle horario resultado")
	tools := make([]mcp.Tool, n)
	for i := range tools {
		noun, fact := nouns[i%10], facts[i/10%10]
		text := fmt.Sprintf("Consulta %s de %s del grupo %d. No sirve para cambiar %s.", fact, noun, i, fact)
		for len(text) < size {
			text += fmt.Sprintf(" %s%d", fact, len(text)*31+i*7)
		}
		tools[i] = mcp.NewTool(fmt.Sprintf("consultar_%s_%d", noun, i),
			mcp.WithDescription(text),
			mcp.WithString("codigo", mcp.Required(), mcp.MaxLength(12), mcp.Description("Código de "+noun)),
			contract.Output[struct {
				Fecha string `json:"fecha"`
			}](),
			contract.Reads(),
			contract.Tool("consultar "+fact+" de "+noun, contract.ConsultaEstado),
		)
	}
	return tools
}

// A listCase is a list, and the rules about lists that it breaks.
type listCase struct {
	name    string
	list    contract.Catalog
	options []contract.Option
	want    []string
}

func listCases() []listCase {
	first := contract.Tools(many(3, 0)...)
	turned := slices.Clone(many(3, 0))
	slices.Reverse(turned)
	return []listCase{
		{"three tools", first, nil, nil},
		{"none", contract.Tools(), nil, []string{"list-empty"}},
		{"40", contract.Tools(many(40, 0)...), nil, nil},
		{"41", contract.Tools(many(41, 0)...), nil, []string{"list-count"}},
		{"40 large ones", contract.Tools(many(40, 1500)...), []contract.Option{
			contract.Without("description-length", "long on purpose"),
		}, []string{"list-characters"}},
		{"asked once", first, []contract.Option{contract.Again(first)}, nil},
		{"same order", first, []contract.Option{contract.Again(first, first, first)}, nil},
		{"other order", first, []contract.Option{contract.Again(first, first, contract.Tools(turned...))}, []string{"list-order"}},
		{"other tools", first, []contract.Option{contract.Again(first, contract.Tools(turned[:2]...))}, []string{"list-order"}},
	}
}

func TestListRules(t *testing.T) {
	t.Parallel()
	for _, tt := range listCases() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := lint(t, tt.list, contract.Asixto, tt.options...)
			if got := ids(r); !slices.Equal(got, tt.want) {
				t.Errorf("rules = %v, want %v\n%s", got, tt.want, r.Text(contract.English))
			}
			for _, f := range r.Findings {
				if f.Tool != "" {
					t.Errorf("%s names the tool %q; it is about the list", f.Rule, f.Tool)
				}
			}
		})
	}
}

// TestSimilarScale: near-equal descriptions are found in a long list, and only they.
func TestSimilarScale(t *testing.T) {
	t.Parallel()
	tools := many(300, 0)
	for i := range 20 {
		tools[200+i].Description = strings.Replace(tools[i].Description, " de ", " de la ", 1) + " Ni para otra cosa que se parezca."
		tools[i].Description += " Ni para otra cosa que se parezca."
	}
	found := 0
	for _, f := range lint(t, contract.Tools(tools...), contract.Core).Findings {
		if f.Rule == "description-near-equal" {
			found++
		}
	}
	if found != 20 {
		t.Errorf("%d near-equal descriptions, want 20", found)
	}
}

// BenchmarkLint lints catalogues of about a kilobyte per tool, in all profiles.
func BenchmarkLint(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			tools := make([]any, n)
			for i := range tools {
				tool := good(b)[i%3].(map[string]any)
				tool["name"] = fmt.Sprintf("%s_%d", tool["name"], i)
				tool["description"] = fmt.Sprintf("%s Grupo %d.", tool["description"], i)
				tools[i] = tool
			}
			list := catalog(b, tools)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := contract.Lint(list, contract.Asixto|contract.Whaapy); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
