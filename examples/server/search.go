package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/call"
)

type itemResult struct {
	Nombre      string `json:"nombre"`
	Detalle     string `json:"detalle"`
	Precio      string `json:"precio" jsonschema:"Precio final, decimal exacto"`
	PrecioTexto string `json:"precio_texto,omitempty" jsonschema:"El precio para decirlo en voz alta"`
	Moneda      string `json:"moneda" jsonschema:"Código ISO 4217"`
}

func (op *operator) buscarItems(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Texto string `json:"texto"`
		paging
	}
	if err := bind(ctx, req, &args); err != nil {
		return nil, err
	}
	list := call.MetaFrom(ctx).PriceListID
	found := paginate(ctx, op.search(args.Texto), args.paging, func(it item) itemResult {
		return itemResult{Nombre: it.name, Detalle: it.detail, Precio: it.price(list), Moneda: currency}
	})
	return mcp.NewToolResultStructured(found, found.say(func(it itemResult) string { return it.Nombre })), nil
}

// say names the first elements of a page in a sentence.
func (p page[T]) say(name func(T) string) string {
	if len(p.Resultados) == 0 {
		return "No encontré resultados."
	}
	var names []string
	for _, r := range p.Resultados[:min(voiceLimit, len(p.Resultados))] {
		names = append(names, name(r))
	}
	if p.Total == 1 {
		return "Encontré un resultado: " + names[0] + "."
	}
	return "Encontré " + strconv.Itoa(p.Total) + " resultados. Los primeros son: " + strings.Join(names, "; ") + "."
}
