package middleware_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// rounds is how often a property is tried: n times, ten times as often where
// there is time.
func rounds(n int) int {
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		return 10 * n
	}
	return n
}

// units is the length of a text as the gateway's runtime counts it.
func units(s string) int { return len(utf16.Encode([]rune(s))) }

// reply is a result as a client reads it.
type reply struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Data    json.RawMessage `json:"structuredContent"`
	IsError bool            `json:"isError"`
	Meta    map[string]any  `json:"_meta"`
}

// text joins the text blocks.
func (r *reply) text() string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// code is the code of a failure.
func (r *reply) code() string {
	var failure struct {
		Error struct {
			Details struct {
				Code string `json:"code"`
			} `json:"details"`
		} `json:"error"`
	}
	_ = json.Unmarshal(r.Data, &failure)
	return failure.Error.Details.Code
}

// callTool calls a tool of a server, which is where a definition is known, and
// returns what the client gets.
func callTool(t testing.TB, tool mcp.Tool, meta string, h handler, mws ...server.ToolHandlerMiddleware) *reply {
	t.Helper()
	srv := server.NewMCPServer("prueba", "1.0.0")
	srv.Use(mws...)
	srv.AddTool(tool, h)
	raw := answer(t.Context(), t, srv, modernCall(tool.Name, `{}`, meta))
	var message struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal([]byte(raw), &message); err != nil || message.Error != nil {
		t.Fatalf("the answer is %s, %v", raw, err)
	}
	r := new(reply)
	if err := json.Unmarshal(message.Result, r); err != nil {
		t.Fatalf("the result is %s: %v", message.Result, err)
	}
	return r
}

// reads is a tool that is declared read-only, with an output schema or without.
func reads(schema string) mcp.Tool {
	tool := mcp.NewTool("consultar_prueba", mcp.WithReadOnlyHintAnnotation(true))
	if schema != "" {
		tool.RawOutputSchema = json.RawMessage(schema)
	}
	return tool
}

// writes is a tool that has an effect.
func writes(schema string) mcp.Tool {
	tool := reads(schema)
	tool.Name = "crear_prueba"
	tool.Annotations.ReadOnlyHint = mcp.ToBoolPtr(false)
	return tool
}

// structured is a result with this data as the bytes that the client gets.
func structured(raw, text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{RawStructuredContent: json.RawMessage(raw), Content: []mcp.Content{mcp.NewTextContent(text)}}
}

// kindsOf are the ways in which a handler can return the same data.
func kindsOf(t testing.TB, raw string) map[string]*mcp.CallToolResult {
	t.Helper()
	text := []mcp.Content{mcp.NewTextContent("Listo.")}
	decoded := decodeNumbers(t, raw)
	return map[string]*mcp.CallToolResult{
		"raw":         {Content: text, RawStructuredContent: json.RawMessage(raw)},
		"raw message": {Content: text, StructuredContent: json.RawMessage(raw)},
		"decoded":     {Content: text, StructuredContent: decoded},
		"struct":      {Content: text, StructuredContent: asStruct(decoded)},
		"both":        {Content: text, StructuredContent: "lo que no cuenta", RawStructuredContent: json.RawMessage(raw)},
	}
}

// anyKind is a result of one of those kinds, each in its turn, without a text. Null
// that is decoded is no data at all.
func anyKind(t testing.TB, turn uint64, raw string) *mcp.CallToolResult {
	t.Helper()
	kinds := kindsOf(t, raw)
	names := slices.Sorted(maps.Keys(kinds))
	res := kinds[names[turn%uint64(len(names))]]
	if raw == "null" {
		res = kinds["raw"]
	}
	res.Content = nil
	return res
}

// decodeNumbers keeps numbers as they are written.
func decodeNumbers(t testing.TB, raw string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s is not JSON: %v", raw, err)
	}
	return v
}

// asStruct makes structs of objects, with names as tags.
func asStruct(v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		fields := make([]reflect.StructField, len(names))
		values := make([]any, len(names))
		for i, name := range names {
			values[i] = asStruct(v[name])
			fields[i] = reflect.StructField{
				Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[any](),
				Tag: reflect.StructTag(fmt.Sprintf("json:%q", name)),
			}
		}
		s := reflect.New(reflect.StructOf(fields)).Elem()
		for i, value := range values {
			if value != nil {
				s.Field(i).Set(reflect.ValueOf(value))
			}
		}
		return s.Interface()
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = asStruct(v[i])
		}
		return list
	}
	return v
}

// valid reports whether data satisfies a schema.
func valid(t testing.TB, schema string, data []byte) bool {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", parsed); err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	s, err := c.Compile("mem:///s")
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	return err == nil && s.Validate(v) == nil
}

// maker makes schemas and values that satisfy them.
type maker struct {
	rng    *rand.Rand
	values func(*maker) string // texts without a form of their own
}

func newMaker(seed uint64) *maker {
	return &maker{rng: rand.New(rand.NewPCG(seed, 7)), values: (*maker).prose}
}

// object makes the schema of an object, with a definition that it refers to, and a
// value.
func (m *maker) object(depth int) (schema string, value string) {
	inner, example := m.value(depth - 1)
	definition := inner
	schema, value = m.members(depth, func() (string, string) { return `{"$ref":"#/$defs/parte"}`, example })
	return strings.TrimSuffix(schema, "}") + `,"$defs":{"parte":` + definition + `}}`, value
}

func (m *maker) members(depth int, ref func() (string, string)) (schema string, value string) {
	var properties, required, members []string
	for i := range 1 + m.rng.IntN(5) {
		name := fmt.Sprintf("%s_%d", m.pick("nota", "lista", "valor", "estado", "parte"), i)
		s, v := m.value(depth - 1)
		if m.rng.IntN(4) == 0 && ref != nil {
			s, v = ref()
		}
		properties = append(properties, fmt.Sprintf("%q:%s", name, s))
		if m.rng.IntN(2) == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
		members = append(members, fmt.Sprintf("%q:%s", name, v))
	}
	closed := m.pick(`,"additionalProperties":false`, ``, `,"minProperties":1`, `,"maxProperties":20`)
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]%s}`, strings.Join(properties, ","), strings.Join(required, ","), closed),
		"{" + strings.Join(members, ",") + "}"
}

// value makes a schema and a value of any kind.
func (m *maker) value(depth int) (schema string, value string) {
	if depth > 0 {
		switch m.rng.IntN(4) {
		case 0:
			return m.members(depth, nil)
		case 1:
			return m.list(depth)
		case 2:
			return m.branches(depth)
		}
	}
	text := m.values(m)
	quoted, _ := json.Marshal(text)
	switch m.rng.IntN(9) {
	case 0:
		return `{"type":"integer","minimum":0}`, strconv.Itoa(m.rng.IntN(1 << 30))
	case 1:
		return `{"type":["string","null"]}`, m.pick("null", string(quoted))
	case 2:
		return fmt.Sprintf(`{"enum":[%s,"otro"]}`, quoted), string(quoted)
	case 3:
		return fmt.Sprintf(`{"type":"string","minLength":%d}`, len([]rune(text))/(1+m.rng.IntN(3))), string(quoted)
	case 4:
		return `{"type":"string","pattern":"[a-z.]$"}`, string(quoted)
	case 5:
		return `{"type":"string","format":"date"}`, `"2026-09-03"`
	default:
		return fmt.Sprintf(`{"type":"string","maxLength":%d}`, 10+len([]rune(text))), string(quoted)
	}
}

// list makes a list of one value several times, or of texts that differ.
func (m *maker) list(depth int) (schema string, value string) {
	n := m.rng.IntN(12)
	items := make([]string, n)
	if m.rng.IntN(3) == 0 {
		for i := range items {
			quoted, _ := json.Marshal(strconv.Itoa(i) + " " + m.values(m))
			items[i] = string(quoted)
		}
		return `{"type":"array","items":{"type":"string"},"uniqueItems":true}`, "[" + strings.Join(items, ",") + "]"
	}
	item, v := m.value(depth - 1)
	for i := range items {
		items[i] = v
	}
	extra := m.pick(``, ``, fmt.Sprintf(`,"minItems":%d`, n/2), `,"maxItems":30`)
	if n > 0 && m.rng.IntN(6) == 0 {
		extra += fmt.Sprintf(`,"contains":{"enum":[%s]},"minContains":%d`, v, n/2)
	}
	return fmt.Sprintf(`{"type":"array","items":%s%s}`, item, extra), "[" + strings.Join(items, ",") + "]"
}

// branches makes a union: told apart by a member, or by the kind alone.
func (m *maker) branches(depth int) (schema string, value string) {
	keyword := m.pick("oneOf", "anyOf")
	if m.rng.IntN(2) == 0 {
		s, v := m.members(depth, nil)
		return fmt.Sprintf(`{%q:[{"type":"null"},%s]}`, keyword, s), v
	}
	s, v := m.value(depth - 1)
	tagged := func(tag, schema string) string {
		return fmt.Sprintf(`{"type":"object","properties":{"tipo":{"const":%q},"dato":%s},"required":["tipo"]}`, tag, schema)
	}
	return fmt.Sprintf(`{%q:[%s,%s]}`, keyword, tagged("a", s), tagged("b", `{"type":"string","maxLength":3}`)),
		fmt.Sprintf(`{"tipo":"a","dato":%s}`, v)
}

func (m *maker) pick(from ...string) string { return from[m.rng.IntN(len(from))] }

// prose is some sentences, with what is not ASCII.
func (m *maker) prose() string {
	var words []string
	for range m.rng.IntN(60) {
		words = append(words, m.pick("el", "caso", "está", "abierto.", "Ñandú", "👩‍👩‍👧", "e\u0301l", "\"comillas\"", "línea\n", "🇨🇴", "fin.", "a"))
	}
	return strings.Join(append(words, "fin."), " ")
}
