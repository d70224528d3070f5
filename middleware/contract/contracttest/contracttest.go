// Package contracttest holds the tools of a server to a contract in go test: their
// definitions with [Run], and their changes with [Lock].
//
//	var update = flag.Bool("update", false, "write contract.lock.json")
//
//	func TestContract(t *testing.T) {
//		srv := newServer()
//		contracttest.Run(t, srv, contract.Asixto)
//		contracttest.Lock(t, srv, "testdata/contract.lock.json", *update)
//	}
package contracttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/contract"
)

// asked is how often tools/list is asked for, to see whether its order is stable.
const asked = 4

// Run holds every tool of the server against the rules of a profile. Each finding
// is a subtest named by tool and rule: it fails for a must and logs what else is
// found. The list is also asked for several times and has to stay as it is.
//
// Wrong options end the test.
func Run(t *testing.T, srv *server.MCPServer, profile contract.Profile, options ...contract.Option) {
	t.Helper()
	lists := make([]contract.Catalog, asked)
	for i := range lists {
		list, err := published(t.Context(), srv)
		if err != nil {
			t.Fatal(err)
		}
		lists[i] = list
	}
	report, err := contract.Lint(contract.Registered(srv), profile, append(options, contract.Again(lists...))...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Findings {
		f := &report.Findings[i]
		tool := f.Tool
		if tool == "" {
			tool = "tools"
		}
		t.Run(tool+"/"+f.Rule, func(t *testing.T) {
			text := fmt.Sprintf("%s %s: %s\n%s [%s]\n%s\n%s", f.Severity, f.Pointer, f.Message.EN, f.Fix.EN, f.Cure, f.Message.ES, f.Fix.ES)
			if f.Severity == contract.Must {
				t.Error(text)
			} else {
				t.Log(text)
			}
		})
	}
}

// Lock compares the tools of the server with a lock file, and fails with the
// changes and what they mean if it is not up to date. With update it writes the file
// instead, and its folder, and logs the changes; so does it if the file is broken, as
// after a merge.
func Lock(t *testing.T, srv *server.MCPServer, file string, update bool) {
	t.Helper()
	now, err := contract.NewLock(contract.Registered(srv))
	if err != nil {
		t.Fatal(err)
	}
	before, err := read(file)
	if update {
		switch {
		case err == nil:
			t.Log("\n" + contract.Diff(before, now).Text(contract.English))
		case !errors.Is(err, fs.ErrNotExist):
			t.Logf("the file is replaced: %v", err)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // as the file
			t.Fatal(err)
		}
		if err := os.WriteFile(file, now.Bytes(), 0o644); err != nil { //nolint:gosec // it is committed beside the code
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v; run the test with -update to write the file", err)
	}
	if changes := contract.Diff(before, now); len(changes) > 0 {
		t.Errorf("the tools are not those of %s; run the test with -update if that is meant:\n%s", file, changes.Text(contract.English))
	}
}

func read(file string) (contract.Lock, error) {
	raw, err := os.ReadFile(file) //nolint:gosec // the file that the test names
	if err != nil {
		return contract.Lock{}, err
	}
	lock, err := contract.ParseLock(raw)
	if err != nil {
		return contract.Lock{}, fmt.Errorf("%s: %w", file, err)
	}
	return lock, nil
}

// published is the list as the server answers it on the wire, page by page.
func published(ctx context.Context, srv *server.MCPServer) (contract.Catalog, error) {
	var all []json.RawMessage
	for cursor := ""; ; {
		request, err := json.Marshal(map[string]any{
			"jsonrpc": mcp.JSONRPC_VERSION, "id": 1, "method": string(mcp.MethodToolsList), "params": map[string]any{"cursor": cursor},
		})
		if err != nil {
			return contract.Catalog{}, err
		}
		answer, err := json.Marshal(srv.HandleMessage(ctx, request))
		if err != nil {
			return contract.Catalog{}, err
		}
		var page struct {
			Result struct {
				Tools      []json.RawMessage `json:"tools"`
				NextCursor string            `json:"nextCursor"`
			} `json:"result"`
			Error json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return contract.Catalog{}, err
		}
		if page.Error != nil {
			return contract.Catalog{}, fmt.Errorf("portavoz/contracttest: tools/list: %s", page.Error)
		}
		all = append(all, page.Result.Tools...)
		if page.Result.NextCursor == "" || page.Result.NextCursor == cursor {
			raw, err := json.Marshal(all)
			if err != nil || all == nil {
				raw = []byte("[]")
			}
			return contract.ParseList(raw)
		}
		cursor = page.Result.NextCursor
	}
}
