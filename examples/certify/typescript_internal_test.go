package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTypeScript is what the certifier says of a server of the official
// TypeScript SDK. It needs Node.js 20, npm and the network, so it runs only with
// PORTAVOZ_LONG=1, and then it does not skip.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	if os.Getenv("PORTAVOZ_LONG") != "1" {
		t.Skip("PORTAVOZ_LONG=1 runs a server of the official TypeScript SDK")
	}
	dir := t.TempDir()
	script, err := os.ReadFile(filepath.Join("testdata", "server.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "server.mjs"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error",
		"@modelcontextprotocol/server@2.4.0", "@modelcontextprotocol/node@2.1.2", "zod@4.6.7")
	install.Dir = dir
	var stderr bytes.Buffer
	install.Stderr = &stderr
	if err := install.Run(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, stderr.Bytes())
	}
	node := exec.CommandContext(context.WithoutCancel(t.Context()), "node", "server.mjs")
	node.Dir = dir
	url := lastWord(t, startServer(t, node))

	r := certifyAt(t, url, "-allow-writes", "all", "-lang", "en")
	if r.code != exitFailed || r.stderr != "" {
		t.Errorf("exit code = %d, stderr %q, want 1 and none", r.code, r.stderr)
	}
	golden(t, "typescript.txt", r.stdout)
}
