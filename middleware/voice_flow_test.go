package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/voice"
)

// TestVoiceReplay: the channel of the replay decides, and the originals are the same.
func TestVoiceReplay(t *testing.T) {
	t.Parallel()
	const data = `{"fecha":"2026-09-03","lista":[1,2,3,4]}`
	mw := middleware.Chain(middleware.Voice(inBogota()), middleware.Idempotency(newEngine(t, idempotency.Config{})))
	runs := 0
	h := mw(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		runs++
		return structured(data, "Quedó para el 3 de septiembre."), nil
	})
	for i, tt := range []struct{ channel, data, text string }{
		{"voice", `{"fecha":"2026-09-03","fecha_texto":"jueves tres de septiembre","lista":[1,2,3]}`, "Quedó para el tres de septiembre."},
		{"chat", data, "Quedó para el 3 de septiembre."},
		{"voice", `{"fecha":"2026-09-03","fecha_texto":"jueves tres de septiembre","lista":[1,2,3]}`, "Quedó para el tres de septiembre."},
	} {
		req := request(map[string]any{"com.asixto/channel": tt.channel, "com.asixto/idempotencyKey": "k", "com.asixto/conversationId": "c"})
		got, err := h(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if text := mcp.GetTextFromContent(got.Content[0]); string(got.RawStructuredContent) != tt.data || text != tt.text {
			t.Errorf("call %d by %s: %s, %q", i, tt.channel, got.RawStructuredContent, text)
		}
	}
	if runs != 1 {
		t.Errorf("ran %d times, want once", runs)
	}
}

// TestVoiceAndBudget: what Budget takes away is not said either.
func TestVoiceAndBudget(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1200)
	data := fmt.Sprintf(`{"resultados":[{"nombre":"Uno","x":%q},{"nombre":"Dos","x":%q},{"nombre":"Tres","x":%q}],"total":9,"limit":10,"offset":0}`, long, long, long)
	got := callTool(t, reads(""), onVoice, returns(&mcp.CallToolResult{RawStructuredContent: json.RawMessage(data)}),
		middleware.Budget(middleware.BudgetConfig{}), middleware.Voice(inBogota()))
	if want := "Encontré nueve resultados. Los primeros dos son: Uno y Dos."; got.text() != want {
		t.Errorf("said %q, want %q", got.text(), want)
	}
	if !strings.HasSuffix(string(got.Data), `"total":9,"limit":2,"offset":0}`) {
		t.Errorf("the page ends %s", got.Data[len(got.Data)-40:])
	}
}

// TestVoiceHandsOn: what cannot be shaped passes.
func TestVoiceHandsOn(t *testing.T) {
	t.Parallel()
	mw := middleware.Voice(inBogota())
	boom := errors.System("")
	if _, err := mw(fails(boom))(t.Context(), onChannel("voice")); !errors.Is(err, boom) {
		t.Errorf("the error became %v", err)
	}
	if got, err := mw(returns(nil))(t.Context(), onChannel("voice")); got != nil || err != nil {
		t.Errorf("nothing became %v, %v", got, err)
	}
	if bad := (&mcp.CallToolResult{StructuredContent: make(chan int)}); told(t, inBogota(), bad) != bad {
		t.Error("a result that cannot be encoded was changed")
	}
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	got := told(t, inBogota(), structured(deep, "Van 3."))
	if string(got.RawStructuredContent) != deep || mcp.GetTextFromContent(got.Content[0]) != "Van tres." {
		t.Errorf("deep data: %q, %d bytes", mcp.GetTextFromContent(got.Content[0]), len(got.RawStructuredContent))
	}
	wide := `{"fecha":"2026-09-03"` + strings.Repeat(`,"a":"https://x.co"`, 300) + `}`
	if got := speak(t, inBogota(), wide); strings.Contains(got, "texto") || strings.Contains(got, "https") {
		t.Errorf("a table of 301 members: %.60s", got)
	}
}

// TestVoiceConcurrently: calls in many zones share one middleware.
func TestVoiceConcurrently(t *testing.T) {
	t.Parallel()
	cfg := inBogota()
	cfg.Zones = &voice.Zones{Source: func(name string) (*time.Location, error) { return time.FixedZone(name, len(name)*60*60), nil }}
	h := middleware.Voice(cfg)(returns(structured(`{"fecha":"2026-09-03T00:00:00Z"}`, "A las 14:00.")))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 50 {
				zone := "Z" + strings.Repeat("a", (i+n)%9)
				got, err := h(t.Context(), request(map[string]any{"com.asixto/channel": "voice", "com.asixto/timezone": zone}))
				hour, _ := voice.CO.SayTime(fmt.Sprintf("%02d:00", len(zone)))
				if err != nil || !strings.Contains(string(got.RawStructuredContent), hour) {
					t.Errorf("in %s: %s, %v, want %s", zone, got.RawStructuredContent, err, hour)
				}
			}
		})
	}
	all.Wait()
}

// TestVoiceOverHTTP goes the whole way, as a gateway calls: the channel and the zone
// are in _meta.
func TestVoiceOverHTTP(t *testing.T) {
	t.Parallel()
	srv := server.NewMCPServer("prueba", "1.0.0")
	stack := middleware.Asixto(srv, forgetful())
	stack.Log = nil
	stack.Voice = middleware.Voice(inBogota())
	srv.Use(stack.Middleware())
	srv.AddTool(reads(`{"type":"object","properties":{"fecha":{"type":"string"},"fecha_texto":{"type":"string"},"l":{"type":"array"}},"additionalProperties":false}`),
		returns(structured(`{"fecha":"2026-09-03T14:00:00Z","l":[1,2,3,4]}`, "Quedó para las 14:00.")))
	ts := httptest.NewServer(server.NewStreamableHTTPServer(srv))
	t.Cleanup(ts.Close)
	for _, tt := range []struct{ channel, want string }{
		{"voice", `{"fecha":"2026-09-03T14:00:00Z","fecha_texto":"jueves tres de septiembre a las nueve de la mañana","l":[1,2,3]}`},
		{"chat", `{"fecha":"2026-09-03T14:00:00Z","l":[1,2,3,4]}`},
	} {
		body := modernCall("consultar_prueba", `{}`, `"com.asixto/channel":"`+tt.channel+`"`)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, ts.URL, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "consultar_prueba",
		} {
			req.Header.Set(name, value)
		}
		res, err := ts.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(res.Body)
		if _ = res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), `"structuredContent":`+tt.want) {
			t.Errorf("by %s: got %s, want the data %s", tt.channel, raw, tt.want)
		}
	}
}
