package whaapy_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// beside is data with a text for other clients.
func beside(raw, sentence string) *mcp.CallToolResult {
	res := text(sentence)
	res.RawStructuredContent = json.RawMessage(raw)
	return res
}

// TestOwnEnvelopes says which envelopes of a handler pass, byte for byte, and what is
// reported of the others. In their place there is a failure, which of a write that says
// it is done does not say otherwise.
func TestOwnEnvelopes(t *testing.T) {
	t.Parallel()
	const (
		done   = `{"ok":true,"status":"success","data":{"ticketId":"1"},"toolName":"crear"}`
		failed = `{"ok":false,"status":"failed","errors":[{"code":"not_found","message_es":"No está."}]}`
	)
	for name, tc := range map[string]struct {
		res           *mcp.CallToolResult
		want          string // "" for a failure of ours
		report, write string // what is reported, and the code of ours
	}{
		"as text":                    {res: text(done), want: done},
		"with white space":           {res: text("\n " + done + "\n"), want: "\n " + done + "\n"},
		"as data":                    {res: &mcp.CallToolResult{RawStructuredContent: json.RawMessage(done)}, want: done},
		"as data beside a text":      {res: beside(done, "Listo."), want: done},
		"as a value":                 {res: mcp.NewToolResultStructured(json.RawMessage(done), "Listo."), want: done},
		"beside other data":          {res: beside(`{"ticketId":"1"}`, done), want: done},
		"a failure":                  {res: failing(text(failed)), want: failed},
		"a failure as data":          {res: failing(beside(failed, "No.")), want: failed},
		"a failure, unmarked":        {res: text(failed), want: failed, report: "isError is not set"},
		"a failure as data unmarked": {res: beside(failed, "No."), want: failed, report: "isError is not set"},
		"nothing went wrong": {
			res: text(`{"ok":true,"status":"success","data":{"ticketId":"1"},"errors":[]}`), want: `{"ok":true,"status":"success","data":{"ticketId":"1"},"errors":[]}`},
		"without its evidence":    {res: text(`{"ok":true,"status":"success","data":{}}`), want: `{"ok":true,"status":"success","data":{}}`, report: "lacks its evidence: ticketId"},
		"beside a sentence":       {res: text("Listo.", done), want: done},
		"beside an image":         {res: withImage(done), want: done},
		"a failure beside a text": {res: failing(text("No.", failed)), want: failed},
		"unmarked beside a text":  {res: text("No.", failed), want: failed, report: "isError is not set"},
		"without data":            {res: text(`{"ok":true,"status":"success"}`), want: `{"ok":true,"status":"success"}`, report: "lacks its evidence: ticketId"},
		"queued at no time": {
			res: text(`{"ok":true,"status":"queued","data":{"jobId":"7"}}`), want: `{"ok":true,"status":"queued","data":{"jobId":"7"}}`, report: "lacks its evidence: queuedAt"},

		"success with errors":   {res: text(`{"ok":true,"status":"success","data":{},"errors":[{"code":"a","message":"A."}]}`), report: "it has errors, and is a success", write: errors.CodeOutcomeUnknown},
		"errors no list":        {res: text(`{"ok":true,"status":"success","data":{},"errors":{}}`), report: "errors is of the wrong type", write: errors.CodeDoneWithheld},
		"question no text":      {res: text(`{"ok":true,"status":"success","data":{},"nextQuestion":7}`), report: "nextQuestion is of the wrong type", write: errors.CodeDoneWithheld},
		"data no object":        {res: text(`{"ok":true,"status":"success","data":[1]}`), report: "data is no object", write: errors.CodeDoneWithheld},
		"JSON in a string":      {res: text(`{"ok":true,"status":"success","data":{"a":"[1]"}}`), report: "a string in data holds JSON", write: errors.CodeDoneWithheld},
		"JSON in it twice":      {res: text(`{"ok":true,"status":"success","data":{"a":"\"[1]\""}}`), report: "a string in data holds JSON", write: errors.CodeDoneWithheld},
		"another tool's":        {res: text(`{"ok":true,"status":"success","data":{},"toolName":"borrar"}`), report: "toolName is another tool's", write: errors.CodeDoneWithheld},
		"ok, and failed":        {res: text(`{"ok":true,"status":"failed","errors":[{"code":"a","message":"A."}]}`), report: "ok and status contradict", write: errors.CodeOutcomeUnknown},
		"queued without a job":  {res: text(`{"ok":true,"status":"queued","data":{}}`), report: "it has no jobId", write: errors.CodeDoneWithheld},
		"no status":             {res: text(`{"ok":true,"data":{"a":1},"toolName":"crear"}`), report: "none of the five statuses", write: errors.CodeDoneWithheld},
		"no such status":        {res: text(`{"ok":true,"status":"partial","data":{"a":1},"toolName":"crear"}`), report: "none of the five statuses", write: errors.CodeOutcomeUnknown},
		"a status of no text":   {res: text(`{"ok":true,"status":7,"data":{"a":1},"toolName":"crear"}`), report: "status is of the wrong type", write: errors.CodeDoneWithheld},
		"not ok, no status":     {res: text(`{"ok":false,"errors":[{"code":"a","message":"A."}],"toolName":"crear"}`), report: "none of the five statuses", write: errors.CodeOutcomeUnknown},
		"marked, no status":     {res: failing(text(`{"ok":false,"errors":[{"code":"not_found","message":"A."}],"toolName":"crear"}`)), report: "none of the five statuses", write: "not_found"},
		"marked, and a success": {res: failing(text(done)), write: "unknown"},
		"ok a text":             {res: text(`{"ok":"true","status":"success","data":{"a":1}}`), report: "ok is of the wrong type", write: errors.CodeOutcomeUnknown},
		"no question":           {res: text(`{"ok":true,"status":"needs_more_info","data":{}}`), report: "it has no nextQuestion", write: errors.CodeBadResult},
		"no errors":             {res: text(`{"ok":false,"status":"failed"}`), report: "it has no errors", write: "unknown"},
		"an empty error":        {res: failing(text(`{"ok":false,"status":"failed","errors":[{}]}`)), report: "no code or no message", write: "unknown"},
		"a letter too large":    {res: failing(text(`{"ok":false,"status":"failed","errors":[{"Code":"a","message":"A."}]}`)), report: "no code or no message", write: "a"},
		"retryable no boolean":  {res: failing(text(`{"ok":false,"status":"failed","errors":[{"code":"a","message":"A.","retryable":"no"}]}`)), report: "wrong type", write: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reported []string
			cfg := whaapy.Config{
				Evidence: map[string][]string{"crear": {"ticketId"}},
				Report:   func(_ context.Context, err error) { reported = append(reported, err.Error()) },
			}
			got := call(t, newServer(writes("crear"), returns(tc.res), whaapy.Envelope(cfg)), "crear")
			if e := envelopeOf(t, got); *e.OK == got.IsError {
				t.Errorf("ok is %v and isError is %v: %s", *e.OK, got.IsError, textOf(t, got))
			}
			if all := strings.Join(reported, "\n"); tc.report == "" && all != "" || !strings.Contains(all, tc.report) {
				t.Errorf("reported: %q, want %q", all, tc.report)
			}
			if tc.want != "" && textOf(t, got) != tc.want {
				t.Errorf("got  %s\nwant %s", textOf(t, got), tc.want)
			}
			if tc.want == "" {
				checkEnvelope(t, got, "crear", 3_000)
				if e := envelopeOf(t, got); len(e.Errors) != 1 || e.Errors[0].Code != tc.write {
					t.Errorf("got %s, want a failure with code %s", textOf(t, got), tc.write)
				}
			}
		})
	}
}

// withImage is a text with a picture beside it.
func withImage(texts ...string) *mcp.CallToolResult {
	res := text(texts...)
	res.Content = append(res.Content, mcp.NewImageContent("AAAA", "image/png"))
	return res
}

// TestNamesOfAnEnvelopeCountLetterByLetter has one that reads otherwise to a decoder
// that takes OK for ok: JavaScript does not.
func TestNamesOfAnEnvelopeCountLetterByLetter(t *testing.T) {
	t.Parallel()
	for _, made := range []string{
		`{"ok":true,"status":"success","data":{},"OK":false,"Status":"failed","errors":[]}`,
		`{"OK":false,"ok":true,"Status":"failed","status":"success","data":{}}`,
	} {
		got := call(t, newServer(reads("consultar"), returns(text(made)), whaapy.Envelope(whaapy.Config{})), "consultar")
		var exact map[string]json.RawMessage
		if err := json.Unmarshal([]byte(textOf(t, got)), &exact); err != nil {
			t.Fatal(err)
		}
		if ok := string(exact["ok"]) == "true"; ok == got.IsError {
			t.Errorf("ok is %s and isError is %v: %s", exact["ok"], got.IsError, textOf(t, got))
		}
	}
}

// TestTextsAsData says what becomes of texts, and of JSON that was encoded as a string
// once or twice.
func TestTextsAsData(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		res  *mcp.CallToolResult
		want string
	}{
		"a sentence":               {text("Listo."), `{"text":"Listo."}`},
		"two":                      {text("Listo.", "Gracias."), `{"text":"Listo.\nGracias."}`},
		"JSON":                     {text(` {"a": 1}`), `{"a":1}`},
		"a list":                   {text(`[1]`), `{"result":[1]}`},
		"a sentence and JSON":      {text("Listo.", `{"a":1}`), `{"a":1}`},
		"JSON twice":               {text(`{"a":1}`, "y", `[2]`), `{"result":[{"a":1},[2]]}`},
		"encoded twice":            {text(`"{\"a\":1}"`), `{"a":1}`},
		"data encoded twice":       {structured(`{"a":"\"{\\\"b\\\":1}\""}`), `{"a":{"b":1}}`},
		"data encoded three times": {structured(`{"a":"\"\\\"[1]\\\"\""}`), `{"a":[1]}`},
		"a string of all":          {structured(`"[1,2]"`), `{"result":[1,2]}`},
		"an image beside it":       {withImage("Listo."), `{"text":"Listo."}`},
		"an image beside JSON":     {withImage("Listo.", `{"a":1}`), `{"a":1}`},
		"two envelopes": {text(`{"ok":true,"status":"success"}`, `{"ok":true,"status":"queued"}`),
			`{"result":[{"ok":true,"status":"success"},{"ok":true,"status":"queued"}]}`},
		"an envelope beside JSON": {text(`{"ok":true,"status":"success","data":{}}`, `{"a":1}`), `{"result":[{"ok":true,"status":"success","data":{}},{"a":1}]}`},
		"two failures of others": {text(`{"ok":false,"status":"failed","errors":[{"code":"a","message":"A."}]}`, `{"ok":false,"status":"failed","errors":[]}`),
			`{"result":[{"ok":false,"status":"failed","errors":[{"code":"a","message":"A."}]},{"ok":false,"status":"failed","errors":[]}]}`},
		"another tool's envelope": {text(`{"ok":true,"status":"open","toolName":"otra"}`), `{"ok":true,"status":"open","toolName":"otra"}`},
		"quoted":                  {structured(`{"a":"\"hola\"","b":"\"[sic]\""}`), `{"a":"\"hola\"","b":"\"[sic]\""}`},
		"a number in a string":    {structured(`{"a":"7","b":"null"}`), `{"a":"7","b":"null"}`},
		"a scalar":                {structured(`7`), `{"result":7}`},
		"null, and a text":        {structured(`null`), `{"text":"Listo."}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := call(t, newServer(reads("consultar"), returns(tc.res), whaapy.Envelope(whaapy.Config{})), "consultar")
			checkEnvelope(t, got, "consultar", 3_000)
			if data := string(envelopeOf(t, got).Data); data != tc.want {
				t.Errorf("got  %s\nwant %s", data, tc.want)
			}
		})
	}
}

// TestTextsAreCut has texts that do not fit, or that do not fit once they are JSON.
func TestTextsAreCut(t *testing.T) {
	t.Parallel()
	for name, long := range map[string]string{
		"words": strings.Repeat("hola ", 2_000), "quotes": strings.Repeat("\"\n", 1_150), "escapes": strings.Repeat("\x01", 2_300),
		"pairs": strings.Repeat("😀", 1_400), "no UTF-8": strings.Repeat("\xff", 2_900),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, srv := range []func() *mcp.CallToolResult{
				func() *mcp.CallToolResult {
					return call(t, newServer(reads("consultar"), returns(text(long)), whaapy.Envelope(whaapy.Config{})), "consultar")
				},
				func() *mcp.CallToolResult {
					return call(t, stackServer(t, reads("consultar"), returns(text(long)), whaapy.Config{}), "consultar")
				},
			} {
				res := srv()
				checkEnvelope(t, res, "consultar", 3_000)
				if e := envelopeOf(t, res); e.Status != whaapy.Success || !strings.Contains(string(e.Data), "…") {
					t.Errorf("got %.200s, want a success with an ellipsis", textOf(t, res))
				}
			}
		})
	}
}

// TestOneResultForManyCalls returns one and the same result to calls at the same time.
func TestOneResultForManyCalls(t *testing.T) {
	t.Parallel()
	shared := mcp.NewToolResultStructured(map[string]any{"a": "{\"b\":1}", "n": 1}, "Listo.")
	shared.Meta = mcp.NewMetaFromMap(map[string]any{"x": "y"})
	srv := stackServer(t, reads("consultar"), returns(shared), whaapy.Config{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := string(envelopeOf(t, call(t, srv, "consultar")).Data); got != `{"a":{"b":1},"n":1}` {
				t.Errorf("got %s", got)
			}
		})
	}
	all.Wait()
	if block, ok := shared.Content[0].(mcp.TextContent); !ok || block.Text != "Listo." || shared.RawStructuredContent != nil || shared.IsError {
		t.Errorf("the handler's result was changed: %+v", shared)
	}
}
