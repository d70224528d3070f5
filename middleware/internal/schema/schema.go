// Package schema compiles the JSON Schemas of tools and holds JSON values
// against them. What is wrong comes back as a list of [Problem], which names
// places and rules and never holds a value of the caller's.
//
// A schema is read as JSON Schema 2020-12 unless its $schema says otherwise (MCP
// 2025-11-25, "JSON Schema Usage"). It is complete in itself: a reference to
// anything outside of it, a file or an address, is refused; only the published
// meta-schemas, which the validator carries, may be named. As 2020-12 has it,
// "format" is a note for the reader and not a rule.
package schema

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// location is under which address a schema is compiled. Nothing is there.
const location = "portavoz:///schema.json"

// maxDepth is how many arrays and objects may lie in each other in a schema: four for
// each level of arguments. The compiler holds a schema to that of its draft in a time
// that grows with the third power of this.
const maxDepth = 256

// errDepth is why a schema is not compiled.
var errDepth = errors.New("the schema is nested too deeply")

// errRemote is why a reference out of a schema is refused.
var errRemote = errors.New("a schema may refer to nothing outside of itself")

// Schema is a compiled schema. It is safe for concurrent use.
type Schema struct {
	compiled *jsonschema.Schema
	document any
	quick    *quick   // or nil
	open     bool     // see CheckArguments
	names    sync.Map // []string by pointer, see known
}

// Compile compiles the JSON text of a schema, with at most 256 arrays and objects in
// each other. The error is for the log: it names places in the schema.
func Compile(raw []byte) (*Schema, error) {
	document, compiled, err := compile(raw, func(*jsonschema.Compiler) {})
	if err != nil {
		return nil, err
	}
	s := &Schema{compiled: compiled, document: document, quick: newQuick(compiled)}
	s.open = s.quick == nil || s.quick.isOpen()
	return s, nil
}

func compile(raw []byte, prepare func(*jsonschema.Compiler)) (document any, compiled *jsonschema.Schema, err error) {
	document, err = Decode(raw)
	if err != nil {
		return nil, nil, err
	}
	if Measure(raw).Depth > maxDepth {
		return nil, nil, errDepth
	}
	defer func() {
		if v := recover(); v != nil { // the compiler gives up so on some identifiers
			err = fmt.Errorf("the schema cannot be compiled: %v", v)
		}
	}()
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	prepare(compiler)
	if err := compiler.AddResource(location, document); err != nil {
		return nil, nil, err
	}
	compiled, err = compiler.Compile(location)
	return document, compiled, err
}

// noLoader keeps the compiler from files and the network.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errRemote }

// ErrCircle is for a schema that refers to itself and asks nothing of a value on the
// way. That is the mistake of its author, and no value satisfies it.
var ErrCircle = errors.New("the schema refers to itself in a circle")

const ruleCircle = "$ref"

// maxWork is how many steps the validator may take for data of this side.
const maxWork = 1_000_000

// Valid reports whether a value satisfies the schema; see [Schema.Check] for
// what a value may be. It is false for one that would take a million steps.
func (s *Schema) Valid(v any) bool {
	return s.quick != nil && s.quick.accepts(v) ||
		within(maxWork, s.compiled, v) && s.compiled.Validate(v) == nil
}

// Check returns what is wrong with a value, in the order of the paths, or nil.
// The value is one that encoding/json decodes into an any, with float64 or
// [json.Number] for numbers: a json.Number has to come from [Decode], which
// keeps away those that take a validator long. The error is for a value that would
// take it more steps than the most given, each a schema that is held against a
// value within: some microseconds if it does not fit; or it is [ErrCircle].
func (s *Schema) Check(v any, most int) ([]Problem, error) {
	if s.quick != nil && s.quick.accepts(v) {
		return nil, nil
	}
	if !within(most, s.compiled, v) {
		return nil, errWork
	}
	err := s.compiled.Validate(v)
	if err == nil {
		return nil, nil
	}
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) { // not reached: the validator has no other error
		return []Problem{{Rule: "schema"}}, nil
	}
	problems := sorted(s.flatten(failed))
	if slices.ContainsFunc(problems, func(p Problem) bool { return p.Rule == ruleCircle }) {
		return nil, ErrCircle
	}
	return problems, nil
}
