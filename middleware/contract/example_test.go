package contract_test

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/paginate"
)

type turno struct {
	Codigo string `json:"codigo"`
	Fecha  string `json:"fecha"`
}

// The list of any server in any language, as it answered tools/list.
func ExampleLint() {
	list, err := contract.ParseList([]byte(`{"tools":[{
		"name": "cancelar_cita",
		"description": "Cancela una cita.",
		"inputSchema": {"type":"object","properties":{"codigo":{"type":"string","maxLength":12,"description":"Código"}}},
		"annotations": {"readOnlyHint": true}
	}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := contract.Lint(list, contract.Core,
		contract.Without("input-open", "the gateway closes it"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report.Text(contract.Spanish))
	// Output:
	// Perfil core: 1 herramienta, 208 caracteres. 0 DEBE, 1 DEBERÍA, 3 IDEA.
	//
	// cancelar_cita
	//   DEBERÍA  annotations-write-name  /annotations/readOnlyHint
	//            El nombre «cancelar_cita» dice que escribe, y se declara de solo lectura. [contract.Writes]
	//   IDEA     description-when-not  /description
	//            La descripción no dice cuándo no usarla. [mcp.WithDescription]
	//   IDEA     optional-null  /inputSchema/properties/codigo
	//            «codigo» es opcional y no admite null. [contract.Nullable]
	//   IDEA     output-missing  /outputSchema
	//            No tiene outputSchema. [contract.Output]
	//
	// Arreglos:
	//   annotations-write-name: Use contract.Writes(...), o cambie el nombre si solo lee.
	//   description-when-not: Agregue una frase como «No sirve para cancelar citas».
	//   optional-null: Agregue contract.Nullable() a la propiedad, o hágala obligatoria.
	//   output-missing: Agregue contract.Output[T]() con el tipo del resultado.
	//
	// Desactivada: input-open, 1 hallazgo: the gateway closes it.
}

// A definition that Asixto Gateway certifies.
func ExampleTool() {
	tool := mcp.NewTool("buscar_citas",
		mcp.WithDescription("Busca las citas de un cliente, primero las próximas. No sirve para agendar."),
		mcp.WithString("documento", mcp.Required(), mcp.MaxLength(20), mcp.Description("Documento del cliente")),
		mcp.WithString("estado", mcp.Enum("programada", "cancelada"), contract.Nullable(), mcp.Description("Todas si no se indica")),
		contract.Pages(paginate.Rules{}),
		contract.Output[paginate.Page[turno]](),
		contract.Reads(),
		contract.Tool("buscar las citas de un cliente", contract.Agenda, contract.ConsultaEstado),
	)
	report, err := contract.Lint(contract.Tools(tool), contract.Asixto)
	fmt.Println(len(report.Findings), err)
	// Output: 0 <nil>
}

// At the start of a server.
func ExampleRequire() {
	srv := server.NewMCPServer("citas", "1.0.0")
	srv.AddTool(mcp.NewTool("cancelar_cita",
		mcp.WithDescription("Cancela una cita. No sirve para reprogramarla."),
		mcp.WithString("codigo", mcp.Required(), mcp.MaxLength(12)),
		contract.Writes(contract.Destructive, contract.Settles),
	), nil)
	fmt.Println(contract.Require(srv, contract.Asixto))
	// Output:
	// portavoz/contract: the tools do not meet the profile asixto:
	// 	cancelar_cita /_meta/com.asixto~1capabilities: capability-missing: It declares no scenario. Declare the tool with contract.Tool(verb, contract.Soporte, ...). [contract.Tool]
	// 	cancelar_cita /inputSchema: input-open: inputSchema admits properties that it does not declare. Declare the tool with contract.Tool, which closes the schema. [contract.Tool]
	// 	cancelar_cita /_meta/com.asixto~1verb: verb-missing: com.asixto/verb is missing in _meta. Declare the tool with contract.Tool("abrir un caso de soporte", ...). [contract.Tool]
}

// The texts stand beside the fields that are said otherwise than they are written.
func ExampleOutput() {
	tool := mcp.NewTool("consultar_cita", contract.Output[struct {
		Fecha  string `json:"fecha"`
		Valor  int    `json:"valor"`
		Moneda string `json:"moneda"`
		Copago int    `json:"copago" portavoz:"money"`
	}]())
	for _, name := range []string{"fecha_texto", "valor_texto", "copago_texto", "moneda_texto"} {
		text, _ := json.Marshal(tool.OutputSchema.Properties[name])
		fmt.Println(name, string(text))
	}
	// Output:
	// fecha_texto {"description":"La fecha para decirla en voz alta","type":"string"}
	// valor_texto {"description":"El importe para decirlo en voz alta","type":"string"}
	// copago_texto {"description":"El importe para decirlo en voz alta","type":"string"}
	// moneda_texto null
}

// What a change of the catalogue breaks.
func ExampleDiff() {
	version := func(options ...mcp.PropertyOption) contract.Lock {
		lock, err := contract.NewLock(contract.Tools(mcp.NewTool("consultar_cita", mcp.WithString("codigo", options...))))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return lock
	}
	changes := contract.Diff(version(mcp.MaxLength(20)), version(mcp.MaxLength(12)))
	fmt.Print(changes.Text(contract.English))
	// Output:
	// BREAKING  consultar_cita  narrowed  /inputSchema/properties/codigo/maxLength
	//     maxLength went from 20 to 12.
	//     Open conversations use the old definition, and their calls may fail: accept both forms for a while, and certify again.
}
