package contract_test

import (
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/contract"
)

// mcp.NewTool declares every tool destructive. Whoever only sets readOnlyHint
// declares one that both reads only and destroys.
func ExampleReads_incorrect() {
	for _, declare := range []mcp.ToolOption{
		mcp.WithReadOnlyHintAnnotation(true), // wrong
		contract.Reads(),
	} {
		tool := mcp.NewTool("consultar_cita", mcp.WithDescription("Consulta una cita. No sirve para cancelarla."), declare)
		report, err := contract.Lint(contract.Tools(tool), contract.Core)
		if err != nil {
			fmt.Println(err)
		}
		fmt.Print(tool.Annotations.DestructiveHint != nil && *tool.Annotations.DestructiveHint)
		for _, f := range report.Findings {
			if f.Severity == contract.Should {
				fmt.Print(" ", f.Rule)
			}
		}
		fmt.Println()
	}
	// Output:
	// true annotations-contradict
	// false
}
