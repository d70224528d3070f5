package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// tool is what the live catalogue says of one.
type tool struct {
	name       string
	reads      bool // declared read-only
	idempotent bool // declared so
	input      map[string]any
	output     *jsonschema.Schema // nil: none, or none that compiles
	search     bool               // it has pages
	// sampled is a call that succeeded, with the arguments that it took; nil
	// until there was one.
	sampled map[string]any
}

// readTool reads a definition; nil if it is none.
func readTool(raw json.RawMessage) *tool {
	var d struct {
		Name         string          `json:"name"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
		Annotations  struct {
			ReadOnly   bool `json:"readOnlyHint"`
			Idempotent bool `json:"idempotentHint"`
		} `json:"annotations"`
	}
	if json.Unmarshal(raw, &d) != nil || d.Name == "" {
		return nil
	}
	t := &tool{name: d.Name, reads: d.Annotations.ReadOnly, idempotent: d.Annotations.Idempotent, input: map[string]any{}}
	if outsized(d.InputSchema) || decode(d.InputSchema, &t.input) != nil || t.input == nil {
		t.input = map[string]any{}
	}
	t.output = compileSchema(d.OutputSchema)
	properties := t.properties()
	_, limits := properties["limit"]
	_, offsets := properties["offset"]
	t.search = limits && offsets
	return t
}

func (t *tool) properties() map[string]any {
	properties, _ := t.input["properties"].(map[string]any)
	return properties
}

// compileSchema returns nil for a schema that is not there or not valid, which
// the rules for definitions say. It reads nothing from outside of the schema.
func compileSchema(raw json.RawMessage) *jsonschema.Schema {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil || outsized(raw) {
		return nil
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	if err := compiler.AddResource("output.json", document); err != nil {
		return nil
	}
	schema, err := compiler.Compile("output.json")
	if err != nil {
		return nil
	}
	return schema
}

// outsized reports whether a schema is so deep or so large that a compiler would take
// minutes; schema-invalid says so.
func outsized(raw []byte) bool {
	const mostLevels, mostContainers = 128, 5_000
	levels, deepest, containers := 0, 0, 0
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.Token()
		if err != nil {
			return deepest > mostLevels || containers > mostContainers
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			levels, containers = levels+1, containers+1
			deepest = max(deepest, levels)
		case json.Delim('}'), json.Delim(']'):
			levels--
		}
	}
}

// violation holds data against the output schema: a place and the keyword that is
// broken there, "" if none is.
func (t *tool) violation(data json.RawMessage) (pointer, problem string) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return "", "not JSON"
	}
	err = t.output.Validate(value)
	invalid, ok := err.(*jsonschema.ValidationError) //nolint:errorlint // returned as it is
	if !ok {
		return "", ""
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	var path strings.Builder
	for _, step := range invalid.InstanceLocation {
		path.WriteString("/" + escape(step))
	}
	pointer = path.String()
	keywords := invalid.ErrorKind.KeywordPath()
	if len(keywords) == 0 {
		return pointer, "schema"
	}
	return pointer, keywords[0]
}
