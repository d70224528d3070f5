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
	"github.com/portavoz/portavoz/voice"
)

// sample makes random results, and schemas that they mostly satisfy.
type sample struct {
	*rand.Rand
	defs map[string]any
}

func (s *sample) one(of ...any) any { return of[s.IntN(len(of))] }

func (s *sample) data(depth int) any {
	kind := s.IntN(10)
	if depth == 0 && kind < 5 {
		kind += 5
	}
	switch {
	case kind < 3:
		object := map[string]any{}
		for range s.IntN(5) {
			name := s.one("fecha", "fecha_texto", "precio", "moneda", "nombre", "tipo", "limit", "total", "telefono", "lista", "nota", "url").(string)
			object[name] = s.data(depth - 1)
			if name == "moneda" {
				object[name] = "COP"
			}
			if name == "tipo" {
				object[name] = s.one("a", "b")
			}
		}
		return object
	case kind < 5:
		list := make([]any, s.IntN(7))
		for i := range list {
			list[i] = s.data(depth - 1)
		}
		return list
	case kind < 6:
		return s.one(nil, true, json.Number("9007199254740993"), json.Number("89900.40"), json.Number("10"))
	default:
		return s.one("", "hola", "2026-09-03", "2026-09-03T09:00:00-05:00", "89900.00", "+573001234567", "vea https://ejemplo.com/a",
			"ana@ejemplo.com", "**hola** mundo", "@clinica", "factura-2026.pdf", "- uno\n- dos", "C-100", "PT30M", "15:30")
	}
}

// schemaOf describes a value, with rules drawn at random around it.
func (s *sample) schemaOf(v any, depth int) any {
	described := map[string]any{}
	switch t := v.(type) {
	case map[string]any:
		described["type"] = "object"
		properties := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(t)) {
			properties[name] = s.schemaOf(t[name], depth+1)
		}
		if s.IntN(3) == 0 {
			properties["fecha_texto"] = s.one(map[string]any{"type": "string"}, map[string]any{"type": []any{"string", "null"}}, map[string]any{"type": "number"}, false)
		}
		described["properties"] = properties
		s.sprinkle(described, map[string]any{
			"additionalProperties": s.one(false, true, map[string]any{"type": "number"}), "unevaluatedProperties": false,
			"maxProperties": len(t), "minProperties": len(t), "propertyNames": map[string]any{"maxLength": 8},
			"dependentRequired": map[string]any{"fecha_texto": []any{"nada"}}, "required": append([]string{}, slices.Sorted(maps.Keys(t))...),
			"patternProperties": map[string]any{"_texto$": map[string]any{"maxLength": 10}},
			"dependentSchemas":  map[string]any{"fecha_texto": map[string]any{"maxProperties": 3}},
		})
	case []any:
		described["type"] = "array"
		branches := []any{}
		for _, item := range t {
			branches = append(branches, s.schemaOf(item, depth+1))
		}
		if len(branches) > 0 && s.IntN(8) == 0 {
			described["prefixItems"] = branches
		} else if len(branches) > 0 {
			described["items"] = map[string]any{s.one("anyOf", "anyOf", "oneOf").(string): branches}
		}
		s.sprinkle(described, map[string]any{
			"minItems": len(t), "maxItems": len(t), "uniqueItems": true,
			"unevaluatedItems": false,
		})
		if len(t) > 0 && s.IntN(4) == 0 {
			described["contains"] = map[string]any{"const": t[len(t)-1]}
		}
	case string:
		described["type"] = "string"
		s.sprinkle(described, map[string]any{
			"maxLength": len(t), "minLength": len(t), "enum": []any{t, "otro"}, "const": t, "pattern": "^[a-zA-Z0-9*@]", "format": "uri",
			"x-portavoz": s.one("money", "date", "phone", "digits", "skip", "otra cosa"),
		})
	case json.Number:
		described["type"] = "number"
		s.sprinkle(described, map[string]any{"minimum": t, "multipleOf": 1, "const": t})
	default:
		described["type"] = s.one([]any{"null", "boolean", "string"}, "null", "boolean")
	}
	if s.IntN(4) == 0 {
		return s.combine(described, v)
	}
	return described
}

// sprinkle adds few of the rules.
func (s *sample) sprinkle(described, rules map[string]any) {
	for _, keyword := range slices.Sorted(maps.Keys(rules)) {
		if s.IntN(9) == 0 && rules[keyword] != nil {
			described[keyword] = rules[keyword]
		}
	}
}

// combine hides a schema in others.
func (s *sample) combine(described map[string]any, v any) any {
	null := map[string]any{"type": "null"}
	other := turning(v)
	switch s.IntN(9) {
	case 0:
		name := fmt.Sprintf("d%d", len(s.defs))
		s.defs[name] = described
		return map[string]any{"$ref": "#/$defs/" + name}
	case 1:
		return map[string]any{"oneOf": []any{described, null}}
	case 2:
		return map[string]any{"oneOf": []any{described, other}}
	case 3:
		return map[string]any{"anyOf": []any{described, other}}
	case 4:
		return map[string]any{"allOf": []any{described, map[string]any{"maxItems": 6}}}
	case 5:
		return map[string]any{"not": other, "anyOf": []any{described}}
	case 6:
		return map[string]any{"if": other, "then": false, "else": described}
	case 7:
		tagged := maps.Clone(described)
		tagged["properties"] = map[string]any{"tipo": map[string]any{"const": "b"}}
		tagged["additionalProperties"] = false
		return map[string]any{"oneOf": []any{described, tagged}}
	default:
		return map[string]any{"enum": []any{v, 7}}
	}
}

// turning is a schema that refuses most values and takes what becomes of them when
// they are shaped.
func turning(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"fecha", "precio", "telefono"} {
			if v[name] != nil {
				return map[string]any{"type": "object", "required": []any{name + "_texto"}}
			}
		}
		return map[string]any{"type": "object", "properties": map[string]any{
			"lista": map[string]any{"maxItems": 3}, "nota": map[string]any{"maxLength": 9}, "limit": map[string]any{"maximum": 3}}}
	case []any:
		if len(v) <= 3 {
			return map[string]any{"items": map[string]any{"maxLength": 9, "maxItems": 3, "maximum": 3}}
		}
		return map[string]any{"type": "array", "maxItems": 3}
	default:
		return map[string]any{"type": "string", "maxLength": 9}
	}
}

// heldToSchema shapes random data of a random schema. What was valid is valid
// afterwards, and on every schema the result is within the rules as far as the
// schema lets it. It reports whether the data were valid.
func heldToSchema(t *testing.T, mw server.ToolHandlerMiddleware, seed uint64) bool {
	t.Helper()
	s := &sample{rand.New(rand.NewPCG(seed, 7)), map[string]any{}}
	data := map[string]any{"lista": s.data(3), "fecha": "2026-09-03", "otro": s.data(2)}
	described, ok := s.schemaOf(data, 0).(map[string]any)
	if !ok {
		return false
	}
	described["$defs"] = s.defs
	raw, err := json.Marshal(described)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Compile(raw)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	given, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	if !isValid(t, compiled, given) {
		return false
	}
	res := anyKind(t, seed, string(given))
	got := callTool(t, reads(string(raw)), onVoice, returns(res), mw)
	if !isValid(t, compiled, got.Data) {
		t.Errorf("seed %d: the schema\n%s\ntakes\n%s\nand not\n%s", seed, raw, given, got.Data)
	}
	if chat, err := mw(returns(res))(t.Context(), onChannel("chat")); chat != res || err != nil {
		t.Errorf("seed %d: in chat the result became %v, %v", seed, chat, err)
	}
	links := strings.Contains(string(raw), `"format":"uri"`)
	sameOriginals(t, decodeNumbers(t, string(given)), decodeNumbers(t, string(got.Data)), links)
	return true
}

// sameOriginals holds what is heard to what is read in chat: every member and the
// first elements of every list are there, as they are, but for the page's numbers and
// texts with something in them that nobody can listen to; what is more are texts
// beside a member. What the schema says is a link may become null.
func sameOriginals(t *testing.T, read, heard any, links bool) {
	t.Helper()
	switch read := read.(type) {
	case map[string]any:
		object, _ := heard.(map[string]any)
		for name, member := range read {
			said, there := object[name]
			if _, beside := read[strings.TrimSuffix(name, "_texto")]; !there || strings.HasSuffix(name, "_texto") && beside || name == "limit" {
				if !there {
					t.Errorf("%q is lost: %v became %v", name, read, heard)
				}
				continue
			}
			sameOriginals(t, member, said, links)
		}
		for name := range object {
			base, isText := strings.CutSuffix(name, "_texto")
			if _, was := read[name]; !was && (!isText || read[base] == nil) {
				t.Errorf("%q is new: %v became %v", name, read, heard)
			}
		}
	case []any:
		list, isList := heard.([]any)
		if !isList || len(list) > len(read) || len(list) < min(len(read), 3) {
			t.Errorf("%v became %v", read, heard)
			return
		}
		for i := range list {
			sameOriginals(t, read[i], list[i], links)
		}
	case string:
		if heard != any(read) && !strings.ContainsAny(read, "@/*.-") && !(links && heard == nil) {
			t.Errorf("%q became %v", read, heard)
		}
	default:
		if heard != read {
			t.Errorf("%v became %v", read, heard)
		}
	}
}

func isValid(t *testing.T, s *schema.Schema, raw []byte) bool {
	t.Helper()
	v, err := schema.Decode(raw)
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return s.Valid(v)
}

// TestVoiceKeepsSchemas: valid before implies valid after.
func TestVoiceKeepsSchemas(t *testing.T) {
	t.Parallel()
	n := rounds(600)
	mw, valid := middleware.Voice(inBogota()), 0
	for seed := range n {
		if heldToSchema(t, mw, uint64(seed)) {
			valid++
		}
	}
	if valid < n/10 {
		t.Errorf("only %d of %d samples were valid", valid, n)
	}
}

func FuzzVoiceKeepsSchemas(f *testing.F) {
	mw := middleware.Voice(inBogota())
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { heldToSchema(t, mw, seed) })
}

// FuzzVoice shapes any JSON: the answer is JSON, no list is longer than three,
// nothing that must not be heard is left in a text, and shaping that again changes
// nothing. The handler's data are as they were.
func FuzzVoice(f *testing.F) {
	for _, seed := range []string{
		`{"resultados":[1,2,3,4],"total":4,"limit":10,"offset":0}`, `[[1,2,3,4],[],[[1,2,3,4]]]`, `{"a":"vea https://x.co/a y ana@x.co"}`,
		`{"a":"@ana","b":"x.pdf","c":"https://ejemplo.com","id":"www.ejemplo.com"}`, `{"fecha":"2026-09-03","fecha":"2026-09-04"}`,
		`{"moneda":"COP","precio":1e400,"valor":"89.900","saldo":9007199254740993}`, `"ana@x.co"`, `null`, `{"a_texto":"","a":"2026-01-01T00:00:00Z"}`,
		`{"a":"| a | b |\n|---|---|\n| 1 | 2 |","b":"&#64;ana &lt;x&gt;","c":"ana\u200b@x.co","d":"ｅjemplo．com","e":"@*ana b"}`, `"@AA"`,
	} {
		f.Add(seed, "Vea https://x.co.")
	}
	mw := middleware.Voice(inBogota())
	f.Fuzz(func(t *testing.T, data, text string) {
		if !json.Valid([]byte(data)) {
			return
		}
		given := []byte(data)
		res := &mcp.CallToolResult{RawStructuredContent: given, Content: []mcp.Content{mcp.NewTextContent(text)}}
		got, err := mw(returns(res))(t.Context(), onChannel("voice"))
		if err != nil {
			t.Fatal(err)
		}
		if string(given) != data {
			t.Errorf("the handler's data became %s", given)
		}
		if !json.Valid(got.RawStructuredContent) {
			t.Fatalf("not JSON: %s", got.RawStructuredContent)
		}
		if strings.Count(data, "[")+strings.Count(data, "{") < 400 { // deeper data pass as they are
			fitToHear(t, decodeNumbers(t, string(got.RawStructuredContent)))
		}
		again, err := mw(returns(got))(t.Context(), onChannel("voice"))
		if err != nil || string(again.RawStructuredContent) != string(got.RawStructuredContent) {
			t.Errorf("shaped twice: %s, %v, want %s", again.RawStructuredContent, err, got.RawStructuredContent)
		}
		for _, c := range got.Content {
			said := mcp.GetTextFromContent(c)
			if strings.ContainsAny(said, "0123456789") {
				t.Errorf("digits are said: %q", said)
			}
			cleanToHear(t, said)
		}
	})
}

// fitToHear holds data to the rules for the phone.
func fitToHear(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case string:
		cleanToHear(t, v)
	case []any:
		if len(v) > 3 {
			t.Errorf("a list has %d elements: %v", len(v), v)
		}
		for _, item := range v {
			fitToHear(t, item)
		}
	case map[string]any:
		for _, member := range v {
			fitToHear(t, member)
		}
	}
}

func cleanToHear(t *testing.T, text string) {
	t.Helper()
	for _, p := range voice.CO.Clean(text).Removed {
		switch p.Kind {
		case voice.PieceURL, voice.PieceEmail, voice.PieceHandle:
			t.Errorf("%q holds the %s %q", text, p.Kind, p.Text)
		default: // left where it names something
		}
	}
}
