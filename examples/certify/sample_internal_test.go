package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func schemaOf(t *testing.T, raw string) *tool {
	t.Helper()
	read := readTool([]byte(`{"name":"t","inputSchema":` + raw + `}`))
	if read == nil {
		t.Fatalf("no tool in %s", raw)
	}
	return read
}

// satisfies holds arguments against a schema.
func satisfies(t *testing.T, raw string, args map[string]any) error {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	if err := compiler.AddResource("input.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("input.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(mustJSON(args)))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// TestArguments makes samples of schemas, and holds them against these.
func TestArguments(t *testing.T) {
	t.Parallel()
	property := func(schema string) string {
		return `{"type":"object","properties":{"x":` + schema + `},"required":["x"],"$defs":{"d":{"type":"string","enum":["uno","dos"]}}}`
	}
	for name, tt := range map[string]struct{ schema, want string }{
		"examples":        {property(`{"type":"string","examples":["a","b"],"default":"c"}`), `{"x":"a"}`},
		"default":         {property(`{"type":"string","default":"c","enum":["b","c"]}`), `{"x":"c"}`},
		"enum":            {property(`{"type":["string","null"],"enum":[null,"b"]}`), `{"x":"b"}`},
		"const":           {property(`{"const":7}`), `{"x":7}`},
		"reference":       {property(`{"$ref":"#/$defs/d"}`), `{"x":"uno"}`},
		"union":           {property(`{"anyOf":[{"type":"null"},{"type":"integer","minimum":5}]}`), `{"x":5}`},
		"minimum":         {property(`{"type":"integer","minimum":5}`), `{"x":5}`},
		"maximum":         {property(`{"type":"integer","maximum":-3}`), `{"x":-3}`},
		"exclusive":       {property(`{"type":"integer","exclusiveMinimum":5}`), `{"x":6}`},
		"step":            {property(`{"type":"number","minimum":1,"multipleOf":0.5}`), `{"x":1}`},
		"step above":      {property(`{"type":"integer","minimum":7,"multipleOf":5}`), `{"x":10}`},
		"date":            {property(`{"type":"string","format":"date"}`), `{"x":"2030-03-14"}`},
		"pattern":         {property(`{"type":"string","pattern":"^[A-Z]{2}-\\d{4,}$"}`), `{"x":"AA-1111"}`},
		"pattern, length": {property(`{"type":"string","pattern":"^\\d+$","minLength":5,"maxLength":6}`), `{"x":"11111"}`},
		"length":          {property(`{"type":"string","minLength":9}`), `{"x":"prueba prueba"}`},
		"short":           {property(`{"type":"string","maxLength":3}`), `{"x":"pru"}`},
		"list":            {property(`{"type":"array","minItems":2,"items":{"type":"boolean"}}`), `{"x":[true,true]}`},
		"object":          {property(`{"type":"object","properties":{"y":{"type":"integer"},"z":{"type":"string"}},"required":["y"]}`), `{"x":{"y":1}}`},
		"optional":        {`{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string","examples":["a"]}}}`, `{"y":"a"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCertifier(options{}, newProgress(&bytes.Buffer{}))
			args, _ := c.arguments(schemaOf(t, tt.schema), 0)
			if got := string(mustJSON(args)); got != tt.want {
				t.Errorf("arguments = %s, want %s", got, tt.want)
			}
			if err := satisfies(t, tt.schema, args); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOtherArguments are valid, too, and other ones.
func TestOtherArguments(t *testing.T) {
	t.Parallel()
	c := newCertifier(options{samples: map[string][]map[string]any{"filed": {{"x": "1"}, {"x": "2"}}}}, newProgress(&bytes.Buffer{}))
	for schema, want := range map[string]string{
		`{"properties":{"x":{"type":"string","examples":["a"]}}}`:                                         `{"x":"zzqxj inexistente"}`,
		`{"properties":{"x":{"type":"string","examples":["a","b"]}}}`:                                     `{"x":"b"}`,
		`{"properties":{"x":{"type":"string"}},"required":["x"]}`:                                         `{"x":"prueba 1"}`,
		`{"properties":{"x":{"type":"integer","minimum":3}},"required":["x"]}`:                            `{"x":4}`,
		`{"properties":{"x":{"type":"string","examples":["1"],"pattern":"^[0-9]{3}$"}},"required":["x"]}`: `{"x":"999"}`,
	} {
		read := schemaOf(t, schema)
		args, _ := c.arguments(read, 0)
		if other, ok := c.otherArguments(read, args); !ok || string(mustJSON(other)) != want {
			t.Errorf("%s: other arguments = %s, want %s", schema, mustJSON(other), want)
		}
	}
	read := schemaOf(t, `{"properties":{"x":{"type":"string","enum":["a"]}},"required":["x"]}`)
	if other, ok := c.otherArguments(read, map[string]any{"x": "a"}); ok {
		t.Errorf("other arguments = %v, want none", other)
	}
	if args, _ := c.arguments(&tool{name: "filed"}, 3); args["x"] != "2" {
		t.Errorf("arguments of the file = %v, want its last ones", args)
	}
}

// FuzzArguments: no schema, however broken, stops the certifier.
func FuzzArguments(f *testing.F) {
	f.Add(`{"type":"object","properties":{"x":{"$ref":"#"}},"required":["x"]}`, 0)
	f.Add(`{"properties":{"x":{"type":"string","pattern":"(a|b)*[^c]{2,5}$","minLength":3}},"required":["x"]}`, 1)
	f.Add(`{"properties":{"x":{"type":"integer","minimum":1e300,"multipleOf":0}},"required":["x"]}`, 2)
	f.Add(`{"properties":{"x":{"type":"array","minItems":1e9,"items":{"type":"array","items":{}}}},"required":["x"]}`, -1)
	f.Fuzz(func(t *testing.T, schema string, variant int) {
		read := readTool([]byte(`{"name":"t","inputSchema":` + schema + `}`))
		if read == nil {
			return
		}
		c := newCertifier(options{}, newProgress(&bytes.Buffer{}))
		args, _ := c.arguments(read, max(variant, 0))
		if len(mustJSON(args)) > 1<<20 {
			t.Errorf("arguments of %d bytes", len(mustJSON(args)))
		}
		c.otherArguments(read, args)
		missingArguments(read, args)
		c.breakArguments(read)
	})
}

// FuzzPattern: what is made of an expression matches it, where Go knows it and there is room.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{`^[A-Z]{3}\d+$`, `^(a|b)?c*$`, `.`, `[^\n]{2,}`, `^\+57 \d{10}$`, `(((a{9}){9}){9}){9}`} {
		f.Add(pattern, 3, 40, 1)
	}
	simple := regexp.MustCompile(`^\^?[A-Za-z0-9\[\]{},+-]*\$?$`)
	f.Fuzz(func(t *testing.T, pattern string, least, most, choice int) {
		text := fromPattern(pattern, least%100, most%1000, choice)
		if len(text) > 10_000 {
			t.Errorf("a text of %d bytes", len(text))
		}
		compiled, err := regexp.Compile(pattern)
		if err == nil && simple.MatchString(pattern) && len(text) < 500 && !compiled.MatchString(text) {
			t.Errorf("%q does not match %q", text, pattern)
		}
	})
}

// TestEvents reads the answer out of streams.
func TestEvents(t *testing.T) {
	t.Parallel()
	const answer = `{"jsonrpc":"2.0","id":1,"result":{}}`
	for name, tt := range map[string]struct{ stream, want string }{
		"one":          {"event: message\ndata: " + answer + "\n\n", answer},
		"no space":     {"data:" + answer + "\r\n\r\n", answer},
		"notification": {"data: {\"method\":\"notifications/progress\"}\n\n: ping\n\ndata: " + answer + "\n\n", answer},
		"no end":       {"data: " + answer, answer},
		"two lines":    {"data: {\"result\":\ndata: {}}\n\n", "{\"result\":\n{}}"},
		"nothing":      {"data: {}\n\n", ""},
	} {
		got, err := lastEvent(strings.NewReader(tt.stream))
		if string(bytes.TrimSpace(got)) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

// FuzzAnswer: no answer, however broken, stops an inspection.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"resultados":[{"id":1,"fecha":"2030-03-14"}],"total":1}}`)
	f.Add(`{"isError":true,"structuredContent":{"error":{"error_type":"NOT_FOUND","user_message":"No."}}}`)
	f.Add(`{"content":[{"type":7}],"structuredContent":[[[1,"a@b.co"]]]}`)
	read := readTool([]byte(`{"name":"t","outputSchema":{"type":"object","required":["total"]}}`))
	f.Fuzz(func(t *testing.T, raw string) {
		c := newCertifier(options{profile: 7, header: map[string][]string{"Authorization": {"Bearer " + secret}}}, newProgress(&bytes.Buffer{}))
		c.wire = &wire{version: modern}
		a := readAnswer(read, true, reply{status: 200, body: []byte(raw), result: json.RawMessage(raw)})
		c.inspect(a)
		readPage(a)
		r := c.report(true)
		if text := r.text("es"); strings.ContainsAny(text, "\x00\x1b") {
			t.Errorf("control characters in the report: %q", text)
		}
	})
}

// TestInHeader: a name that a header cannot carry is encoded.
func TestInHeader(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"consultar_cita": "consultar_cita", "a b": "a b", "crear_señal": "=?base64?Y3JlYXJfc2XDsWFs?=", "a\r\nX-Evil: 1": "=?base64?YQ0KWC1FdmlsOiAx?=",
		" a ": "=?base64?IGEg?=", "=?base64?YQ==?=": "=?base64?PT9iYXNlNjQ/WVE9PT89?=", "": "",
	} {
		if got := inHeader(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
