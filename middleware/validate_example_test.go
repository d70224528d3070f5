package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
)

// searchTool is a search as the gateway's contract wants it.
func searchTool() mcp.Tool {
	return mcp.NewTool("buscar_items",
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithString("texto", mcp.Required(), mcp.MaxLength(80)),
		mcp.WithInteger("limit", mcp.Min(1), mcp.Max(25)))
}

// say calls the tool and prints what the model is told, or what the handler got.
func say(srv *server.MCPServer, arguments string) {
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buscar_items","arguments":%s}}`, arguments)
	raw, err := json.Marshal(srv.HandleMessage(context.Background(), json.RawMessage(message)))
	if err != nil {
		fmt.Println(err)
		return
	}
	var a struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		fmt.Println(err)
		return
	}
	for _, block := range a.Result.Content {
		fmt.Println(block.Text)
	}
}

func echo(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText("el handler recibió " + string(req.Params.RawArguments)), nil
}

// The model learns of all its mistakes at once.
func ExampleValidate() {
	srv := server.NewMCPServer("operador", "1.0.0")
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Validate(middleware.ValidateConfig{}))
	srv.AddTool(searchTool(), echo)

	say(srv, `{"testo":"fibra","limit":50}`)
	say(srv, `{"texto":"fibra","limit":5}`)
	// Output:
	// {"error":{"error_type":"VALIDATION","user_message":"Conviene revisar limit, testo y texto.","details":{"code":"several_arguments","field":"limit","fields":["limit","testo","texto"],"problems":[{"field":"limit","rule":"maximum","expected":25,"message":"Conviene revisar limit, que está fuera de los límites."},{"field":"testo","rule":"additionalProperties","suggestion":"texto","message":"No se espera testo, y quizás se quiso decir texto."},{"field":"texto","rule":"required","message":"Hace falta texto."}]}}}
	// el handler recibió {"texto":"fibra","limit":5}
}

// Mistakes that can be corrected without guessing may be tolerated. The handler
// gets what the schema promises.
func ExampleTolerance() {
	var counter middleware.ToleranceCounter
	srv := server.NewMCPServer("operador", "1.0.0")
	srv.Use(middleware.Errors(middleware.ErrorsConfig{}), middleware.Validate(middleware.ValidateConfig{
		Tolerate:  []middleware.Tolerance{middleware.TextAsNumber, middleware.TextAsJSON},
		Tolerated: &counter,
	}))
	srv.AddTool(searchTool(), echo)

	say(srv, `"{\"texto\":\"fibra\",\"limit\":\"5\"}"`)
	fmt.Println(counter.Count(middleware.TextAsJSON), counter.Count(middleware.TextAsNumber))
	// Output:
	// el handler recibió {"texto":"fibra","limit":5}
	// 1 1
}

// A broken schema ends the start of the program, and not the first call.
func ExampleCheckSchemas() {
	srv := server.NewMCPServer("operador", "1.0.0")
	srv.AddTool(mcp.NewToolWithRawSchema("consultar_cliente", "", json.RawMessage(`{"type":"object"`)), echo)
	fmt.Println(middleware.CheckSchemas(srv))
	// Output:
	// inputSchema of tool "consultar_cliente": unexpected end of JSON input
}

// Wrong: a schema without additionalProperties false, and a handler that reads a name
// which the schema does not have. Nothing has bounds for that one.
func ExampleValidate_wrong() {
	srv := server.NewMCPServer("operador", "1.0.0")
	srv.Use(middleware.Validate(middleware.ValidateConfig{}))
	srv.AddTool(mcp.NewTool("buscar_items", mcp.WithInteger("limit", mcp.Max(25))),
		func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var args struct {
				Limit  int `json:"limit"`
				Offset int `json:"offset"`
			}
			if err := req.BindArguments(&args); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(strconv.Itoa(args.Offset)), nil
		})

	say(srv, `{"limit":5,"offset":-1000000}`)
	// Output:
	// -1000000
}
