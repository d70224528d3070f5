package middleware

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxDefinitions is how many definitions a [perDefinition] knows at least before
// it forgets the one that was longest out of use. It is far above the 40 tools
// that a tenant should see, so that session tools fit too.
const maxDefinitions = 1024

// perDefinition remembers what was worked out from the definition of a tool, so
// that it is decided once and not on every call. A definition is the same as
// another if it has the same name and the very same schemas: not equal ones, but
// those in the same place in memory, as the copies have that a server hands out.
// What is worked out may depend on nothing else of the definition.
//
// It is safe for concurrent use; two calls that come first may both do the work,
// and one result stays. A hit allocates nothing. Of more than [maxDefinitions]
// those are forgotten that were not asked for in a while.
type perDefinition[T any] struct {
	work func(*mcp.Tool) T

	mu         sync.RWMutex
	young, old map[definitionID]known[T]
}

// known keeps the definition beside what was worked out: as long as it is there,
// no other can take its place in memory and pass for it.
type known[T any] struct {
	tool *mcp.Tool
	is   T
}

func newPerDefinition[T any](work func(*mcp.Tool) T) *perDefinition[T] {
	return &perDefinition[T]{work: work, young: map[definitionID]known[T]{}}
}

// of returns what was worked out for a definition, which must not be nil.
func (p *perDefinition[T]) of(tool *mcp.Tool) T {
	id, ok := identify(tool)
	if !ok {
		return p.work(tool)
	}
	p.mu.RLock()
	k, ok := p.young[id]
	p.mu.RUnlock()
	if ok {
		return k.is
	}
	return p.learn(id, tool)
}

func (p *perDefinition[T]) learn(id definitionID, tool *mcp.Tool) T {
	p.mu.RLock()
	k, ok := p.old[id]
	p.mu.RUnlock()
	if !ok {
		k = known[T]{tool, p.work(tool)}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if first, ok := p.young[id]; ok {
		return first.is
	}
	if len(p.young) >= maxDefinitions {
		p.young, p.old = map[definitionID]known[T]{}, p.young
	}
	p.young[id] = k
	return k.is
}

// definitionID says which definition a tool is a copy of.
type definitionID struct {
	name          string
	input, output schemaID
}

// schemaID is where a schema lies in memory: its text, or the parts of mcp-go's
// struct form.
type schemaID struct {
	raw                          *byte
	rawLen                       int
	kind                         string
	properties, defs, additional uintptr
	required                     *string
	requiredLen                  int
}

// identify reports false for a definition that has no place in memory to know it
// by.
func identify(tool *mcp.Tool) (definitionID, bool) {
	input, ok1 := identifySchema(tool.RawInputSchema, mcp.ToolArgumentsSchema(tool.InputSchema))
	output, ok2 := identifySchema(tool.RawOutputSchema, mcp.ToolArgumentsSchema(tool.OutputSchema))
	return definitionID{name: tool.Name, input: input, output: output}, ok1 && ok2
}

func identifySchema(raw json.RawMessage, s mcp.ToolArgumentsSchema) (schemaID, bool) {
	if len(raw) > 0 {
		return schemaID{raw: &raw[0], rawLen: len(raw)}, true
	}
	id := schemaID{
		kind:        s.Type,
		properties:  reflect.ValueOf(s.Properties).Pointer(),
		defs:        reflect.ValueOf(s.Defs).Pointer(),
		requiredLen: len(s.Required),
	}
	if len(s.Required) > 0 {
		id.required = &s.Required[0]
	}
	switch a := s.AdditionalProperties.(type) {
	case nil:
	case bool:
		id.additional = 1
		if a {
			id.additional = 2
		}
	default:
		switch v := reflect.ValueOf(a); v.Kind() {
		case reflect.Map, reflect.Pointer:
			id.additional = v.Pointer()
		default:
			return schemaID{}, false
		}
	}
	return id, true
}

// inputSchemaOf returns the JSON text of a tool's input schema, or nil if it
// declares none.
func inputSchemaOf(tool *mcp.Tool) (json.RawMessage, error) {
	return schemaText(tool.RawInputSchema, mcp.ToolArgumentsSchema(tool.InputSchema))
}

// outputSchemaOf returns the JSON text of a tool's output schema, or nil if it
// declares none.
func outputSchemaOf(tool *mcp.Tool) (json.RawMessage, error) {
	return schemaText(tool.RawOutputSchema, mcp.ToolArgumentsSchema(tool.OutputSchema))
}

func schemaText(raw json.RawMessage, s mcp.ToolArgumentsSchema) (json.RawMessage, error) {
	if len(raw) > 0 {
		return raw, nil
	}
	if s.Type == "" && s.Properties == nil && s.Required == nil && s.Defs == nil && s.AdditionalProperties == nil {
		return nil, nil
	}
	return json.Marshal(s)
}
