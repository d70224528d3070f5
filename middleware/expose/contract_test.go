package expose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/expose"
	"github.com/portavoz/portavoz/paginate"
)

type (
	factura struct {
		Numero string `json:"numero"`
		Estado string `json:"estado"`
	}
	hecho struct {
		Radicado string `json:"radicado"`
	}
)

// certified are random actions that Asixto Gateway takes as they are.
func (m maker) certified() []expose.Declaration {
	var all []expose.Declaration
	for _, namespace := range []string{"gestionar_factura", "atender.reclamo"} {
		for _, key := range []string{"consultar", "buscar", "pagar", "anular", "abrir"} {
			options := []mcp.ToolOption{text("Atiende una solicitud sobre facturas. No sirve para otra cosa.")}
			for _, field := range []string{"documento", "numero", "prioridad", "valor"} {
				optional := m.chance(50)
				property := []mcp.PropertyOption{mcp.Description("Un dato.")}
				if !optional {
					property = append(property, mcp.Required())
				}
				switch {
				case m.chance(30):
					continue
				case field == "valor":
					property = append(property, mcp.Min(float64(m.IntN(3))), mcp.Max(9))
				case field == "prioridad":
					property = append(property, pick(m, mcp.Enum("alta", "baja"), mcp.Enum("baja", "normal")))
				default:
					property = append(property, mcp.MaxLength(10+m.IntN(3)))
				}
				if optional {
					property = append(property, contract.Nullable())
				}
				if field == "valor" {
					options = append(options, mcp.WithInteger(field, property...))
				} else {
					options = append(options, mcp.WithString(field, property...))
				}
			}
			switch key {
			case "consultar":
				options = append(options, contract.Reads(), contract.Output[factura]())
			case "buscar":
				options = append(options, contract.Reads(), contract.Pages(paginate.Rules{}), contract.Output[paginate.Page[factura]]())
			default:
				options = append(options, contract.Writes(pick(m, contract.Additive, contract.Destructive), pick(m, contract.Repeats, contract.Settles)), contract.Output[hecho]())
			}
			options = append(options, contract.Tool(key+" una factura", pick(m, contract.Facturacion, contract.PQR)))
			if len(all) == 0 || m.chance(70) {
				all = append(all, expose.Action(namespace+"."+key, ok, options...))
			}
		}
	}
	return all
}

// What each tool meets, the tools that they are grouped into meet, too: a gateway
// finds nothing in them that breaks its contract, and each of its rules holds.
func TestSurfacesKeepTheContract(t *testing.T) {
	t.Parallel()
	for seed := range rounds() {
		m := newMaker(seed)
		declarations := m.certified()
		for i, d := range declarations {
			declarations[i].As = fmt.Sprintf("%s_factura_%d", d.Name[strings.LastIndexByte(d.Name, '.')+1:], i)
		}
		for _, strategy := range []expose.Strategy{expose.Flat, expose.Grouped, expose.Split} {
			for _, compact := range []bool{false, true} {
				cfg := expose.Asixto(strategy)
				cfg.Compact = compact
				cfg.Namespaces = []expose.Namespace{{Name: "gestionar_factura", Description: "Facturas de un cliente. No sirve para otras."}}
				surface := compile(t, cfg, declarations...)
				if findings := surface.Findings(); findings != nil {
					t.Errorf("seed %d, %s: %v", seed, strategy, findings)
				}
				if err := contract.Require(serve(t, surface), contract.Asixto); err != nil {
					t.Errorf("seed %d, %s: %v", seed, strategy, err)
				}
			}
		}
	}
}
