package middleware_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/paginate"
)

// least is the smallest budget that there is.
const least = 500

func tight() middleware.BudgetConfig { return middleware.BudgetConfig{Limit: least} }

// list is a JSON list of n items of about size characters.
func list(n, size int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(`{"numero":%d,"nota":%q}`, i, strings.Repeat("x", size-20))
	}
	return "[" + strings.Join(items, ",") + "]"
}

func TestBudgetLeavesAloneWhatFits(t *testing.T) {
	t.Parallel()
	data := `{ "z":9007199254740993, "a":[1.50,1e400] ,"nota":"` + strings.Repeat("ñ", 2_900) + `"}`
	rec := newRecorder()
	got := callTool(t, reads(""), "", returns(structured(data, "Hola.")), middleware.Observe(rec.observe), middleware.Budget(middleware.BudgetConfig{}))
	if want := strings.ReplaceAll(data, " ", ""); string(got.Data) != want {
		t.Errorf("data = %.80s, want %.80s", got.Data, want)
	}
	if got.text() != "Hola." || got.IsError {
		t.Errorf("the text is %q, isError %t", got.text(), got.IsError)
	}
	if ev := rec.next(t); ev.Truncated || ev.Characters != units(data) || ev.Dropped != 0 {
		t.Errorf("event: truncated %t, %d characters, %d dropped, want false, %d, 0", ev.Truncated, ev.Characters, ev.Dropped, units(data))
	}
}

// TestBudgetOfData says what is cut, and in which order. Limits are 500.
func TestBudgetOfData(t *testing.T) {
	t.Parallel()
	sentence := "La factura de agosto se pagó tarde y por eso tiene un recargo. "
	prose := strings.TrimSpace(strings.Repeat(sentence, 12))
	for _, test := range []struct {
		name, schema, data, want string
	}{
		{"a page", "", `{"resultados":` + list(9, 100) + `,"total":148,"limit":10,"offset":20,"siguiente_offset":30}`,
			`{"resultados":` + list(4, 100) + `,"total":148,"limit":4,"offset":20,"siguiente_offset":24}`},
		{"the next offset is declared and was not needed", `{"properties":{"siguiente_offset":{"type":"integer"}}}`,
			`{"resultados":` + list(9, 100) + `,"total":9,"limit":10,"offset":0}`,
			`{"resultados":` + list(4, 100) + `,"total":9,"limit":4,"offset":0,"siguiente_offset":4}`},
		{"the next offset is not declared", `{"additionalProperties":true}`,
			`{"resultados":` + list(9, 100) + `,"total":9,"limit":10,"offset":0}`,
			`{"resultados":` + list(4, 100) + `,"total":9,"limit":4,"offset":0}`},
		{"a limit that may not become less", `{"properties":{"limit":{"minimum":10}}}`,
			`{"resultados":` + list(9, 100) + `,"total":9,"limit":10,"offset":0}`,
			`{"resultados":` + list(4, 100) + `,"total":9,"limit":10,"offset":0}`},
		{"a list at the root", "", list(9, 100), list(4, 100)},
		{"the longest of two", "", `{"a":` + list(2, 100) + `,"b":` + list(6, 100) + `,"limit":9,"total":9}`,
			`{"a":` + list(2, 100) + `,"b":` + list(2, 100) + `,"limit":9,"total":9}`},
		{"both", "", `{"a":` + list(4, 110) + `,"b":` + list(5, 200) + `}`,
			`{"a":` + list(2, 110) + `,"b":` + list(1, 200) + `}`},
		{"a list inside of the only item", "", `{"resultados":[{"lineas":` + list(9, 100) + `}],"total":1,"limit":10,"offset":0}`,
			`{"resultados":[{"lineas":` + list(4, 100) + `}],"total":1,"limit":10,"offset":0}`},
		{"one that may not become shorter", `{"properties":{"b":{"type":"array","minItems":3}}}`,
			`{"a":` + list(3, 100) + `,"b":` + list(4, 100) + `}`, `{"a":` + list(1, 100) + `,"b":` + list(3, 100) + `}`},
		{"a point is no list", "", `{"punto":[4.6097102938475610293847561,-74.081750293847561029384756],"nota":"` + prose + `"}`,
			`{"punto":[4.6097102938475610293847561,-74.081750293847561029384756],"nota":"` + strings.TrimSpace(strings.Repeat(sentence, 6)) + ` …"}`},
		{"a text", "", `{"nota":"` + prose + `","caso":"A-1"}`, `{"nota":"` + strings.TrimSpace(strings.Repeat(sentence, 7)) + ` …","caso":"A-1"}`},
		{"the longest text", "", `{"a":"` + prose + ` ` + sentence + `","b":"` + prose[:250] + `"}`,
			`{"a":"` + strings.TrimSpace(strings.Repeat(sentence, 3)) + ` …","b":"` + prose[:250] + `"}`},
		{"a text before a list is not cut", "", `{"nota":"` + prose[:250] + `","l":` + list(4, 100) + `}`,
			`{"nota":"` + prose[:250] + `","l":` + list(2, 100) + `}`},
		{"one with a form of its own", `{"properties":{"a":{"pattern":"."},"b":{"x-portavoz":"skip"}}}`,
			`{"a":"` + prose[:200] + `","b":"` + prose[:200] + `","c":"` + prose[:200] + `"}`,
			`{"a":"` + prose[:200] + `","b":"` + prose[:200] + `","c":"` + strings.TrimSpace(sentence) + ` …"}`},
		{"a text that is longer when it is escaped", "", `{"a":"` + strings.Repeat(`\n \u00f1`, 200) + `"}`, `{"a":"` + strings.Repeat(`\n ñ`, 109) + ` …"}`},
		{"white space only", "", `{"a" : [` + strings.Repeat(" ", 600) + `1]}`, `{"a":[1]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for kind, res := range kindsOf(t, test.data) {
				got := callTool(t, reads(test.schema), "", returns(res), middleware.Budget(tight()))
				same := string(got.Data) == test.want
				if kind == "decoded" || kind == "struct" { // their members are sorted
					same = equalJSON(t, string(got.Data), test.want)
				}
				if !same || got.IsError {
					t.Errorf("%s:\n got %s\nwant %s", kind, got.Data, test.want)
				}
				if n := units(string(got.Data)); n > least {
					t.Errorf("%s: %d characters", kind, n)
				}
			}
		})
	}
}

func equalJSON(t *testing.T, a, b string) bool {
	t.Helper()
	one, _ := json.Marshal(decodeNumbers(t, a))
	other, _ := json.Marshal(decodeNumbers(t, b))
	return bytes.Equal(one, other)
}

// TestBudgetFillsTheRoom: one item more would not have fitted.
func TestBudgetFillsTheRoom(t *testing.T) {
	t.Parallel()
	for size := 30; size < 200; size += 7 {
		got := callTool(t, reads(""), "", returns(structured(`{"l":`+list(40, size)+`}`, "x")), middleware.Budget(tight()))
		var data struct {
			L []json.RawMessage `json:"l"`
		}
		if err := json.Unmarshal(got.Data, &data); err != nil || len(data.L) == 0 {
			t.Fatalf("data = %s, %v", got.Data, err)
		}
		if n := units(`{"l":` + list(len(data.L), size) + `}`); n > least || n != units(string(got.Data)) {
			t.Errorf("items of %d: %d characters", size, n)
		}
		if n := units(`{"l":` + list(len(data.L)+1, size) + `}`); n <= least {
			t.Errorf("items of %d: %d were left, one more would have fitted", size, len(data.L))
		}
	}
}

func TestBudgetOfText(t *testing.T) {
	t.Parallel()
	page := `{"resultados":` + list(9, 100) + `,"total":9,"limit":10,"offset":0}`
	short := `{"resultados":` + list(4, 100) + `,"total":9,"limit":4,"offset":0}`
	sentence := "La factura de agosto se pagó tarde y por eso tiene un recargo. "
	prose := strings.TrimSpace(strings.Repeat(sentence, 12))
	cut := strings.TrimSpace(strings.Repeat(sentence, 7)) + " …"
	indented := func(raw string) string {
		pretty, _ := json.MarshalIndent(json.RawMessage(raw), "", "    ")
		return string(pretty)
	}
	for _, test := range []struct {
		name, data string
		texts      []string
		want       []string
		wantData   string
	}{
		{"prose", "", []string{prose}, []string{cut}, ""},
		{"the data again", page, []string{page}, []string{short}, short},
		{"the data in another form", page, []string{indented(page)}, []string{short}, short},
		{"the data, indented, which fit", short, []string{indented(short) + strings.Repeat(" ", 100)}, []string{short}, short},
		{"JSON without data", "", []string{page}, []string{short}, ""},
		{"other JSON", `{"a":1}`, []string{page}, []string{short}, `{"a":1}`},
		{"the data and prose", page, []string{"Hay nueve.", page}, []string{"Hay nueve.", short}, short},
		{"the data and much prose", page, []string{page, prose[:200]}, []string{prose[:200]}, short},
		{"the data twice", page, []string{page, page}, []string{short}, short},
		{"two of prose", "", []string{"Hay nueve.", prose}, []string{"Hay nueve.", strings.TrimSpace(strings.Repeat(sentence, 7)) + " …"}, ""},
		{"one that has no room", "", []string{prose[:499], "Hay nueve."}, []string{prose[:499], ""}, ""},
		{"a long word", "", []string{strings.Repeat("a", 600)}, []string{strings.Repeat("a", 498) + "…"}, ""},
		{"a flag at the edge", "", []string{strings.Repeat("a", 496) + strings.Repeat("🇨🇴", 9)}, []string{strings.Repeat("a", 496) + "…"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := &mcp.CallToolResult{RawStructuredContent: json.RawMessage(test.data)}
			for _, text := range test.texts {
				res.Content = append(res.Content, &mcp.TextContent{Type: "text", Text: text})
			}
			got := callTool(t, reads(""), "", returns(res), middleware.Budget(tight()))
			var texts []string
			for _, c := range got.Content {
				texts = append(texts, c.Text)
			}
			want := slices.DeleteFunc(test.want, func(s string) bool { return s == "" })
			if !slices.Equal(texts, want) {
				t.Errorf("the texts are\n%q, want\n%q", texts, want)
			}
			if string(got.Data) != test.wantData {
				t.Errorf("the data is %s, want %s", got.Data, test.wantData)
			}
			if text := res.Content[0].(*mcp.TextContent).Text; text != test.texts[0] { //nolint:forcetypeassert // made above
				t.Errorf("the handler's own block became %q", text)
			}
		})
	}
}

// TestBudgetRefuses: what cannot be made to fit is a failure, and a write's says
// that it is done.
func TestBudgetRefuses(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("a", 600)
	demanding := `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`
	for _, test := range []struct {
		name     string
		tool     mcp.Tool
		res      *mcp.CallToolResult
		wantType errors.Type
		wantCode string
		wantData string
	}{
		{"of a read", reads(""), structured(`{"a":"`+word+`"}`, "x"), errors.TypeValidation, errors.CodeTooLarge, ""},
		{"of a write", writes(demanding), structured(`{"a":"`+word+`"}`, "x"), errors.TypeBlocker, errors.CodeDoneWithheld, ""},
		{"of a write that leaves out what nobody demands", writes(""), structured(`{"ticketId":"T-1","traza":"`+word+`"}`, "x"), "", "", `{"ticketId":"T-1"}`},
		{"of a write that asks first", writes(""), structured(`{"status":"needs_more_info","a":"`+word+`"}`, "x"), errors.TypeValidation, errors.CodeTooLarge, ""},
		{"of a mark on a mark", reads(""), mcp.NewToolResultText("e" + strings.Repeat("\u0301", 600)), errors.TypeValidation, errors.CodeTooLarge, ""},
		{"of JSON in a text", reads(""), mcp.NewToolResultText(`["` + word + `"]`), errors.TypeValidation, errors.CodeTooLarge, ""},
		{"too deep a text", reads(""), mcp.NewToolResultText(strings.Repeat("[", 900) + strings.Repeat("]", 900)), errors.TypeValidation, errors.CodeTooLarge, ""},
		{"too deep", reads(""), structured(strings.Repeat("[", 900)+strings.Repeat("]", 900), "x"), errors.TypeValidation, errors.CodeTooLarge, ""},
		{"not encodable", reads(""), mcp.NewToolResultStructured(panicsWhenEncoded{}, "x"), errors.TypeSystem, errors.CodeBadResult, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecorder()
			got := callTool(t, test.tool, "", returns(test.res), middleware.Observe(rec.observe), middleware.Budget(tight()))
			if got.IsError != (test.wantCode != "") || got.code() != test.wantCode {
				t.Errorf("isError %t, code %q, want code %q: %s", got.IsError, got.code(), test.wantCode, got.Data)
			}
			ev := rec.next(t)
			if ev.ErrorType != test.wantType || ev.ErrorCode != test.wantCode || !ev.Truncated {
				t.Errorf("event: %s %s, truncated %t, want %s %s, true", ev.ErrorType, ev.ErrorCode, ev.Truncated, test.wantType, test.wantCode)
			}
			if test.wantData != "" && string(got.Data) != test.wantData {
				t.Errorf("data = %s, want %s", got.Data, test.wantData)
			}
			if n := units(string(got.Data)); n > least || ev.Characters > least {
				t.Errorf("%d characters, the event says %d", n, ev.Characters)
			}
		})
	}
}

// TestBudgetOfFailures: a failure stays the failure that it is.
func TestBudgetOfFailures(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("muy larga ", 100)
	for name, failure := range map[string]*errors.Error{
		"details":  errors.NotFound("No encontré esa cita.", errors.WithDetails(map[string]any{"intentos": long})),
		"sentence": errors.NotFound(long),
		"all": errors.NotFound(strings.Repeat("\x01", 600), errors.WithCode(strings.Repeat("\x01", 300)),
			errors.WithField(long), errors.WithNextQuestion(strings.Repeat("\x01", 600))),
	} {
		raw, err := json.Marshal(failure)
		if err != nil {
			t.Fatal(err)
		}
		res := structured(string(raw), string(raw))
		res.IsError = true
		got := callTool(t, reads(""), "", returns(res), middleware.Budget(tight()))
		parsed, err := errors.Parse(got.Data)
		if err != nil || parsed.Type != errors.TypeNotFound || !got.IsError || got.text() != string(got.Data) {
			t.Errorf("%s: %v, %s", name, err, got.Data)
		}
		if name == "details" && parsed.UserMessage != "No encontré esa cita." {
			t.Errorf("the sentence became %q", parsed.UserMessage)
		}
		if n := units(string(got.Data)); n > least {
			t.Errorf("%s: %d characters", name, n)
		}
	}
}

func TestBudgetOfMedia(t *testing.T) {
	t.Parallel()
	image := mcp.NewImageContent(strings.Repeat("iVBO", 2_000), "image/png")
	link := mcp.NewResourceLink("https://x.test/a.pdf", "a.pdf", "", "application/pdf")
	embedded := mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "file:///a", Text: "a"})
	some := []mcp.Content{mcp.NewTextContent("Listo."), image, link, embedded}
	for _, test := range []struct {
		name        string
		policy      middleware.MediaPolicy
		tool        mcp.Tool
		content     []mcp.Content
		wantBlocks  int
		wantCode    string
		wantDropped int
	}{
		{"dropped", middleware.DropMedia, reads(""), some, 1, "", 3},
		{"nothing but media", middleware.DropMedia, reads(""), some[1:], 1, errors.CodeBadResult, 3},
		{"nothing but media, written", middleware.DropMedia, writes(""), some[1:], 0, "", 3},
		{"refused", middleware.RefuseMedia, reads(""), some, 1, errors.CodeBadResult, 3},
		{"none to be refused", middleware.RefuseMedia, reads(""), some[:1], 1, "", 0},
		{"of a write, not refused", middleware.RefuseMedia, writes(""), some, 1, "", 3},
		{"kept", middleware.KeepMedia, reads(""), some, 4, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rec := newRecorder()
			res := &mcp.CallToolResult{Content: slices.Clone(test.content)}
			cfg := tight()
			cfg.Media = test.policy
			got := callTool(t, test.tool, "", returns(res), middleware.Observe(rec.observe), middleware.Budget(cfg))
			if len(got.Content) != test.wantBlocks || got.code() != test.wantCode {
				t.Errorf("%d blocks, code %q, want %d, %q", len(got.Content), got.code(), test.wantBlocks, test.wantCode)
			}
			if ev := rec.next(t); ev.Dropped != test.wantDropped {
				t.Errorf("event: %d dropped, want %d", ev.Dropped, test.wantDropped)
			}
			if !slices.EqualFunc(res.Content, test.content, func(a, b mcp.Content) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
				t.Error("the handler's own blocks were changed")
			}
		})
	}
}

// TestBudgetLogsMedia: who reads the log learns how many blocks nobody saw.
func TestBudgetLogsMedia(t *testing.T) {
	t.Parallel()
	res := mcp.NewToolResultText("Listo.")
	res.Content = append(res.Content, mcp.NewImageContent("iVBO", "image/png"), mcp.NewImageContent("iVBO", "image/png"))
	var zero, std bytes.Buffer
	for _, observer := range []middleware.Observer{
		middleware.Zerolog(zerolog.New(&zero)), middleware.Slog(slog.New(slog.NewJSONHandler(&std, nil))),
	} {
		callTool(t, reads(""), "", returns(res), middleware.Observe(observer), middleware.Budget(tight()))
	}
	for name, line := range map[string]string{"zerolog": zero.String(), "slog": std.String()} {
		if !strings.Contains(line, `"dropped_blocks":2`) || strings.Contains(line, "iVBO") || strings.Count(line, "\n") != 1 {
			t.Errorf("%s: the line is %s, want two dropped blocks in it", name, line)
		}
	}
}

func TestBudgetConfig(t *testing.T) {
	t.Parallel()
	data := structured(`{"l":`+list(40, 100)+`}`, "x")
	for name, test := range map[string]struct {
		cfg  middleware.BudgetConfig
		most int
	}{
		"the default":          {middleware.BudgetConfig{}, 3_000},
		"a reserve":            {middleware.BudgetConfig{Reserve: 1_000}, 2_000},
		"a tool":               {middleware.BudgetConfig{Tools: map[string]int{"consultar_prueba": 1_000}}, 1_000},
		"a tool's reserve":     {middleware.BudgetConfig{Tools: map[string]int{"consultar_prueba": 1_000}, Reserve: 400}, 600},
		"another tool":         {middleware.BudgetConfig{Tools: map[string]int{"otra": 1_000}}, 3_000},
		"a limit":              {middleware.BudgetConfig{Limit: 800}, 800},
		"no limit to speak of": {middleware.BudgetConfig{Limit: 1 << 30}, 1 << 30},
	} {
		got := callTool(t, reads(""), "", returns(data), middleware.Budget(test.cfg))
		want := min(test.most, units(string(data.RawStructuredContent)))
		if n := units(string(got.Data)); n > want || n < want-110 {
			t.Errorf("%s: %d characters, want about %d", name, n, want)
		}
	}
	for name, test := range map[string]struct {
		cfg  middleware.BudgetConfig
		want []string
	}{
		"limit":   {middleware.BudgetConfig{Limit: 499}, []string{"the limit less the reserve is 499"}},
		"reserve": {middleware.BudgetConfig{Reserve: 2_501, Limit: 3_000}, []string{"is 499, below 500"}},
		"all": {middleware.BudgetConfig{Limit: -1, Reserve: -5, Tools: map[string]int{"b": 9, "a": 8}, Media: 9},
			[]string{"the limit less", "the limit of a less", "the limit of b less", "negative", "policy 9"}},
	} {
		func() {
			defer func() {
				text := fmt.Sprint(recover())
				for _, want := range append(test.want, "portavoz/middleware: Budget: ") {
					if !strings.Contains(text, want) {
						t.Errorf("%s: the panic is %q, want %q in it", name, text, want)
					}
				}
			}()
			middleware.Budget(test.cfg)
		}()
	}
}

func TestBudgetOfOtherNames(t *testing.T) {
	t.Parallel()
	data := `{"citas":` + list(9, 100) + `,"otras":[1],"cuantas":9,"tope":10,"desde":5,"sigue":null}`
	want := `{"citas":` + list(4, 100) + `,"otras":[1],"cuantas":9,"tope":4,"desde":5,"sigue":9}`
	cfg := tight()
	cfg.Page = paginate.Names{Results: "citas", Total: "cuantas", Limit: "tope", Offset: "desde", Next: "sigue"}
	got := callTool(t, reads(""), "", returns(structured(data, "x")), middleware.Budget(cfg))
	if string(got.Data) != want {
		t.Errorf("data = %s, want %s", got.Data, want)
	}
}
