package middleware_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	moduleRoot = ".."
	modulePath = "github.com/portavoz/portavoz"
)

// The foreign modules that packages of this module may ask for.
const (
	mcpGoModule      = "github.com/mark3labs/mcp-go"
	zerologModule    = "github.com/rs/zerolog"
	xTimeModule      = "golang.org/x/time"
	ristrettoModule  = "github.com/dgraph-io/ristretto/v2"
	jsonschemaModule = "github.com/santhosh-tekuri/jsonschema/v6" // the validator that mcp-go brings
)

// importRule says what a package may import beside the standard library.
type importRule struct {
	own     []string // packages of this module, as folders
	modules []string // foreign modules; a package without any is stdlib only, and so are its tests
}

var (
	// engineFolders are what the middlewares stand on. They know errors and what is
	// internal to all, and nothing else of this module.
	engineFolders = []string{"errors", "voice", "paginate", "health", "idempotency"}

	// internalFolders are what the middlewares share among themselves.
	internalFolders = []string{
		"middleware/internal/document", "middleware/internal/outline",
		"middleware/internal/redact", "middleware/internal/refusal", "middleware/internal/schema",
	}

	// importRules has a row for every package, those that are planned included.
	// Only folders below examples/ need none: an example shows how packages go
	// together.
	importRules = map[string]importRule{
		"errors":      {},
		"voice":       {},
		"paginate":    {own: []string{"errors"}},
		"health":      {own: []string{"errors"}},
		"idempotency": {own: []string{"errors", "internal/stack"}},

		"idempotency/memory":     {own: []string{"errors", "idempotency"}},
		"idempotency/redisstore": {own: []string{"errors", "idempotency"}},
		"idempotency/sqlstore":   {own: []string{"errors", "idempotency", "internal/sqltable"}},
		"idempotency/nearcache":  {own: []string{"errors", "idempotency"}, modules: []string{ristrettoModule}},
		"idempotency/storetest":  {own: []string{"errors", "idempotency"}},

		// What engines and middlewares share.
		"internal/sqltable": {own: []string{"errors"}},
		"internal/stack":    {},

		"middleware/internal/document": {own: []string{"errors", "paginate"}},
		"middleware/internal/redact":   {},
		"middleware/internal/refusal":  {own: []string{"errors"}},
		"middleware/internal/outline":  {own: []string{"middleware/internal/document"}},
		"middleware/internal/schema":   {own: []string{"middleware/internal/document"}, modules: []string{jsonschemaModule}},

		"middleware/call":      {own: []string{"errors"}},
		"middleware/transport": {own: []string{"errors", "middleware/call"}},
		"middleware": {
			own:     slices.Concat(engineFolders, []string{"internal/stack", "middleware/call"}, internalFolders),
			modules: []string{mcpGoModule, zerologModule, xTimeModule, jsonschemaModule},
		},
		"middleware/contract": {
			own:     slices.Concat(engineFolders, []string{"middleware/call"}, internalFolders),
			modules: []string{mcpGoModule, jsonschemaModule},
		},
		"middleware/contract/contracttest": {
			own:     slices.Concat(engineFolders, []string{"middleware/call", "middleware/contract"}, internalFolders),
			modules: []string{mcpGoModule, jsonschemaModule},
		},
		"middleware/whaapy": {
			own:     slices.Concat(engineFolders, []string{"middleware", "middleware/call", "middleware/contract"}, internalFolders),
			modules: []string{mcpGoModule, zerologModule, jsonschemaModule},
		},
		"middleware/expose": {
			own:     slices.Concat(engineFolders, []string{"middleware", "middleware/call", "middleware/contract"}, internalFolders),
			modules: []string{mcpGoModule, jsonschemaModule},
		},
		"middleware/sqldesk": {
			own:     []string{"errors", "idempotency", "idempotency/sqlstore", "internal/sqltable", "middleware"},
			modules: []string{mcpGoModule},
		},
		"middleware/desktest": {
			own:     []string{"errors", "idempotency", "middleware"},
			modules: []string{mcpGoModule},
		},
		"middleware/redislimit": {
			own:     slices.Concat(engineFolders, []string{"middleware", "middleware/call"}),
			modules: []string{mcpGoModule},
		},
	}
)

// TestArchitectureImports holds every package and its tests to importRules.
func TestArchitectureImports(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	for folder, rule := range importRules {
		p, exists := packages[path.Join(modulePath, folder)]
		if !exists {
			continue // planned
		}
		for _, imported := range p.Imports {
			if problem := rule.problem(packages[imported]); problem != "" && !slices.Contains(rule.own, folderOf(imported)) {
				t.Errorf("%s imports %s, %s", folder, imported, problem)
			}
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if problem := rule.problem(packages[imported]); problem != "" && !rule.testMayUse(folderOf(imported)) {
				t.Errorf("the tests of %s import %s, %s", folder, imported, problem)
			}
		}
	}
}

// TestArchitectureLayout holds the folders to the design: the top level is closed, and a
// package is not added without a decision about its imports.
func TestArchitectureLayout(t *testing.T) {
	t.Parallel()
	allowed := append([]string{"middleware", "internal", "examples"}, engineFolders...)
	entries, err := os.ReadDir(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && name[0] != '.' && !slices.Contains(allowed, name) {
			t.Errorf("top-level folder %s: the design has only %v", name, allowed)
		}
	}
	for folder := range goFiles(t) {
		if _, listed := importRules[folder]; !listed && !strings.HasPrefix(folder, "examples/") {
			t.Errorf("package folder %q has no row in importRules: decide what it may import, and add it to the design", folder)
		}
	}
}

// TestArchitectureWithoutTesting: packages named *test apart, nothing that a program
// imports brings the testing package, and its flags, along.
func TestArchitectureWithoutTesting(t *testing.T) {
	t.Parallel()
	for importPath, p := range listPackages(t) {
		if folderOf(importPath) == "" || strings.HasSuffix(importPath, "test") {
			continue
		}
		for _, dep := range p.Deps {
			if dep == "testing" || strings.HasPrefix(dep, "testing/") || dep == "net/http/httptest" {
				t.Errorf("%s depends on %s", importPath, dep)
			}
		}
	}
}

// TestArchitecturePanics: whoever reads a panic learns which package complains.
func TestArchitecturePanics(t *testing.T) {
	t.Parallel()
	for folder, files := range goFiles(t) {
		if strings.HasPrefix(folder, "examples/") {
			continue
		}
		want := "portavoz/" + path.Base(folder) + ": "
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if got, ok := panicText(n); ok && !strings.HasPrefix(got, want) {
					t.Errorf("%s: panic(%q...), want it to start with %q", fset.Position(n.Pos()), got, want)
				}
				return true
			})
		}
	}
}

// problem says why a package outside a rule's own list may not be imported, or
// "" if it may.
func (r importRule) problem(imported listedPackage) string {
	switch {
	case imported.Standard:
		return ""
	case imported.Module.Path == modulePath:
		return "which is not in its row of importRules"
	case len(r.modules) == 0:
		return "but is stdlib only"
	case !slices.Contains(r.modules, imported.Module.Path):
		return fmt.Sprintf("but of foreign modules may use only %v", r.modules)
	}
	return ""
}

// testMayUse reports whether the tests of a package with this rule may use a
// folder of this module: any, if the package itself may use foreign modules,
// and any that is stdlib only otherwise.
func (r importRule) testMayUse(folder string) bool {
	other, listed := importRules[folder]
	return listed && (len(r.modules) > 0 || len(other.modules) == 0)
}

// folderOf is the folder of a package of this module, and "" for any other.
func folderOf(importPath string) string {
	if folder, ok := strings.CutPrefix(importPath, modulePath+"/"); ok {
		return folder
	}
	return ""
}

// panicText is the text that a call of panic starts with. Panics that pass a
// value on, as http.ErrAbortHandler, have none.
func panicText(n ast.Node) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return "", false
	}
	if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "panic" {
		return "", false
	}
	arg := call.Args[0]
	for {
		switch e := arg.(type) {
		case *ast.BinaryExpr:
			arg = e.X
		case *ast.CallExpr: // fmt.Sprintf, errors.New
			if len(e.Args) == 0 {
				return "", false
			}
			arg = e.Args[0]
		case *ast.BasicLit:
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		default:
			return "", false
		}
	}
}

// goFiles maps every folder of the module that holds Go files to their paths.
// Modules of their own and test data are left out.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	files := make(map[string][]string)
	err := filepath.WalkDir(moduleRoot, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(file, entry.Name())
		}
		if strings.HasSuffix(file, ".go") {
			folder, err := filepath.Rel(moduleRoot, filepath.Dir(file))
			if err != nil {
				return err
			}
			folder = filepath.ToSlash(folder)
			files[folder] = append(files[folder], file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func skipFolder(folder, name string) error {
	if folder == moduleRoot {
		return nil
	}
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// listedPackage is what `go list` says of a package.
type listedPackage struct {
	ImportPath   string
	Standard     bool
	Module       struct{ Path string }
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

// listPackages returns the packages of the module and everything that they and
// their tests import, by import path.
func listPackages(t *testing.T) map[string]listedPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-test",
		"-json=ImportPath,Standard,Module,Imports,TestImports,XTestImports,Deps", "./...")
	cmd.Dir = moduleRoot
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	packages := make(map[string]listedPackage)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		// Packages recompiled for a test, and the mains of tests, are left out.
		if !strings.Contains(p.ImportPath, " [") && !strings.HasSuffix(p.ImportPath, ".test") {
			packages[p.ImportPath] = p
		}
	}
}
