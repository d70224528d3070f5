package middleware_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/voice"
)

// buscarPlanes stands for a search that knows nothing of telephones.
func buscarPlanes(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	type plan struct {
		Nombre string `json:"nombre"`
		Precio string `json:"precio"`
		Moneda string `json:"moneda"`
	}
	return &mcp.CallToolResult{StructuredContent: map[string]any{
		"resultados": []plan{
			{"Fibra 100", "59900.00", "COP"}, {"Fibra 200", "74900.00", "COP"}, {"Fibra 300", "89900.00", "COP"}, {"Fibra 500", "109900.00", "COP"},
		},
		"total": 4, "limit": 10, "offset": 0,
	}}, nil
}

// dial calls a handler as the gateway does for a person on the phone.
func dial(h server.ToolHandlerFunc) *mcp.CallToolResult {
	var req mcp.CallToolRequest
	req.Params.Name = "prueba"
	req.Params.Meta = mcp.NewMetaFromMap(map[string]any{"com.asixto/channel": "voice"})
	res, err := h(context.Background(), req)
	if err != nil {
		fmt.Println("protocol error:", err)
		return &mcp.CallToolResult{}
	}
	return res
}

// A search answers on the phone with three results, amounts in words and a sentence.
func ExampleVoice() {
	h := middleware.Wrap(buscarPlanes, middleware.Voice(middleware.VoiceConfig{Country: voice.CO}))
	res := dial(h)
	fmt.Println(mcp.GetTextFromContent(res.Content[0]))
	fmt.Println(string(res.RawStructuredContent[:111]))
	// Output:
	// Encontré cuatro resultados. Los primeros tres son: Fibra cien, cincuenta y nueve mil novecientos pesos; Fibra doscientos, setenta y cuatro mil novecientos pesos; y Fibra trescientos, ochenta y nueve mil novecientos pesos.
	// {"limit":3,"offset":0,"resultados":[{"nombre":"Fibra 100","precio":"59900.00","precio_texto":"cincuenta y nueve
}

// What must not be heard is sent by another channel.
func ExampleVoiceConfig_onRemoved() {
	h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("Su factura de 3 páginas está en https://operador.example/f/100."), nil
	}, middleware.Voice(middleware.VoiceConfig{
		Options: []voice.Option{voice.Replace("el enlace que le envié", voice.PieceURL)},
		OnRemoved: func(_ context.Context, pieces []voice.Piece) {
			for _, p := range pieces {
				fmt.Println("send", p.Text)
			}
		},
	}))
	fmt.Println(mcp.GetTextFromContent(dial(h).Content[0]))
	// Output:
	// send https://operador.example/f/100
	// Su factura de tres páginas está en el enlace que le envié.
}

// Names that say nothing are read as a rule tells.
func ExampleVoiceField() {
	h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"pin": "4821", "vence": "2026-09-03T14:00:00Z"}, "Listo."), nil
	}, middleware.Voice(middleware.VoiceConfig{
		Zone:   time.FixedZone("-05", -5*60*60),
		Now:    func() time.Time { return time.Date(2026, time.August, 1, 0, 0, 0, 0, time.UTC) },
		Fields: []middleware.VoiceField{{Field: "pin", As: middleware.ReadDigits}},
	}))
	fmt.Println(string(dial(h).RawStructuredContent))
	// Output:
	// {"pin":"4821","pin_texto":"cuatro ocho dos uno","vence":"2026-09-03T14:00:00Z","vence_texto":"jueves tres de septiembre a las nueve de la mañana"}
}

// Wrong: Voice inside of Errors. There a failure is still a Go error, and its
// sentence is read aloud as it was written.
func ExampleVoice_wrongOrder() {
	busy := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.Blocker("Hay 2 órdenes en curso.")
	}
	say, border := middleware.Voice(middleware.VoiceConfig{}), middleware.Errors(middleware.ErrorsConfig{})
	fmt.Println(mcp.GetTextFromContent(dial(middleware.Wrap(busy, border, say)).Content[0]))
	fmt.Println(mcp.GetTextFromContent(dial(middleware.Wrap(busy, say, border)).Content[0]))
	// Output:
	// {"error":{"error_type":"BLOCKER","user_message":"Hay 2 órdenes en curso."}}
	// {"error":{"error_type":"BLOCKER","user_message":"Hay dos órdenes en curso."}}
}
