package transport_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

const (
	legacyCall = `{"jsonrpc":"2.0","id":"c-1","method":"tools/call","params":{"name":"a","arguments":{}}}`
	business   = `{"jsonrpc":"2.0","id":"c-1","result":{"content":[{"type":"text","text":"-32602"}],"isError":true}}`
	invalidRPC = `{"jsonrpc":"2.0","id":"c-1","error":{"code":-32602,"message":"Invalid arguments","data":{"field":"limit","message_es":"Conviene revisar limit."}}}`
)

// refusing is a server whose tool middlewares refuse the arguments of a call.
func refusing(ask bool, serve http.HandlerFunc) http.Handler {
	return transport.Headers()(transport.InvalidParams()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		exchange := call.ExchangeFrom(r.Context())
		exchange.SetInvalid(call.Invalid{Field: "limit", Message: "Conviene revisar limit."})
		if ask {
			exchange.AskInvalid()
		}
		serve(w, r)
	})))
}

func asJSON(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "95")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, business+"\n")
}

func TestInvalidParams(t *testing.T) {
	t.Parallel()
	w := serve(refusing(true, asJSON), post(legacyCall))
	checkAnswer(t, w.Result(), answer{status: 200, body: invalidRPC + "\n", headers: map[string]string{
		"Content-Type": "application/json", "X-Content-Type-Options": "nosniff",
	}})
}

func TestInvalidParamsInTheStatelessProtocol(t *testing.T) {
	t.Parallel()
	w := serve(refusing(true, asJSON), post(modern("a")))
	if want := strings.Replace(invalidRPC, `"c-1"`, "7", 1) + "\n"; w.Code != http.StatusBadRequest || w.Body.String() != want {
		t.Errorf("got %d %s, want 400 %s", w.Code, w.Body, want)
	}
}

// TestInvalidParamsLeavesTheRest has answers that nobody may touch, byte for byte.
func TestInvalidParamsLeavesTheRest(t *testing.T) {
	t.Parallel()
	passing := func(next http.HandlerFunc) http.Handler { return transport.Headers()(transport.InvalidParams()(next)) }
	asked := passing(func(w http.ResponseWriter, r *http.Request) {
		call.ExchangeFrom(r.Context()).AskInvalid()
		asJSON(w, r)
	})
	for name, tc := range map[string]struct {
		h    http.Handler
		body string
	}{
		"asked for, not refused": {asked, legacyCall},
		"not asked for":          {refusing(false, asJSON), legacyCall},
		"not refused":            {passing(asJSON), legacyCall},
		"a notification":         {refusing(true, asJSON), `{"jsonrpc":"2.0","method":"tools/call","params":{}}`},
		"an id that is none":     {refusing(true, asJSON), `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call"}`},
		"without Headers":        {transport.InvalidParams()(http.HandlerFunc(asJSON)), legacyCall},
		"no JSON of the client":  {refusing(true, asJSON), `[`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := serve(tc.h, post(tc.body))
			if w.Code != http.StatusOK || w.Body.String() != business+"\n" {
				t.Errorf("got %d %q, want the server's answer", w.Code, w.Body)
			}
		})
	}
}

const (
	notification = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"result\":1}}\n\n"
	resultEvent  = "id: 4\nevent: message\ndata: " + business + "\n\n"
	errorEvent   = "id: 4\nevent: message\ndata: " + invalidRPC + "\n\n"
)

func TestInvalidParamsInAStream(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		writes []string
		want   string
	}{
		"the result alone":       {[]string{resultEvent}, errorEvent},
		"after a notification":   {[]string{notification, resultEvent}, notification + errorEvent},
		"in one write":           {[]string{notification + resultEvent + notification}, notification + errorEvent + notification},
		"in pieces":              {[]string{resultEvent[:20], resultEvent[20:60], resultEvent[60:]}, errorEvent},
		"an error of the server": {[]string{strings.Replace(resultEvent, "result", "error", 1)}, strings.Replace(resultEvent, "result", "error", 1)},
		"a comment":              {[]string{": ping\n\n", resultEvent}, ": ping\n\n" + errorEvent},
		"no JSON":                {[]string{"data: {\n\n"}, "data: {\n\n"},
		"never complete":         {[]string{resultEvent[:40]}, resultEvent[:40]},
		"nothing":                {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := refusing(true, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.WriteHeader(http.StatusOK)
				for i, text := range tc.writes {
					if i%2 == 0 {
						_, _ = io.WriteString(w, text)
					} else {
						_, _ = io.Copy(w, strings.NewReader(text)) // by way of ReadFrom
					}
					w.(http.Flusher).Flush()
				}
			})
			w := serve(h, post(legacyCall))
			if w.Code != http.StatusOK || w.Body.String() != tc.want || w.Header().Get("Content-Type") != "text/event-stream" {
				t.Errorf("got %d %q\nwant %q", w.Code, w.Body, tc.want)
			}
		})
	}
}

// TestInvalidParamsHoldsNothingBack reads each event before the next one is sent.
func TestInvalidParamsHoldsNothingBack(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	server := httptest.NewServer(transport.Headers()(transport.InvalidParams()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			_, _ = fmt.Fprintf(w, "data: %d\n\n", i)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Errorf("Flush: %v", err)
			}
			<-next
		}
	}))))
	defer server.Close()
	resp, err := http.Post(server.URL, "application/json", strings.NewReader(legacyCall))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for i := range 3 {
		want := fmt.Sprintf("data: %d\n\n", i)
		got := make([]byte, len(want))
		if _, err := io.ReadFull(resp.Body, got); err != nil || string(got) != want {
			t.Fatalf("event = %q, %v, want %q", got, err, want)
		}
		next <- struct{}{}
	}
}

func TestHeadersNoteTheClient(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ body, want string }{
		"initialize":     {`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"whaapy-mcp-client","version":"1.0.0"}}}`, "whaapy-mcp-client"},
		"in _meta":       {`{"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"a"}}}}`, "a"},
		"none":           {legacyCall, ""},
		"a wrong type":   {`{"method":"initialize","params":{"clientInfo":{"name":7}}}`, ""},
		"no object":      {`{"method":"initialize","params":{"clientInfo":"a"}}`, ""},
		"null":           {`{"method":"initialize","params":{"clientInfo":null}}`, ""},
		"hidden letters": {`{"method":"initialize","params":{"clientInfo":{"name":"a\u202eb"}}}`, ""},
		"too long":       {`{"method":"initialize","params":{"clientInfo":{"name":"` + strings.Repeat("a", 256) + `"}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var next seen
			serve(transport.Headers()(&next), post(tc.body))
			if next.exchange.Client != tc.want {
				t.Errorf("client = %q, want %q", next.exchange.Client, tc.want)
			}
		})
	}
}

// FuzzInvalidParamsInAStream sends events in two pieces. What is no result, and what was
// not refused, comes out byte for byte.
func FuzzInvalidParamsInAStream(f *testing.F) {
	f.Add(notification+resultEvent, 30, true)
	f.Add(resultEvent+notification, 1, false)
	f.Add("data: \n\n\n\ndata:{\"result\":null}\n\n", 7, true)
	f.Fuzz(func(t *testing.T, stream string, at int, refuse bool) {
		at = max(0, min(at, len(stream)))
		h := refusing(refuse, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, piece := range []string{stream[:at], stream[at:]} {
				if n, err := io.WriteString(w, piece); n != len(piece) || err != nil {
					t.Errorf("Write = %d, %v, want %d", n, err, len(piece))
				}
			}
		})
		got := serve(h, post(legacyCall)).Body.String()
		if (!refuse || !strings.Contains(strings.ToLower(stream), "result") && !strings.Contains(stream, `\u`)) && got != stream {
			t.Errorf("got  %q\nwant %q", got, stream)
		}
		if strings.Count(got, "\n\n") < strings.Count(stream, "\n\n") {
			t.Errorf("an event is lost: got %q of %q", got, stream)
		}
	})
}
