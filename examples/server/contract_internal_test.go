package main

import (
	"flag"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/contract/contracttest"
)

var update = flag.Bool("update", false, "write the files in testdata again instead of comparing with them")

// TestContract holds the catalogue to what the gateway demands, and its changes
// to the lock file.
func TestContract(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("fibra", "1.0.0", server.WithToolCapabilities(false))
	workers := middleware.NewWorkers(middleware.NewJobs(middleware.JobsConfig{}), middleware.WorkersConfig{})
	newOperator(time.Now, bogota(t)).addTools(srv, workers)
	contracttest.Run(t, srv, contract.Asixto)
	contracttest.Lock(t, srv, "testdata/contract.lock.json", *update)
	report, err := contract.Lint(contract.Registered(srv), contract.Asixto)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) > 0 {
		t.Errorf("an example breaks no rule at all:\n%s", report.Text(contract.English))
	}
}
