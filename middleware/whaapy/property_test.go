package whaapy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency/memory"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/whaapy"
)

// checkEnvelope holds a result to everything that Whaapy reads, whatever the handler
// returned.
func checkEnvelope(tb testing.TB, res *mcp.CallToolResult, tool string, limit int) {
	tb.Helper()
	raw := textOf(tb, res)
	e := envelopeOf(tb, res)
	if *e.OK == res.IsError {
		tb.Errorf("ok is %v and isError is %v: %s", *e.OK, res.IsError, raw)
	}
	if got := len(utf16.Encode([]rune(raw))); got > limit {
		tb.Errorf("the text has %d characters, want %d at most", got, limit)
	}
	if res.StructuredContent != nil || res.RawStructuredContent != nil {
		tb.Errorf("the result has structured content beside the envelope")
	}
	if e.ToolName != tool || e.Safety == "" || e.Duration == nil || *e.Duration < 0 {
		tb.Errorf("toolName, safety or durationMs is missing: %s", raw)
	}
	switch e.Status {
	case whaapy.Success, whaapy.InQueue, whaapy.PendingConfirmation, whaapy.NeedsInfo, whaapy.Failed:
	default:
		tb.Errorf("status %q is none", e.Status)
	}
	if *e.OK && e.Status == whaapy.Failed || !*e.OK && e.Status != whaapy.Failed && e.Status != whaapy.NeedsInfo {
		tb.Errorf("ok is %v and status is %s", *e.OK, e.Status)
	}
	if (e.Status == whaapy.NeedsInfo || e.Status == whaapy.PendingConfirmation) && e.Question == "" {
		tb.Errorf("status %s has no nextQuestion", e.Status)
	}
	if *e.OK || e.Data != nil {
		var data map[string]any
		if err := json.Unmarshal(e.Data, &data); err != nil || data == nil {
			tb.Errorf("data is no object: %s", raw)
		}
		checkReal(tb, data)
	}
	if *e.OK {
		return
	}
	if len(e.Errors) == 0 {
		tb.Errorf("a failure has no errors: %s", raw)
	}
	for _, p := range e.Errors {
		if p.Code == "" || p.Message == "" || p.MessageES == "" || p.Retryable == nil {
			tb.Errorf("an error lacks code, message, message_es or retryable: %s", raw)
		}
	}
}

// checkReal refuses a string that holds an object or an array.
func checkReal(tb testing.TB, v any) {
	tb.Helper()
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			checkReal(tb, member)
		}
	case []any:
		for _, item := range v {
			checkReal(tb, item)
		}
	case string:
		trimmed := strings.TrimLeft(v, " \t\r\n")
		if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
			if strings.Count(v, "[")+strings.Count(v, "{") < 500 && json.Valid([]byte(v)) {
				tb.Errorf("a string in data holds JSON: %q", v)
			}
		}
		var inner string // JSON that was encoded twice
		if strings.HasPrefix(trimmed, `"`) && json.Unmarshal([]byte(v), &inner) == nil {
			checkReal(tb, inner)
		}
	}
}

// stackServer is a server with one tool behind the whole preset.
func stackServer(tb testing.TB, tool mcp.Tool, h handler, cfg whaapy.Config) *server.MCPServer {
	tb.Helper()
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	cfg.Report = func(context.Context, error) {}
	srv := newServer(tool, h)
	stack := whaapy.Stack(srv, store, cfg)
	stack.Log, stack.LoopGuard, stack.Retry, stack.Logger = nil, nil, nil, slog.New(slog.DiscardHandler)
	srv.Use(stack.Middleware())
	return srv
}

// TestAnyResultIsAnEnvelope tries made-up results, alone and behind the whole stack.
func TestAnyResultIsAnEnvelope(t *testing.T) {
	t.Parallel()
	seeds := uint64(150)
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		seeds = 2_000
	}
	for seed := range seeds {
		for _, alone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d/%v", seed, alone), func(t *testing.T) {
				t.Parallel()
				g := generator{rand.New(rand.NewPCG(seed, 8))}
				tool := writes("crear")
				if g.coin() {
					tool = reads("buscar")
				}
				res, err := g.result()
				h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res, err }
				cfg := whaapy.Config{Report: func(context.Context, error) {}, Limit: 2_500 + g.IntN(1_000)}
				srv := newServer(tool, h, whaapy.Envelope(cfg))
				if !alone {
					srv = stackServer(t, tool, h, cfg)
				}
				checkEnvelope(t, call(t, srv, tool.Name), tool.Name, cfg.Limit)
			})
		}
	}
}

// generator makes up what a handler could return.
type generator struct{ *rand.Rand }

func (g generator) coin() bool { return g.IntN(2) == 0 }

func (g generator) result() (*mcp.CallToolResult, error) {
	switch g.IntN(8) {
	case 0:
		return nil, []error{
			errors.New("boom"), errors.NotFound(g.text()), whaapy.NeedsMoreInfo(g.text(), g.text()),
			errors.Validation(g.text(), errors.WithCode(g.text()), errors.WithDetails(map[string]any{"advice": g.text()})),
			errors.System("", errors.WithCause(context.DeadlineExceeded)), context.Canceled,
		}[g.IntN(6)]
	case 1:
		return whaapy.Pending([]any{g.value(3)}, g.text()), nil
	}
	res := &mcp.CallToolResult{IsError: g.IntN(6) == 0}
	for range g.IntN(3) {
		res.Content = append(res.Content, mcp.NewTextContent(g.text()))
	}
	if g.IntN(8) == 0 {
		res.Content = append(res.Content, mcp.NewImageContent("AAAA", "image/png"), nil)
	}
	switch g.IntN(6) {
	case 0:
	case 1:
		res.RawStructuredContent = []byte(g.text())
	case 2:
		res.StructuredContent = func() {}
	case 3:
		res.StructuredContent = map[string]any{"ok": g.coin(), "status": g.text(), "data": g.value(2), "errors": g.value(2), "toolName": "crear"}
	default:
		res.StructuredContent = g.value(5)
	}
	return res, nil
}

func (g generator) value(depth int) any {
	switch kind := g.IntN(8); {
	case depth > 0 && kind < 3:
		object := map[string]any{}
		for range g.IntN(5) {
			object[[]string{"status", "ok", "jobId", "queuedAt", "nextQuestion", "total", "resultados", g.text()}[g.IntN(8)]] = g.value(depth - 1)
		}
		return object
	case depth > 0 && kind == 3:
		list := []any{}
		for range g.IntN(30) {
			list = append(list, g.value(depth-1))
		}
		return list
	case kind == 4: // JSON in a string
		raw, err := json.Marshal(g.value(depth - 1))
		if err != nil {
			return nil
		}
		if g.coin() {
			raw, _ = json.Marshal(string(raw))
		}
		return " " + string(raw)
	case kind == 5:
		return g.IntN(3)
	case kind == 6 && g.coin():
		return g.coin()
	}
	return g.text()
}

func (g generator) text() string {
	parts := []string{
		"", "needs_more_info", "queued", "pending_confirmation", "failed", "{}", `{"ok":true,"status":"success","data":{},"toolName":"crear","safety":"mutation","durationMs":1}`, `"`, "\n", "\x00\x1b", "ñ", "😀", "\xff", " ",
		`{"error":{"error_type":"NOT_FOUND","user_message":"No está."}}`, "[[", "Una frase. Otra frase, más larga.", `{"a":"[1,2]"}`, "null", "-32602",
	}
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(parts[g.IntN(len(parts))])
	}
	s := b.String()
	if g.IntN(12) == 0 {
		s = strings.Repeat(s, 1+g.IntN(400))
	}
	return s
}

func FuzzEnvelope(f *testing.F) {
	f.Add(`{"ticketId":"1"}`, "Listo.", false, true)
	f.Add(`{"a":"{\"b\":\"[1]\"}"}`, "", false, false)
	f.Add(``, `{"ok":false,"status":"needs_more_info","errors":[{"code":"a","message":"b"}],"nextQuestion":"¿?"}`, true, false)
	f.Add(`[{"x":" {}"}]`, "\u2028\"", false, true)
	f.Add(`{"total":0,"status":"queued","jobId":"1"}`, "", false, true)
	f.Fuzz(func(t *testing.T, raw, block string, isError, write bool) {
		tool := reads("buscar")
		if write {
			tool = writes("crear")
		}
		res := text(block)
		res.IsError, res.RawStructuredContent = isError, []byte(raw)
		made := strings.Contains(block, `"ok"`) || strings.Contains(raw, `"ok"`) // by the handler: other rules hold
		got := call(t, newServer(tool, returns(res), whaapy.Envelope(whaapy.Config{Report: func(context.Context, error) {}})), tool.Name)
		if e := envelopeOf(t, got); *e.OK == got.IsError {
			t.Errorf("ok is %v and isError is %v", *e.OK, got.IsError)
		}
		if !made {
			checkEnvelope(t, got, tool.Name, 3_000)
		}
	})
}

// BenchmarkEnvelope measures what an envelope adds to a call in its place in the stack,
// where Errors has found the data sound: "ns/op" is the median of calls with it
// less that of calls without, alternating in one run. One case has 2 KB of data, one the same with JSON in a string,
// which has to be decoded. Bytes and allocations are those of both calls.
func BenchmarkEnvelope(b *testing.B) {
	var items []string
	for i := range 14 {
		items = append(items, fmt.Sprintf(`{"numero":"F-%05d","cliente":"Ana María Peña","valor":"89900.00","moneda":"COP","fecha":"2026-09-03T09:00:00-05:00","estado":"pendiente"}`, i))
	}
	list := `"resultados":[` + strings.Join(items, ",") + `],"total":148,"limit":10,"offset":0}`
	for _, bench := range []struct {
		name string
		res  *mcp.CallToolResult
		err  error
	}{
		{name: "data", res: structured(`{` + list)},
		{name: "JSON in a string", res: structured(`{"nota":"{\"a\":1}",` + list)},
		{name: "failure", err: errors.NotFound("No encontré esa cita.")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return bench.res, bench.err }
			bare := middleware.Wrap(h, middleware.Recover(), middleware.Errors(middleware.ErrorsConfig{}))
			full := whaapy.Envelope(whaapy.Config{})(bare)
			req := request("consultar")
			var bareTimes, fullTimes []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				bareTimes = append(bareTimes, timed(b, bare, req))
				fullTimes = append(fullTimes, timed(b, full, req))
			}
			b.ReportMetric(float64(median(fullTimes)-median(bareTimes)), "ns/op")
		})
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func timed(b *testing.B, h handler, req mcp.CallToolRequest) time.Duration {
	b.Helper()
	start := time.Now()
	if _, err := h(b.Context(), req); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}
