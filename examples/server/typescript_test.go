package main_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTypeScriptClient plays the flow with the official TypeScript client. It
// needs Node.js 20, npm and the network, so it runs only with PORTAVOZ_LONG=1,
// and then it does not skip.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	if os.Getenv("PORTAVOZ_LONG") != "1" {
		t.Skip("PORTAVOZ_LONG=1 runs the official TypeScript client")
	}
	dir := t.TempDir()
	script, err := os.ReadFile(filepath.Join("testdata", "client.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "client.mjs"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "@modelcontextprotocol/client@2.4.0")

	for era, version := range map[string]string{"modern": "2026-07-28", "legacy": "2025-11-25"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			var steps []clientStep
			decoder := json.NewDecoder(bytes.NewReader(runIn(t, dir, "node", "client.mjs", start(t).mcp, secret, era)))
			for decoder.More() {
				var step clientStep
				if err := decoder.Decode(&step); err != nil {
					t.Fatal(err)
				}
				steps = append(steps, step)
			}
			if len(steps) != 10 || steps[0].Version != version {
				t.Fatalf("steps = %+v, want version %s, eight tools and a failure", steps, version)
			}
			for _, step := range steps[1:9] {
				// The job of the example was never started.
				if step.IsError != (step.Tool == "consultar_reporte") || !json.Valid(step.Structured) {
					t.Errorf("%s = %v %s", step.Tool, step.IsError, step.Structured)
				}
			}
			want := `{"error":{"error_type":"NOT_FOUND","user_message":"No encontré un cliente con ese documento.",` +
				`"details":{"field":"documento","next_question":"¿Me confirma el número de documento?"}}}`
			if last := steps[9]; !last.IsError || string(last.Structured) != want {
				t.Errorf("failure = %v %s, want %s", last.IsError, last.Structured, want)
			}
		})
	}
}

// clientStep is a line that client.mjs prints.
type clientStep struct {
	Version    string          `json:"version"`
	Tool       string          `json:"tool"`
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
}

func runIn(t *testing.T, dir string, command ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, stderr.Bytes())
	}
	return stdout
}
