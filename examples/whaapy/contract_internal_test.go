package main

import (
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestContract finds nothing in the catalogue that either gateway could mind, not even
// what they only recommend. On one thing both cannot be served: Asixto Gateway would like
// two sentences, and Whaapy six sections.
func TestContract(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("mesa", "1.0.0")
	newDesk(time.Now).addTools(srv)
	for name, profile := range map[string]contract.Profile{"Asixto": contract.Asixto, "Whaapy": contract.Whaapy} {
		report, err := contract.Lint(contract.Registered(srv), profile,
			contract.Without("description-sentences", "the sections are for Whaapy"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			t.Errorf("%s: %s: %s: %s", name, f.Tool, f.Rule, f.Message.EN)
		}
	}
}
