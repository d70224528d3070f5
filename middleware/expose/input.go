package expose

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware/internal/document"
)

// input is what the input schema of one action says.
type input struct {
	raw     json.RawMessage // closed
	root    object
	fields  []*field // in the order of the declaration
	named   map[string]*field
	defs    map[string]*def // what the fields refer to, by reference
	headers bool            // an argument travels in a header, too (SEP-2243)
	open    bool            // it may take arguments that are not in fields
	// apart is why the schema does not fit into one with others; "" if it does.
	apart string
	// unshown are the rules for the arguments as a whole that a grouped schema
	// leaves out.
	unshown []string
}

// field is one argument of an action.
type field struct {
	name        string
	schema      object
	required    bool
	types       typeSet
	refers      bool   // the schema holds references
	description string // of the schema
}

var (
	// wholeKeywords hold for the arguments as a whole and can say of fields what
	// "properties" does not.
	wholeKeywords = []string{
		"$dynamicRef", "$recursiveRef", "$ref", "allOf", "anyOf", "dependencies", "dependentSchemas", "if", "not",
		"oneOf", "patternProperties", "unevaluatedProperties",
	}
	// unshownKeywords hold for the arguments as a whole and add no fields.
	unshownKeywords = []string{"dependentRequired", "maxProperties", "minProperties", "propertyNames"}
	// identityKeywords give a place in a schema a name that holds in this schema only.
	identityKeywords = []string{"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "id"}
)

// emptyInput is the schema of an action without arguments.
const emptyInput = `{"type":"object","properties":{},"additionalProperties":false}`

// readInput reads the input schema of a definition.
func readInput(tool *mcp.Tool) (*input, error) {
	raw, err := declaredInput(tool)
	if err != nil {
		return nil, err
	}
	doc, err := document.Parse(raw)
	if err != nil {
		return nil, err
	}
	v, err := decode(raw)
	if err != nil {
		return nil, err
	}
	root, ok := v.(object)
	if !ok {
		return nil, errors.New("it is no object")
	}
	if t, ok := root["type"]; ok && t != "object" {
		return nil, errors.New(`its type is not "object"`)
	}
	in := &input{root: root, named: map[string]*field{}, defs: map[string]*def{}}
	if err := in.close(doc); err != nil {
		return nil, err
	}
	if err := check(root, in.raw); err != nil {
		return nil, err
	}
	visit(root, func(s object) {
		_, sends := s[headerKeyword]
		in.headers = in.headers || sends
	})
	in.readFields(doc)
	in.judge()
	if err := in.readDefs(); err != nil {
		return nil, err
	}
	return in, nil
}

// declaredInput returns the text of the schema in either of mcp-go's forms. A tool
// of mcp.NewTool with a raw schema has an empty one of the other form, too.
func declaredInput(tool *mcp.Tool) (json.RawMessage, error) {
	s := tool.InputSchema
	switch {
	case len(tool.RawInputSchema) > 0 && (len(s.Properties) > 0 || len(s.Required) > 0 || len(s.Defs) > 0):
		return nil, errors.New("there are two, a raw one and one of options")
	case len(tool.RawInputSchema) > 0:
		return tool.RawInputSchema, nil
	case s.Type == "" && s.Properties == nil && s.AdditionalProperties == nil:
		return json.RawMessage(emptyInput), nil
	}
	return json.Marshal(s)
}

// close makes the schema refuse fields that it does not name, unless it says
// something about them.
func (in *input) close(doc *document.Document) error {
	if _, ok := in.root["type"]; !ok {
		in.root["type"] = "object"
		doc.Root().Put("type", nil).SetText("object")
	}
	in.raw = doc.JSON()
	if _, ok := in.root["additionalProperties"]; ok {
		return nil
	}
	for _, keyword := range wholeKeywords {
		if _, ok := in.root[keyword]; ok && keyword != "patternProperties" && keyword != "not" { // which admit no field that is not named
			return nil
		}
	}
	if err := in.nameRequired(doc); err != nil {
		return err
	}
	in.root["additionalProperties"] = false
	if err := doc.Root().Put("additionalProperties", nil).SetJSON([]byte("false")); err != nil {
		return err
	}
	in.raw = doc.JSON()
	return nil
}

// nameRequired adds the fields that are required and not described: they may be
// anything.
func (in *input) nameRequired(doc *document.Document) error {
	required, _ := in.root["required"].([]any)
	for _, r := range required {
		properties, described := in.root["properties"].(object)
		name, ok := r.(string)
		if _, named := properties[name]; named || !ok {
			continue
		}
		at := doc.Root().Put("properties", nil)
		if !described {
			properties = object{}
			in.root["properties"] = properties
			if err := at.SetJSON([]byte("{}")); err != nil {
				return err
			}
		}
		properties[name] = object{}
		if err := at.Put(name, nil).SetJSON([]byte("{}")); err != nil {
			return err
		}
	}
	return nil
}

func (in *input) readFields(doc *document.Document) {
	properties, _ := in.root["properties"].(object)
	required, _ := in.root["required"].([]any)
	for child := range doc.Root().Get("properties").Children() {
		in.addField(child.Name(), properties[child.Name()], required)
	}
}

// addField adds a field once. One that is forbidden is none.
func (in *input) addField(name string, value any, required []any) {
	if _, ok := in.named[name]; ok || value == false {
		return
	}
	s, _ := value.(object)
	f := &field{name: name, schema: s, required: slices.Contains(required, any(name)), types: typesOf(value, in.lookup)}
	f.description, _ = s["description"].(string)
	in.named[name] = f
	in.fields = append(in.fields, f)
}

// judge decides which arguments the schema takes, whether it fits into one with others,
// and what of it would not be seen there.
func (in *input) judge() {
	_, patterns := in.root["patternProperties"]
	_, refers := in.root["$ref"] // beside which older drafts ignore everything
	in.open = patterns || refers || !refusesAll(in.root["additionalProperties"])
	if a, ok := in.root["additionalProperties"]; ok && !refusesAll(a) {
		in.apart = "it takes fields that it does not name (additionalProperties)"
		return
	}
	for _, keyword := range wholeKeywords {
		if _, ok := in.root[keyword]; ok {
			in.apart = "it has " + keyword + " for the arguments as a whole"
			return
		}
	}
	if keyword := identifies(in.root); keyword != "" {
		in.apart = "it names a part of itself with " + keyword
		return
	}
	for _, keyword := range unshownKeywords {
		if _, ok := in.root[keyword]; ok {
			in.unshown = append(in.unshown, keyword)
		}
	}
}

// identifies returns the keyword by which a schema gives a part of itself a name, or
// refers to such a name; "" if it does not.
func identifies(schema object) (by string) {
	visit(schema, func(s object) {
		for _, keyword := range identityKeywords {
			if _, ok := s[keyword]; ok {
				by = max(by, keyword)
			}
		}
	})
	return by
}

// refusesAll reports whether no value satisfies a schema, in the two ways in which
// closed objects are written.
func refusesAll(s any) bool {
	if s == false {
		return true
	}
	o, ok := s.(object)
	if !ok || len(o) != 1 {
		return false
	}
	not, ok := o["not"]
	everything, isObject := not.(object)
	return ok && (not == true || isObject && len(everything) == 0)
}

// draft is what the schema says about the dialect that it is written in.
func (in *input) draft() string {
	draft, _ := in.root["$schema"].(string)
	return draft
}
