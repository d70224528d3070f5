package main

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/paginate"
)

type itemResult struct {
	Nombre      string `json:"nombre"`
	Detalle     string `json:"detalle"`
	Precio      string `json:"precio" jsonschema:"Precio final, decimal exacto"`
	PrecioTexto string `json:"precio_texto,omitempty" jsonschema:"El precio para decirlo en voz alta"` // filled by Voice
	Moneda      string `json:"moneda" jsonschema:"Código ISO 4217"`
}

func (op *operator) buscarItems(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Texto string `json:"texto"`
		paginate.Args
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	list := call.MetaFrom(ctx).PriceListID
	found, err := cut(ctx, op.search(args.Texto), args.Args, func(it item) itemResult {
		return itemResult{Nombre: it.name, Detalle: it.detail, Precio: it.price(list), Moneda: currency}
	})
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(found, say(found, "resultado", func(it itemResult) string {
		return it.Nombre + ", " + written(it.Precio)
	})), nil
}
