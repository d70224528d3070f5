package voice_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestDelegates reads the source: whatever a Speaker says, a Country and the
// package say too, by handing their arguments over in the same order.
func TestDelegates(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]*ast.FuncDecl{} // by receiver and name: "*Speaker.Int", "Country.Int", ".Int"
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				functions[receiver(fset, f)+"."+f.Name.Name] = f
			}
		}
	}
	for key, method := range functions {
		name, ok := strings.CutPrefix(key, "*Speaker.")
		if !ok || !method.Name.IsExported() {
			continue
		}
		for _, want := range []struct{ receiver, body string }{
			{"Country", "{\n\ts := c.speaker()\n\treturn s.%s(%s)\n}"},
			{"", "{\n\tvar s Speaker\n\treturn s.%s(%s)\n}"},
		} {
			f := functions[want.receiver+"."+name]
			if f == nil {
				t.Errorf("no %s.%s beside that of Speaker", want.receiver, name)
				continue
			}
			if got, want := source(fset, f.Type), source(fset, method.Type); got != want {
				t.Errorf("%s is %s, that of Speaker %s", name, got, want)
			}
			if got, want := source(fset, f.Body), fmt.Sprintf(want.body, name, arguments(method)); got != want {
				t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

func receiver(fset *token.FileSet, f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return source(fset, f.Recv.List[0].Type)
}

// arguments are the parameters of f as a call hands them over.
func arguments(f *ast.FuncDecl) string {
	var names []string
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			text := name.Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				text += "..."
			}
			names = append(names, text)
		}
	}
	return strings.Join(names, ", ")
}

func source(fset *token.FileSet, node any) string {
	var buf bytes.Buffer
	if err := printer.Fprint(&buf, fset, node); err != nil {
		return err.Error()
	}
	return buf.String()
}
