package transport_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

const metaModern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`

func TestHeadersCompletes(t *testing.T) {
	t.Parallel()
	const v, m, n = "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"
	for name, tc := range map[string]struct {
		body string
		sent []string
		want map[string]string
	}{
		"the gateway's call": {
			body: modern("abrir_caso_soporte"),
			sent: []string{m, "tools/call", n, "abrir_caso_soporte"},
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "abrir_caso_soporte"},
		},
		"the gateway's discover": {
			body: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + metaModern + `}}`,
			sent: []string{m, "server/discover", n, "-"},
			want: map[string]string{v: "2026-07-28", m: "server/discover", n: "-"},
		},
		"nothing sent": {
			body: modern("abrir_caso_soporte"),
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "abrir_caso_soporte"},
		},
		"a method without a name": {
			body: `{"method":"tools/list","params":{"name":"x",` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "tools/list"},
		},
		"a prompt": {
			body: `{"method":"prompts/get","params":{"name":"saludo","uri":"x",` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "prompts/get", n: "saludo"},
		},
		"a resource": {
			body: `{"method":"resources/read","params":{"uri":"file:///a","name":"x",` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "resources/read", n: "file:///a"},
		},
		"empty counts as missing": {
			body: modern("a"),
			sent: []string{v, "", m, "", n, ""},
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "a"},
		},
		"equal lines become one": {
			body: modern("a"),
			sent: []string{v, "2026-07-28", v, "2026-07-28", n, "a", n, "a"},
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "a"},
		},
		"equal lines of an old version become one": {
			body: `{"method":"tools/list"}`,
			sent: []string{v, "2025-06-18", v, "2025-06-18"},
			want: map[string]string{v: "2025-06-18"},
		},
		"a contradiction stays for the server": {
			body: modern("a"),
			sent: []string{v, "2025-06-18", n, "b"},
			want: map[string]string{v: "2025-06-18", m: "tools/call", n: "b"},
		},
		"a later version": {
			body: `{"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}}}`,
			want: map[string]string{v: "2027-01-01", m: "tools/list"},
		},
		"a name with accents": {
			body: modern("crear_señal"),
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "=?base64?Y3JlYXJfc2XDsWFs?="},
		},
		"a name with NUL": {
			body: `{"method":"tools/call","params":{"name":"a\u0000b",` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "=?base64?YQBi?="},
		},
		"a name with a line break": {
			body: `{"method":"tools/call","params":{"name":"a\r\nX-Evil: 1",` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "=?base64?YQ0KWC1FdmlsOiAx?="},
		},
		"a name with space around it": {
			body: modern(" a "),
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "=?base64?IGEg?="},
		},
		"a name that looks encoded": {
			body: modern("=?base64?YQ==?="),
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "=?base64?PT9iYXNlNjQ/WVE9PT89?="},
		},
		"broken UTF-8 reads as U+FFFD": {
			body: "{\"method\":\"tools/call\",\"params\":{\"name\":\"a\xff\"," + metaModern + "}}",
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "=?base64?Ye+/vQ==?="},
		},
		"a method no header can hold": {
			body: `{"method":"tools/call\n","params":{"name":"a",` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28"},
		},
		"a version no header can hold": {
			body: `{"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28\r\n"}}}`,
			want: map[string]string{m: "tools/list"},
		},
		"a name that is a number": {
			body: `{"method":"tools/call","params":{"name":5,` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "tools/call"},
		},
		"a notification": {
			body: `{"method":"notifications/cancelled","params":{` + metaModern + `}}`,
			want: map[string]string{v: "2026-07-28", m: "notifications/cancelled"},
		},
		"keys in another case": {
			body: `{"METHOD":"tools/call","Params":{"NAME":"a","_Meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "a"},
		},
		"the last of equal keys": {
			body: `{"method":"tools/list","params":{"name":"a",` + metaModern + `},"params":{"name":"b","name":"c"},"method":"tools/call"}`,
			want: map[string]string{v: "2026-07-28", m: "tools/call", n: "c"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			r := post(tc.body, tc.sent...)
			before := r.Header.Clone()
			serve(transport.Headers()(&next), r)
			if next.calls != 1 || next.body != tc.body {
				t.Fatalf("calls = %d, body = %q, want one call with the body as sent", next.calls, next.body)
			}
			want := http.Header{"Content-Type": {"application/json"}}
			for header, value := range tc.want {
				want[header] = []string{value}
			}
			if !maps.EqualFunc(next.request.Header, want, slices.Equal) {
				t.Errorf("headers = %v, want %v", next.request.Header, want)
			}
			if !reflect.DeepEqual(r.Header, before) {
				t.Errorf("the caller's headers changed to %v", r.Header)
			}
		})
	}
}

func TestHeadersLeavesAlone(t *testing.T) {
	t.Parallel()
	deep := `{"method":"tools/call","params":{"name":"a",` + metaModern + `,"arguments":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}}`
	for name, tc := range map[string]struct {
		method, contentType, body string
	}{
		"no body":                   {body: ""},
		"an older version":          {body: `{"method":"tools/call","params":{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}}}`},
		"initialize":                {body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`},
		"no params":                 {body: `{"method":"tools/list"}`},
		"null params":               {body: `{"method":"tools/list","params":null}`},
		"list params":               {body: `{"method":"tools/list","params":[{` + metaModern + `}]}`},
		"null meta":                 {body: `{"method":"tools/list","params":{"_meta":null}}`},
		"null meta after a good":    {body: `{"method":"tools/list","params":{` + metaModern + `,"_meta":null}}`},
		"list meta":                 {body: `{"method":"tools/list","params":{"_meta":["2026-07-28"]}}`},
		"text meta before a good":   {body: `{"method":"tools/list","params":{"_meta":"x",` + metaModern + `}}`},
		"a number beyond float64":   {body: `{"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","x":1e999}}}`},
		"a version that is a list":  {body: `{"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":["2026-07-28"]}}}`},
		"a version key in caps":     {body: `{"method":"tools/list","params":{"_meta":{"IO.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`},
		"a method that is a number": {body: `{"method":5,"params":{` + metaModern + `}}`},
		"truncated":                 {body: modern("a")[:90]},
		"two messages":              {body: modern("a") + modern("a")},
		"a batch":                   {body: "[" + modern("a") + "]"},
		"deep nesting":              {body: deep},
		"broken bytes":              {body: "\xff\xfe\x00{"},
		"another type":              {contentType: "text/plain", body: modern("a")},
		"no type":                   {contentType: "-", body: modern("a")},
		"a broken type":             {contentType: "application/json;;=", body: modern("a")},
		"GET":                       {method: http.MethodGet, body: modern("a")},
		"DELETE":                    {method: http.MethodDelete, body: modern("a")},
		"OPTIONS":                   {method: http.MethodOptions},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			r := post(tc.body, "X-Other", "a", "X-Other", "b")
			if tc.method != "" {
				r.Method = tc.method
			}
			switch tc.contentType {
			case "":
			case "-":
				r.Header.Del("Content-Type")
			default:
				r.Header.Set("Content-Type", tc.contentType)
			}
			want := r.Header.Clone()
			w := serve(transport.Headers()(&next), r)
			if w.Code != http.StatusAccepted || next.calls != 1 {
				t.Fatalf("status = %d after %d calls, want the server's answer", w.Code, next.calls)
			}
			if next.body != tc.body {
				t.Errorf("body = %q, want %q", next.body, tc.body)
			}
			if !reflect.DeepEqual(next.request.Header, want) {
				t.Errorf("headers = %v, want %v", next.request.Header, want)
			}
		})
	}
}

func TestHeadersRefusesLinesThatDiffer(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body   string
		sent   []string
		id     string
		header string
	}{
		"version":            {body: modern("a"), sent: []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Protocol-Version", "2025-06-18"}, id: "7", header: "Mcp-Protocol-Version"},
		"method":             {body: modern("a"), sent: []string{"Mcp-Method", "tools/call", "mcp-method", "tools/list"}, id: "7", header: "Mcp-Method"},
		"name":               {body: modern("a"), sent: []string{"Mcp-Name", "a", "Mcp-Name", "a", "Mcp-Name", "b"}, id: "7", header: "Mcp-Name"},
		"empty and not":      {body: modern("a"), sent: []string{"Mcp-Name", "", "Mcp-Name", "a"}, id: "7", header: "Mcp-Name"},
		"an older version":   {body: `{"id":"x<1>","method":"tools/list"}`, sent: []string{"Mcp-Protocol-Version", "2025-06-18", "Mcp-Protocol-Version", "2026-07-28"}, id: `"x<1>"`, header: "Mcp-Protocol-Version"},
		"a fraction as id":   {body: `{"id":-1.50,"method":"tools/list"}`, sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "-1.50", header: "Mcp-Name"},
		"a large number":     {body: `{"id":9007199254740993,"method":"tools/list"}`, sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "9007199254740993", header: "Mcp-Name"},
		"an object as id":    {body: `{"id":{"a":1},"method":"tools/list"}`, sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "null", header: "Mcp-Name"},
		"a boolean as id":    {body: `{"id":true,"method":"tools/list"}`, sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "null", header: "Mcp-Name"},
		"broken bytes as id": {body: "{\"id\":\"\xff\",\"method\":\"tools/list\"}", sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "null", header: "Mcp-Name"},
		"no id":              {body: `{"method":"notifications/initialized"}`, sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "null", header: "Mcp-Name"},
		"truncated":          {body: `{"id":7,`, sent: []string{"Mcp-Name", "a", "Mcp-Name", "b"}, id: "null", header: "Mcp-Name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			w := serve(transport.Headers()(&next), post(tc.body, tc.sent...))
			want := refusal(400, -32020, "")
			want.body = rpcError(tc.id, -32020, "The request has two "+tc.header+" headers that differ.")
			checkAnswer(t, w.Result(), want)
			if next.calls != 0 {
				t.Errorf("the server was called %d times, want none", next.calls)
			}
		})
	}
}

func TestHeadersNotesTheMessage(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		opts []transport.HeadersOption
		body string
		want call.Request
	}{
		"a call": {
			body: modern("abrir_caso_soporte"),
			want: call.Request{Method: "tools/call", Name: "abrir_caso_soporte", Version: "2026-07-28", RequestID: "req_c41", ID: []byte("7")},
		},
		"an older call": {
			body: `{"id":"a","method":"tools/call","params":{"name":"x","_meta":{"com.asixto/requestId":"r1"}}}`,
			want: call.Request{Method: "tools/call", Name: "x", RequestID: "r1", ID: []byte(`"a"`)},
		},
		"a resource": {
			body: `{"method":"resources/subscribe","params":{"uri":"file:///a"}}`,
			want: call.Request{Method: "resources/subscribe", Name: "file:///a"},
		},
		"other names": {
			opts: []transport.HeadersOption{transport.WithKeys(call.WithPrefix("com.example/"))},
			body: `{"method":"tools/list","params":{"_meta":{"com.example/requestId":"r2","com.asixto/requestId":"r1"}}}`,
			want: call.Request{Method: "tools/list", RequestID: "r2"},
		},
		"no message": {body: `[]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			serve(transport.Headers(tc.opts...)(&next), post(tc.body))
			if !reflect.DeepEqual(next.exchange, tc.want) {
				t.Errorf("exchange = %+v, want %+v", next.exchange, tc.want)
			}
		})
	}
}

func TestHeadersConcurrently(t *testing.T) {
	t.Parallel()
	h := transport.Headers()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Mcp-Name", r.Header.Get("Mcp-Name"))
		_, _ = w.Write(body)
	}))
	shared := http.Header{"Content-Type": {"application/json"}, "Mcp-Method": {"tools/call", "tools/call"}}
	var wg sync.WaitGroup
	for i := range 500 {
		wg.Go(func() {
			name := "tool_" + strings.Repeat("a", i%40)
			body := modern(name)
			r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
			r.Header = shared
			w := serve(h, r)
			if w.Header().Get("Mcp-Name") != name || w.Body.String() != body {
				t.Errorf("request %d got the answer of another: %v", i, w.Header())
			}
		})
	}
	wg.Wait()
	if len(shared["Mcp-Method"]) != 2 || len(shared) != 2 {
		t.Errorf("the shared headers changed: %v", shared)
	}
}

func BenchmarkHeaders(b *testing.B) {
	body := []byte(strings.Replace(modern("abrir_caso_soporte"), "CC1032", strings.Repeat("sin internet ", 138), 1))
	h := transport.Headers()(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	r := post("", "Mcp-Method", "tools/call", "Mcp-Name", "abrir_caso_soporte")
	r.ContentLength = int64(len(body))
	w := httptest.NewRecorder()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	}
}
