package middleware_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// grammar makes schemas of all that JSON Schema can say, and values that are meant
// to satisfy them. Unlike the other makers of this package it starts from the
// schema, so that definitions refer to each other in circles and combinations speak
// of the same members.
type grammar struct {
	*rand.Rand
	defs map[string]any
}

// secret must not come out of Redact.
const secret = "s3creto-9f2a7c"

func (g *grammar) one(of ...any) any { return of[g.IntN(len(of))] }

func (g *grammar) name() string {
	return g.one("fecha", "fecha_texto", "precio", "precio_texto", "moneda", "password", "cliente_id", "nota", "lista", "resultados",
		"limit", "total", "offset", "siguiente_offset", "telefono", "url", "tipo", "token").(string)
}

// document makes a schema for a whole result, whose definitions may contain
// themselves.
func (g *grammar) document() map[string]any {
	for i := range 3 {
		g.defs[fmt.Sprintf("d%d", i)] = true
	}
	for i := range 3 {
		g.defs[fmt.Sprintf("d%d", i)] = g.schema(2)
	}
	root := g.object(3)
	if g.IntN(2) == 0 {
		g.combine(root, 3)
	}
	root["$defs"] = g.defs
	return root
}

func (g *grammar) schema(depth int) any {
	if depth <= 0 {
		return g.scalar()
	}
	var s map[string]any
	switch g.IntN(10) {
	case 0, 1, 2:
		s = g.object(depth)
	case 3, 4, 5:
		s = g.array(depth)
	case 6:
		return map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", g.IntN(3))}
	case 7:
		return g.one(true, map[string]any{})
	default:
		s = g.scalar()
	}
	if g.IntN(4) == 0 {
		g.combine(s, depth)
	}
	return s
}

// combine adds what speaks of the same value once more.
func (g *grammar) combine(s map[string]any, depth int) {
	part := func() any {
		switch g.IntN(3) {
		case 0:
			return g.object(depth - 1)
		case 1:
			return g.rule()
		default:
			return g.schema(depth - 1)
		}
	}
	switch g.IntN(8) {
	case 0:
		s["allOf"] = []any{g.rule(), part()}
	case 1:
		s["anyOf"] = []any{part(), part()}
	case 2:
		s["oneOf"] = []any{g.rule(), part(), g.rule()}
	case 3:
		s["not"] = part()
	case 4, 5:
		s["if"] = part()
		s["then"] = g.one(part(), true)
		s["else"] = g.one(part(), true)
	case 6:
		s["allOf"] = []any{map[string]any{"oneOf": []any{part(), g.rule()}}, map[string]any{"anyOf": []any{g.rule(), part()}}}
	default:
		s["$ref"] = fmt.Sprintf("#/$defs/d%d", g.IntN(3))
	}
}

// rule is a demand on one keyword, which a change to the value may turn.
func (g *grammar) rule() any {
	n := g.IntN(6)
	return g.one(
		map[string]any{"maxItems": n}, map[string]any{"minItems": n}, map[string]any{"maxLength": 20 * n}, map[string]any{"minLength": 20 * n},
		map[string]any{"required": []any{g.name()}}, map[string]any{"maxProperties": n}, map[string]any{"minProperties": n},
		map[string]any{"properties": map[string]any{g.name(): g.scalar()}}, map[string]any{"properties": map[string]any{g.name(): map[string]any{"maxItems": n}}},
		map[string]any{"properties": map[string]any{g.name(): false}}, map[string]any{"contains": g.scalar()},
		map[string]any{"dependentRequired": map[string]any{g.name(): []any{g.name()}}}, map[string]any{"type": g.one("null", "string", "object", "array")},
		map[string]any{"patternProperties": map[string]any{g.one("_texto$", "^p", "o").(string): g.one(false, g.scalar())}},
		map[string]any{"maximum": n}, map[string]any{"pattern": "…$"}, map[string]any{"pattern": "^[^\\[]*$"}, map[string]any{"const": "otro"},
		map[string]any{"properties": map[string]any{"tipo": map[string]any{"const": g.one("a", "b")}}, "required": []any{"tipo"}},
	)
}

func (g *grammar) object(depth int) map[string]any {
	properties, required := map[string]any{}, []any{}
	for range 1 + g.IntN(6) {
		name := g.name()
		properties[name] = g.schema(depth - 1)
		if name == "tipo" {
			properties[name] = map[string]any{"enum": []any{"a", "b"}}
		}
		if g.IntN(3) == 0 && !slices.Contains(required, any(name)) {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": g.one("object", "object", []any{"object", "null"}), "properties": properties, "required": required}
	for _, extra := range []func(){
		func() { s["additionalProperties"] = g.one(false, g.scalar()) },
		func() { s["unevaluatedProperties"] = g.one(false, g.scalar()) },
		func() { s["patternProperties"] = map[string]any{g.one("_texto$", "^no", "id").(string): g.scalar()} },
		func() { s["propertyNames"] = map[string]any{"maxLength": 6 + g.IntN(8)} },
		func() { s["minProperties"] = g.IntN(4) },
		func() { s["maxProperties"] = 2 + g.IntN(6) },
		func() { s["dependentRequired"] = map[string]any{g.name(): []any{g.name()}} },
		func() { s["dependentSchemas"] = map[string]any{g.name(): g.rule()} },
	} {
		if g.IntN(7) == 0 {
			extra()
		}
	}
	return s
}

func (g *grammar) array(depth int) map[string]any {
	s := map[string]any{"type": "array", "items": g.schema(depth - 1)}
	for _, extra := range []func(){
		func() { s["prefixItems"] = []any{g.schema(depth - 1), g.schema(depth - 1)} },
		func() { s["contains"], s["minContains"] = g.scalar(), g.IntN(4) },
		func() { s["contains"], s["maxContains"] = g.schema(depth-1), 1+g.IntN(4) },
		func() { s["uniqueItems"] = true },
		func() { s["minItems"] = g.IntN(6) },
		func() { s["maxItems"] = 2 + g.IntN(20) },
		func() { delete(s, "items"); s["unevaluatedItems"] = g.one(false, g.scalar()) },
	} {
		if g.IntN(7) == 0 {
			extra()
		}
	}
	return s
}

func (g *grammar) scalar() map[string]any {
	switch g.IntN(12) {
	case 0:
		return map[string]any{"type": "integer", "minimum": g.IntN(3), "maximum": 1 << g.IntN(30)}
	case 1:
		return map[string]any{"type": []any{"number", "null"}, "multipleOf": 1}
	case 2:
		return map[string]any{"type": []any{"string", "null"}, "maxLength": 30 + g.IntN(400)}
	case 3:
		return map[string]any{"enum": []any{g.text(), nil, "otro"}}
	case 4:
		return map[string]any{"const": g.one(g.text(), 7, []any{1, 2, 3, 4}, map[string]any{"password": secret, "fecha": "2026-09-03"})}
	case 5:
		return map[string]any{"type": "string", "minLength": g.IntN(300)}
	case 6:
		return map[string]any{"type": "string", "pattern": g.one("o", "^.{0,90}$", "\\.$")}
	case 7:
		return map[string]any{"type": "string", "format": g.one("date", "uri", "email")}
	case 8:
		return map[string]any{"type": "string", "x-portavoz": g.one("money", "date", "phone", "digits", "skip")}
	default:
		return map[string]any{"type": "string"}
	}
}

func (g *grammar) text() string {
	return g.one("hola", "2026-09-03", "2026-09-03T09:00:00-05:00", "89900.00", "COP", "+573001234567", "vea https://ejemplo.com/a",
		"ana@ejemplo.com", "**hola** mundo", "PT30M", "", strings.Repeat("Se revisó todo. ", g.IntN(30)), "token: "+secret,
		"- uno\n- dos", strings.Repeat("ñandú ", g.IntN(60))).(string)
}

// value makes a value by the schema, as far as that is easy.
func (g *grammar) value(schema any, depth int) any {
	s, ok := schema.(map[string]any)
	if !ok || depth <= 0 {
		return g.one(g.text(), 7, nil, []any{}, map[string]any{})
	}
	if c, ok := s["const"]; ok {
		return c
	}
	if e, ok := s["enum"].([]any); ok {
		return g.one(e...)
	}
	v := g.plain(s, depth)
	parts := []any{}
	if ref, ok := s["$ref"].(string); ok {
		parts = append(parts, g.defs[strings.TrimPrefix(ref, "#/$defs/")])
	}
	all, _ := s["allOf"].([]any)
	parts = append(parts, all...)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := s[keyword].([]any); ok {
			parts = append(parts, g.one(branches...))
		}
	}
	if s["if"] != nil {
		parts = append(parts, g.one(s["then"], s["else"], s["if"]))
	}
	for _, part := range parts {
		more := g.value(part, depth-1)
		object, ok1 := v.(map[string]any)
		members, ok2 := more.(map[string]any)
		if ok1 && ok2 {
			maps.Copy(object, members)
		} else if g.IntN(2) == 0 || len(s) == 1 {
			v = more
		}
	}
	return v
}

// plain is a value of the type that the schema names.
func (g *grammar) plain(s map[string]any, depth int) any {
	kind := s["type"]
	if kinds, ok := kind.([]any); ok {
		kind = g.one(kinds...)
	}
	switch kind {
	case "object":
		object := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if g.IntN(4) > 0 || slices.Contains(required, any(name)) {
				object[name] = g.value(properties[name], depth-1)
			}
		}
		if s["additionalProperties"] == nil && g.IntN(3) == 0 {
			object[g.name()] = g.text()
		}
		if g.IntN(3) == 0 && object["moneda"] != nil {
			object["moneda"] = "COP"
		}
		return object
	case "array":
		prefix, _ := s["prefixItems"].([]any)
		list := []any{}
		least, _ := s["minItems"].(float64)
		for i := range int(least) + g.IntN(12)*g.IntN(2) {
			item := s["items"]
			if i < len(prefix) {
				item = prefix[i]
			} else if s["contains"] != nil && g.IntN(3) == 0 {
				item = s["contains"]
			}
			list = append(list, g.value(item, depth-1))
		}
		return list
	case "integer", "number":
		return g.one(0, 1, 3, 7, 10, json.Number("9007199254740993"))
	case "null":
		return nil
	case "string":
		if format := s["format"]; format != nil {
			return map[any]any{"date": "2026-09-03", "uri": "https://ejemplo.com/a", "email": "ana@ejemplo.com"}[format]
		}
	}
	return g.text()
}

// heldTo shapes a random result of a random schema. What was valid is valid
// afterwards, or a failure where the middleware may answer with one. It reports
// whether the data were valid.
func heldTo(t *testing.T, name string, mw server.ToolHandlerMiddleware, seed uint64, after func(*mcp.CallToolResult) string) bool {
	t.Helper()
	g := &grammar{rand.New(rand.NewPCG(seed, 11)), map[string]any{}}
	raw, err := json.Marshal(g.document())
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Compile(raw)
	if err != nil {
		t.Fatalf("seed %d: %v: %s", seed, err, raw)
	}
	root := make(map[string]any)
	_ = json.Unmarshal(raw, &root)
	found := false
	for range 12 {
		given, err := json.Marshal(g.value(root, 5))
		if err != nil {
			t.Fatal(err)
		}
		if !isValid(t, compiled, given) {
			continue
		}
		found = true
		tool := reads(string(raw))
		ctx := middleware.WithDefinition(t.Context(), tool.Name, &tool)
		req := request(nil)
		req.Params.Name = tool.Name
		got, err := mw(returns(anyKind(t, seed, string(given))))(ctx, req)
		if err != nil {
			continue // a refusal; Errors would make a failure of it
		}
		if wrong := after(got); wrong != "" {
			t.Errorf("%s, seed %d: %s: the schema\n%s\n and the data\n%s\nbecame\n%s", name, seed, wrong, raw, given, got.RawStructuredContent)
		}
		if !got.IsError && !isValid(t, compiled, got.RawStructuredContent) {
			t.Errorf("%s, seed %d: the schema\n%s\ntakes\n%s\nand not\n%s", name, seed, raw, given, got.RawStructuredContent)
		}
	}
	return found
}

// TestShapersKeepAnySchema: valid before implies valid after, for each of the three
// and for all together.
func TestShapersKeepAnySchema(t *testing.T) {
	t.Parallel()
	const limit = 500
	n := rounds(150)
	nothing := func(*mcp.CallToolResult) string { return "" }
	fits := func(res *mcp.CallToolResult) string {
		if units(string(res.RawStructuredContent)) > limit {
			return "it is too large"
		}
		return ""
	}
	clean := func(res *mcp.CallToolResult) string {
		if strings.Contains(string(res.RawStructuredContent), secret) {
			return "a secret came out"
		}
		return ""
	}
	for name, tt := range map[string]struct {
		mw    server.ToolHandlerMiddleware
		after func(*mcp.CallToolResult) string
	}{
		"Voice":  {middleware.Voice(middleware.VoiceConfig{Always: true, Now: inAugust}), nothing},
		"Budget": {middleware.Budget(middleware.BudgetConfig{Limit: limit}), fits},
		"Redact": {middleware.Redact(middleware.RedactConfig{HideIDs: true}), clean},
		"all":    {shapers(limit), func(res *mcp.CallToolResult) string { return fits(res) + clean(res) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			valid := 0
			for seed := range n {
				if heldTo(t, name, tt.mw, uint64(seed), tt.after) {
					valid++
				}
			}
			if valid < n/5 {
				t.Errorf("only %d of %d schemas had valid data", valid, n)
			}
		})
	}
}
