package main_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// checkSchema holds the data of a result against the tool's outputSchema.
func checkSchema(t *testing.T, tool definition, data json.RawMessage) {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.OutputSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("output.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("output.json")
	if err != nil {
		t.Fatalf("%s: outputSchema: %v", tool.Name, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("%s: the result breaks its schema: %v", tool.Name, err)
	}
}
