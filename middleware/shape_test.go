package middleware_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

func inAugust() time.Time { return time.Date(2026, time.August, 20, 9, 0, 0, 0, time.UTC) }

// shapers are the three, in the order of the stack.
func shapers(limit int) server.ToolHandlerMiddleware {
	return middleware.Chain(
		middleware.Budget(middleware.BudgetConfig{Limit: limit}),
		middleware.Voice(middleware.VoiceConfig{Always: true, Now: inAugust}),
		middleware.Errors(middleware.ErrorsConfig{}),
		middleware.Redact(middleware.RedactConfig{HideIDs: true}),
	)
}

// TestShapersTogether: what one leaves, the next one goes on with, on all kinds of
// input, and what nobody has a reason to touch stays as it is.
func TestShapersTogether(t *testing.T) {
	t.Parallel()
	item := `{"z_id":7,"numero":9007199254740993,"fecha":"2026-09-03","password":"x","nota":"` + strings.Repeat("Se revisó todo. ", 15) + `"}`
	data := `{"total":148,"resultados":[` + strings.Repeat(item+",", 5) + item + `],"limit":10,"offset":0}`
	shaped := `{"numero":9007199254740993,"fecha":"2026-09-03","fecha_texto":"jueves tres de septiembre","nota":"` +
		strings.Repeat("Se revisó todo. ", 15) + `"}`
	for kind, res := range kindsOf(t, data) {
		res.Content = []mcp.Content{mcp.NewTextContent(data)}
		got := callTool(t, reads(""), "", returns(res), shapers(700))
		var page struct {
			Results []json.RawMessage `json:"resultados"`
			Total   int               `json:"total"`
			Limit   int               `json:"limit"`
		}
		if err := json.Unmarshal(got.Data, &page); err != nil || page.Total != 148 || page.Limit != 1 || len(page.Results) != 1 {
			t.Errorf("%s: the page is %s, %v", kind, got.Data, err)
			continue
		}
		if !equalJSON(t, string(page.Results[0]), shaped) {
			t.Errorf("%s: the item is\n%s, want\n%s", kind, page.Results[0], shaped)
		}
		if kind == "raw" && !strings.HasPrefix(string(got.Data), `{"total":148,"resultados":[{"numero":9007199254740993,"fecha":"2026-09-03","fecha_texto":`) {
			t.Errorf("the order of members is not the handler's: %s", got.Data)
		}
		if text := got.text(); text == "" || strings.ContainsAny(text, "{}") || units(text) > 700 {
			t.Errorf("%s: the text is %q", kind, text)
		}
	}
}

// counting is data that counts how often it is encoded.
type counting struct {
	times *int
	raw   string
}

func (c counting) MarshalJSON() ([]byte, error) {
	*c.times++
	return []byte(c.raw), nil
}

// TestShapersEncodeOnce: whatever the stack does to a result, the handler's value is
// encoded once.
func TestShapersEncodeOnce(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{"a":1}`, `{"fecha":"2026-09-03","password":"x","l":` + list(40, 100) + `}`} {
		times := 0
		res := mcp.NewToolResultStructured(counting{&times, raw}, "Listo.")
		stack := middleware.Chain(middleware.Observe(), shapers(500), middleware.Idempotency(newEngine(t, idempotency.Config{})),
			middleware.Redact(middleware.RedactConfig{}))
		meta := map[string]any{"com.asixto/idempotencyKey": "k", "com.asixto/conversationId": "c"}
		got, err := middleware.Wrap(returns(res), stack)(t.Context(), request(meta))
		if err != nil || got.IsError {
			t.Fatalf("%v, %v", got, err)
		}
		if times != 1 {
			t.Errorf("%.20s...: encoded %d times", raw, times)
		}
	}
}

// TestShapersWriteOnce: data that nobody changes are handed on as the bytes that they
// are. For the ear they are written once, at their final length; and once before, if
// something was redacted, since that is what a store keeps. Which bytes a result has
// is seen by where they lie.
func TestShapersWriteOnce(t *testing.T) {
	t.Parallel()
	clean, secret := `{"estado":"abierto"}`, `{"estado":"abierto","password":"x"}`
	long := `{"fecha":"2026-09-03","lista":` + list(3, 400) + `}`
	for _, test := range []struct {
		name, data string
		chat       bool
		schema     string
		writes     int
	}{
		{name: "clean, chat", data: clean, chat: true, writes: 0},
		{name: "clean, voice", data: clean, writes: 0},
		{name: "voice", data: `{"fecha":"2026-09-03"}`, writes: 1},
		{name: "voice, declared", data: `{"fecha":"2026-09-03"}`, schema: `{"type":"object"}`, writes: 1},
		{name: "over, chat", data: long, chat: true, writes: 1},
		{name: "over, voice", data: long, writes: 1},
		{name: "over, voice, declared", data: long, schema: `{"type":"object"}`, writes: 1},
		{name: "redacted, chat", data: secret, chat: true, writes: 1},
		{name: "redacted, voice", data: secret, writes: 1},
		{name: "redacted, over, voice", data: `{"password":"x",` + long[1:], schema: `{"type":"object"}`, writes: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			given := json.RawMessage(test.data)
			seen := map[*byte]string{&given[0]: "the handler's"}
			watch := func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
				return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					res, err := next(ctx, req)
					if err == nil && len(res.RawStructuredContent) > 0 {
						seen[&res.RawStructuredContent[0]] = string(res.RawStructuredContent)
					}
					return res, err
				}
			}
			rec := newRecorder()
			h := middleware.Wrap(returns(&mcp.CallToolResult{RawStructuredContent: given, Content: []mcp.Content{mcp.NewTextContent("Listo.")}}),
				middleware.Observe(rec.observe), watch, middleware.Budget(middleware.BudgetConfig{Limit: 600}), watch,
				middleware.Voice(middleware.VoiceConfig{Always: !test.chat, Now: inAugust}), watch, middleware.Errors(middleware.ErrorsConfig{}),
				middleware.Idempotency(newEngine(t, idempotency.Config{})), watch, middleware.Redact(middleware.RedactConfig{}))
			tool := writes(test.schema)
			req := request(map[string]any{"com.asixto/idempotencyKey": "k", "com.asixto/conversationId": "c"})
			req.Params.Name = tool.Name
			got, err := h(middleware.WithDefinition(t.Context(), tool.Name, &tool), req)
			if err != nil || got.IsError {
				t.Fatalf("%v, %v", got, err)
			}
			if len(seen)-1 != test.writes {
				t.Errorf("the data were written %d times, want %d: %q", len(seen)-1, test.writes, slices.Collect(maps.Values(seen)))
			}
			if ev := rec.next(t); ev.Truncated != (len(test.data) > 600) || ev.Characters != units(string(got.RawStructuredContent)) {
				t.Errorf("the event says %d characters, truncated %v, of %s", ev.Characters, ev.Truncated, got.RawStructuredContent)
			}
			if string(given) != test.data {
				t.Errorf("the handler's data became %s", given)
			}
		})
	}
}

// TestShapersBesideAnAbandonedRun: a run that nobody waits for shapes its result
// while the call's failure is shaped. Run it with -race.
func TestShapersBesideAnAbandonedRun(t *testing.T) {
	t.Parallel()
	budget, speak := middleware.Budget(tight()), middleware.Voice(middleware.VoiceConfig{Always: true})
	fail, wait := middleware.Errors(middleware.ErrorsConfig{}), middleware.Timeout(time.Second)
	for name, outer := range map[string]server.ToolHandlerMiddleware{
		"in order": middleware.Chain(budget, speak, fail, wait), "Voice goes on": middleware.Chain(budget, fail, wait, speak),
	} {
		synctest.Test(t, func(t *testing.T) {
			data := `{"password":"x","fecha":"2026-09-03","l":` + list(40, 100) + `}`
			h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				time.Sleep(time.Second)
				return structured(data, data), nil
			}, outer, middleware.Redact(middleware.RedactConfig{}))
			for range 50 {
				got, err := h(t.Context(), request(nil))
				if err != nil {
					t.Fatal(err)
				}
				if e, err := errors.Parse(got.RawStructuredContent); err == nil && e.Code != errors.CodeTimeout {
					t.Errorf("%s: the failure is %s", name, got.RawStructuredContent)
				}
			}
			synctest.Wait()
		})
	}
}

// TestShapersShareNothing: calls in both channels shape one and the same result at
// the same time. Each gets what its channel gets alone, and the result stays as it
// is, also while mcp-go writes into what it was given. Run it with -race.
func TestShapersShareNothing(t *testing.T) {
	t.Parallel()
	data := `{"total":148,"resultados":[` + strings.Repeat(`{"numero":9007199254740993,"fecha":"2026-09-03","password":"x","nota":"vea https://ejemplo.com"},`, 9) +
		`{"z":1}],"limit":10,"offset":0}`
	for kind, res := range kindsOf(t, data) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			res.Content = []mcp.Content{mcp.NewTextContent(data), mcp.NewImageContent("AAAA", "image/png")}
			res.Meta = mcp.NewMetaFromMap(map[string]any{"token": "x", "origen": "agenda"})
			before := encode(t, res)
			h := middleware.Wrap(returns(res), middleware.Budget(middleware.BudgetConfig{Limit: 500}),
				middleware.Voice(middleware.VoiceConfig{Now: inAugust}), middleware.Errors(middleware.ErrorsConfig{}), middleware.Redact(middleware.RedactConfig{}))
			shape := func(channel string) string {
				got, err := h(t.Context(), onChannel(channel))
				if err != nil {
					t.Error(err)
					return ""
				}
				got.ResultType = "complete"
				got.EnsureResultMeta().SetMetaField("servidor", channel)
				return encode(t, got)
			}
			want := map[string]string{"chat": shape("chat"), "voice": shape("voice")}
			if want["chat"] == want["voice"] || strings.Contains(want["chat"]+want["voice"], "password") {
				t.Errorf("chat %s\nvoice %s", want["chat"], want["voice"])
			}
			var all sync.WaitGroup
			for i := range 100 {
				all.Go(func() {
					channel := [...]string{"chat", "voice"}[i%2]
					if got := shape(channel); got != want[channel] {
						t.Errorf("%s: got %s, want %s", channel, got, want[channel])
					}
				})
			}
			all.Wait()
			if after := encode(t, res); after != before {
				t.Errorf("the handler's result became %s", after)
			}
		})
	}
}
