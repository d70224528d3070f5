package main

import (
	"context"
	"net/mail"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

type clientResult struct {
	Nombre        string `json:"nombre"`
	Estado        string `json:"estado" jsonschema:"Estado del servicio: activo o suspendido"`
	Plan          string `json:"plan"`
	Precio        string `json:"precio" jsonschema:"Valor mensual final del plan, decimal exacto"`
	PrecioTexto   string `json:"precio_texto,omitempty" jsonschema:"El precio para decirlo en voz alta"` // filled by Voice
	Moneda        string `json:"moneda" jsonschema:"Código ISO 4217"`
	CasosAbiertos int    `json:"casos_abiertos" jsonschema:"Casos de soporte sin cerrar"`
}

func (op *operator) consultarCliente(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento string `json:"documento"`
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	c, err := op.identify(ctx, args.Documento)
	if err != nil {
		return nil, err
	}
	price := c.plan.price(call.MetaFrom(ctx).PriceListID)
	return mcp.NewToolResultStructured(clientResult{
		Nombre:        c.name,
		Estado:        c.state,
		Plan:          c.plan.name,
		Precio:        price,
		Moneda:        currency,
		CasosAbiertos: op.openCases(c.document),
	}, c.name+" tiene el "+c.plan.name+" por "+written(price)+" al mes, y su servicio está "+c.state+"."), nil
}

// identify finds the person of the conversation and remembers who it is, for
// the guards of other tools. A document number alone proves little: where more
// is at stake, ask for a second datum here.
func (op *operator) identify(ctx context.Context, document string) (client, error) {
	c, err := op.client(document)
	if err != nil {
		return client{}, err
	}
	return c, middleware.Resolve(ctx, "cliente", c.document)
}

type updateResult struct {
	Nombre      string `json:"nombre"`
	Actualizado string `json:"actualizado" jsonschema:"El dato que cambió: telefono, correo o direccion"`
}

func (op *operator) actualizarCliente(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args struct {
		Documento string `json:"documento"`
		Dato      string `json:"dato"`
		Valor     string `json:"valor"`
	}
	if err := bind(req, &args); err != nil {
		return nil, err
	}
	value, said, err := contact(args.Dato, args.Valor)
	if err != nil {
		return nil, err
	}
	c, err := op.identify(ctx, args.Documento)
	if err != nil {
		return nil, err
	}
	op.setContact(c.document, args.Dato, value)
	return mcp.NewToolResultStructured(updateResult{Nombre: c.name, Actualizado: args.Dato},
		"Se actualizó "+said+" de "+c.name+"."), nil
}

// contact checks a contact datum. It returns the form that is kept, and how the
// datum is called in a sentence.
func contact(datum, value string) (kept, said string, err error) {
	value = strings.TrimSpace(value)
	switch datum {
	case "telefono":
		if n := digits(value); len(n) >= 7 && len(n) <= 12 {
			return n, "el teléfono", nil
		}
		return "", "", invalid("valor", "El teléfono debe tener entre siete y doce dígitos.")
	case "correo":
		if a, err := mail.ParseAddress(value); err == nil && a.Address == value {
			return value, "el correo", nil
		}
		return "", "", invalid("valor", "El correo no parece estar completo.")
	default: // direccion
		if len(value) >= 5 {
			return value, "la dirección", nil
		}
		return "", "", invalid("valor", "La dirección no parece estar completa.")
	}
}
