package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// looping is a call of a tool in a conversation, with arguments as they come.
func looping(tool, conversation, arguments string) mcp.CallToolRequest {
	req := request(map[string]any{"com.asixto/conversationId": conversation})
	req.Params.Name, req.Params.RawArguments = tool, json.RawMessage(arguments)
	return req
}

// codeOf makes the call and returns the code of its failure.
func codeOf(ctx context.Context, h handler, req mcp.CallToolRequest) string {
	_, err := h(ctx, req)
	if err == nil {
		return ""
	}
	return errors.From(err).Code
}

// admittedOf makes n calls and returns how many were admitted.
func admittedOf(ctx context.Context, h handler, n int, next func(i int) mcp.CallToolRequest) int {
	admitted := 0
	for i := range n {
		if codeOf(ctx, h, next(i)) == "" {
			admitted++
		}
	}
	return admitted
}

func TestLoopGuardRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		arguments func(i int) string
		want      string
	}{
		{"equal arguments", func(int) string { return `{"a":1,"b":[2]}` },
			failure("BLOCKER", "Esa misma solicitud ya se hizo varias veces, y conviene seguir con lo que ya se sabe.",
				`{"code":"repeated_call","calls":2,"hint":"The tool has been called this often with these same arguments, `+
					`and will not give a new answer. Go on with the answers there are, change the arguments, use another tool, `+
					`or tell the person what is missing.","window_seconds":60}`)},
		{"equal as JSON values", func(i int) string {
			return []string{`{"a":1,"b":[2]}`, `{"b": [2], "a": 1}`, `{"\u0061":1,"b":[2],"a":1}`}[i]
		}, ""},
		{"other arguments", func(i int) string { return fmt.Sprintf(`{"a":%d}`, i) },
			failure("BLOCKER", "Ya se hicieron muchas solicitudes como esa, y conviene buscar otra forma de continuar.",
				`{"code":"too_many_calls","calls":3,"hint":"The tool has been called this often in this conversation. `+
					`Go on with the answers there are, use another tool, or ask the person for what would narrow it down.","window_seconds":60}`)},
	}
	tests[1].want = tests[0].want
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec, ran := newRecorder(), 0
			h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				ran++
				return ok(ctx, req)
			}, middleware.Observe(rec.observe), middleware.Errors(middleware.ErrorsConfig{}),
				middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Calls: 3, Equal: 2, Window: time.Minute}}))
			for i := range 4 {
				res, err := h(t.Context(), looping("consultar_cita", "cnv", tt.arguments(i)))
				if err != nil {
					t.Fatal(err)
				}
				ev := rec.next(t)
				if !res.IsError {
					continue
				}
				if got := encode(t, res); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
				if ev.Outcome != middleware.OutcomeRefused || ran != i {
					t.Errorf("got outcome %s after %d runs, want refused after %d", ev.Outcome, ran, i)
				}
				return
			}
			t.Error("four calls were admitted")
		})
	}
}

func TestLoopGuardDefaults(t *testing.T) {
	t.Parallel()
	h := middleware.LoopGuard(middleware.LoopGuardConfig{})(ok)
	if got := admittedOf(t.Context(), h, 100, func(int) mcp.CallToolRequest { return looping("a", "cnv", `{}`) }); got != 5 {
		t.Errorf("%d equal calls were admitted, want 5", got)
	}
	if got := admittedOf(t.Context(), h, 100, func(i int) mcp.CallToolRequest { return looping("b", "cnv", fmt.Sprintf(`{"i":%d}`, i)) }); got != 30 {
		t.Errorf("%d calls were admitted, want 30", got)
	}
	synctest.Test(t, func(t *testing.T) { // the state of long work, asked for every 24 seconds
		h := middleware.LoopGuard(middleware.LoopGuardConfig{})(ok)
		for i := range 100 {
			if code := codeOf(t.Context(), h, looping("consultar_estado", "cnv", `{}`)); code != "" {
				t.Fatalf("call %d: %s", i, code)
			}
			time.Sleep(24 * time.Second)
		}
	})
}

// Arguments are equal as idempotency.Fingerprint has it: a loop that writes the same
// number in another way meets the limit of the tool.
func TestLoopGuardEqualArguments(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		a, b string
		same bool
	}{
		"the order of names":   {`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, true},
		"white space":          {`{"a":[1,2]}`, " {\"a\" :\n[ 1,2 ]}\t", true},
		"an escaped letter":    {`{"año":"ñ"}`, `{"a\u00f1o":"\u00f1"}`, true},
		"nothing":              {``, `{}`, true},
		"null":                 {`null`, `{}`, true},
		"the order of a list":  {`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		"another form of 1":    {`{"a":1}`, `{"a":1.0}`, false},
		"a decomposed letter":  {`{"a":"ñ"}`, `{"a":"n\u0303"}`, false},
		"a name in upper case": {`{"a":1}`, `{"A":1}`, false},
		"null for absent":      {`{"a":null}`, `{}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Calls: 2, Equal: 1, Window: time.Hour}})(ok)
			want := []string{"", "", errors.CodeTooManyCalls}
			if tt.same {
				want = []string{"", errors.CodeRepeatedCall, ""}
			}
			for i, arguments := range []string{tt.a, tt.b, `{"z":0}`} {
				if got := codeOf(t.Context(), h, looping("prueba", "cnv", arguments)); got != want[i] {
					t.Errorf("call %d, %s: got %q, want %q", i, arguments, got, want[i])
				}
			}
		})
	}
}

// Limits are bound to caller, tenant, company, conversation and tool, however
// they are cut.
func TestLoopGuardSharesNothing(t *testing.T) {
	t.Parallel()
	h := middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Equal: 1}})(ok)
	type who struct{ caller, tenant, company, conversation, tool string }
	for i, w := range []who{
		{"a", "b", "c", "d", "e"},
		{"x", "b", "c", "d", "e"}, {"a", "x", "c", "d", "e"}, {"a", "b", "x", "d", "e"}, {"a", "b", "c", "x", "e"}, {"a", "b", "c", "d", "x"},
		{"ab", "", "c", "d", "e"}, {"", "ab", "c", "d", "e"}, {"a", "bc", "", "d", "e"}, {"a", "", "bc", "d", "e"}, {"a", "b", "", "cd", "e"},
		{"a", "b", "c", "de", ""}, {"a\x00b", "", "c", "d", "e"}, {"a", "b", "c", "d", "e "},
	} {
		ctx := call.WithCaller(t.Context(), call.Caller{Name: w.caller, Tenant: w.tenant})
		req := looping(w.tool, w.conversation, `{}`)
		req.Params.Meta.AdditionalFields["com.asixto/companyId"] = w.company
		if code := codeOf(ctx, h, req); code != "" {
			t.Errorf("%d: %+v shares a limit: %s", i, w, code)
		}
		if code := codeOf(ctx, h, req); code != errors.CodeRepeatedCall {
			t.Errorf("%d: %+v has no limit: %q", i, w, code)
		}
	}
}

func TestLoopGuardLeavesAlone(t *testing.T) {
	t.Parallel()
	h := middleware.LoopGuard(middleware.LoopGuardConfig{
		Limits: middleware.LoopLimits{Calls: 4, Equal: 2},
		Tools:  map[string]middleware.LoopLimits{"consultar_estado": {Equal: 4}, "consultar_saldo": {Calls: 100, Equal: 50}},
		Exempt: []string{"consultar_horario"},
	})(ok)
	round := looping("prueba", "cnv", `{}`)
	round.Params.InputResponses = mcp.InputResponses{"documento": {}}
	state := looping("prueba", "cnv", `{}`)
	state.Params.RequestState = "ronda 2"
	noID := request(nil)
	hidden := looping("prueba", "cnv\u202e", `{}`)
	tests := []struct {
		name string
		req  mcp.CallToolRequest
		want int
	}{
		{"without a conversation", noID, 100},
		{"with an id that is blank", looping("prueba", " ", `{}`), 100},
		{"with an id that cannot be used", hidden, 100},
		{"with an id that is too long", looping("prueba", strings.Repeat("x", 256), `{}`), 100},
		{"a further round", round, 100},
		{"a further round by its state", state, 100},
		{"an exempt tool", looping("consultar_horario", "cnv", `{}`), 100},
		{"a tool that is polled", looping("consultar_estado", "cnv", `{}`), 4},
		{"a tool with both limits", looping("consultar_saldo", "cnv", `{}`), 50},
		{"any other", looping("prueba", "cnv", `{}`), 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := admittedOf(t.Context(), h, 100, func(int) mcp.CallToolRequest { return tt.req }); got != tt.want {
				t.Errorf("%d were admitted, want %d", got, tt.want)
			}
		})
	}
}

func TestLoopGuardCountsFailures(t *testing.T) {
	t.Parallel()
	h := middleware.LoopGuard(middleware.LoopGuardConfig{})(fails(errors.NotFound("")))
	var codes []string
	for range 6 {
		codes = append(codes, codeOf(t.Context(), h, looping("prueba", "cnv", `{}`)))
	}
	if got := strings.Join(codes, ","); got != ",,,,,repeated_call" {
		t.Errorf("got %q, want five failures of the handler and a refusal", got)
	}
}

// Replays lie outside, and a refusal frees the key of the write that it refused.
func TestLoopGuardInsideOfIdempotency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := middleware.Wrap(ok, middleware.Idempotency(newEngine(t, idempotency.Config{})), middleware.LoopGuard(middleware.LoopGuardConfig{}))
		keyed := func(key string) mcp.CallToolRequest {
			req := looping("prueba", "cnv", `{}`)
			req.Params.Meta.AdditionalFields["com.asixto/idempotencyKey"] = key
			return req
		}
		if got := admittedOf(t.Context(), h, 100, func(int) mcp.CallToolRequest { return keyed("k") }); got != 100 {
			t.Errorf("%d of 100 replays were given", got)
		}
		if got := admittedOf(t.Context(), h, 100, func(i int) mcp.CallToolRequest { return keyed(strconv.Itoa(i)) }); got != 4 {
			t.Errorf("%d further writes ran, want 4", got)
		}
		time.Sleep(2 * time.Minute)
		if code := codeOf(t.Context(), h, keyed("99")); code != "" {
			t.Errorf("the key of a refused write is spent: %s", code)
		}
	})
}

func TestLoopGuardTakesOnlyJSON(t *testing.T) {
	t.Parallel()
	h := middleware.LoopGuard(middleware.LoopGuardConfig{})(ok)
	_, err := h(t.Context(), looping("prueba", "cnv", `{"a":`))
	if e := errors.From(err); e == nil || e.Type != errors.TypeValidation || e.Effect != errors.EffectNone {
		t.Errorf("got %v, want VALIDATION without effect", err)
	}
}

// The limits are exact at any moment: the guard agrees with a list of all calls
// that is never shortened.
func TestLoopGuardAgreesWithAModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			limits := middleware.LoopLimits{Calls: 1 + random.IntN(8), Equal: 1 + random.IntN(4), Window: time.Duration(1+random.IntN(20)) * time.Second}
			slow := middleware.LoopLimits{Calls: 3, Equal: 2, Window: time.Minute}
			h := middleware.LoopGuard(middleware.LoopGuardConfig{
				Limits: limits, Tools: map[string]middleware.LoopLimits{"lenta": slow},
			})(ok)
			type past struct {
				at        time.Time
				arguments string
			}
			model := map[string][]past{}
			for step := range 2000 {
				tool, lim := "rapida", limits
				if random.IntN(3) == 0 {
					tool, lim = "lenta", slow
				}
				conversation, arguments := fmt.Sprint("cnv", random.IntN(3)), fmt.Sprintf(`{"a":%d}`, random.IntN(3))
				all, equal := 0, 0
				for _, p := range model[tool+conversation] {
					if time.Since(p.at) >= lim.Window {
						continue
					}
					if all++; p.arguments == arguments {
						equal++
					}
				}
				want := ""
				switch {
				case equal >= lim.Equal:
					want = errors.CodeRepeatedCall
				case all >= lim.Calls:
					want = errors.CodeTooManyCalls
				default:
					model[tool+conversation] = append(model[tool+conversation], past{time.Now(), arguments})
				}
				if got := codeOf(t.Context(), h, looping(tool, conversation, arguments)); got != want {
					t.Fatalf("seed %d, step %d, %+v: got %q, want %q", seed, step, lim, got, want)
				}
				time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			}
		})
	}
}

func TestLoopGuardConcurrently(t *testing.T) {
	t.Parallel()
	h := middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Calls: 1000, Equal: 50}})(ok)
	var admitted [4]atomic.Int64
	var all sync.WaitGroup
	for g := range 16 {
		all.Go(func() {
			for i := range 400 {
				if codeOf(t.Context(), h, looping("prueba", strconv.Itoa(i%2), fmt.Sprintf(`{"g":%d}`, g%2))) == "" {
					admitted[i%2*2+g%2].Add(1)
				}
			}
		})
	}
	all.Wait()
	for i := range admitted {
		if got := admitted[i].Load(); got != 50 {
			t.Errorf("conversation and arguments %d: %d were admitted, want 50", i, got)
		}
	}
}

// A loop is not forgotten in a flood of other conversations, and the flood does
// not grow the heap.
func TestLoopGuardInAFlood(t *testing.T) { //nolint:paralleltest // it measures the heap
	tracked, others := 2_000, 50_000
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		tracked, others = 20_000, 1_000_000
	}
	h := middleware.LoopGuard(middleware.LoopGuardConfig{
		Limits: middleware.LoopLimits{Window: time.Hour}, MaxTracked: tracked,
	})(ok)
	loop := looping("prueba", "la que repite", `{}`)
	if got := admittedOf(t.Context(), h, 6, func(int) mcp.CallToolRequest { return loop }); got != 5 {
		t.Fatalf("%d were admitted, want 5", got)
	}
	before := heap()
	for i := range others {
		if code := codeOf(t.Context(), h, looping("prueba", fmt.Sprintf("%0250d", i), `{}`)); code != "" {
			t.Fatalf("conversation %d: %s", i, code)
		}
		if i%(tracked/2-1) == 0 {
			if code := codeOf(t.Context(), h, loop); code != errors.CodeRepeatedCall {
				t.Fatalf("the loop was forgotten after %d others: %q", i, code)
			}
		}
	}
	if grown := int(heap()) - int(before); grown > 400*tracked {
		t.Errorf("%d bytes are held for %d pairs, want 400 each at most", grown, tracked)
	}
	runtime.KeepAlive(h)
}

// What has ended its window is let go as a whole.
func TestLoopGuardForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := middleware.LoopGuard(middleware.LoopGuardConfig{Limits: middleware.LoopLimits{Equal: 1}})(ok)
		req := looping("prueba", "cnv", `{}`)
		for _, tt := range []struct {
			wait time.Duration
			want string
		}{
			{0, ""}, {0, errors.CodeRepeatedCall},
			{2*time.Minute - time.Nanosecond, errors.CodeRepeatedCall}, {time.Nanosecond, ""},
			{time.Nanosecond, errors.CodeRepeatedCall}, {time.Hour, ""},
		} {
			time.Sleep(tt.wait)
			if got := codeOf(t.Context(), h, req); got != tt.want {
				t.Errorf("%s later: got %q, want %q", tt.wait, got, tt.want)
			}
		}
	})
}

func TestLoopGuardReportsEveryMistake(t *testing.T) {
	t.Parallel()
	defer func() {
		got, _ := recover().(string)
		const want = "portavoz/middleware: LoopGuard: Limits has a negative field\nTools[a] has a negative field\nTools[b] has a negative field\nMaxTracked is negative"
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}()
	middleware.LoopGuard(middleware.LoopGuardConfig{
		Limits:     middleware.LoopLimits{Calls: -1},
		Tools:      map[string]middleware.LoopLimits{"b": {Window: -1}, "a": {Equal: -1}, "c": {}},
		MaxTracked: -1,
	})
}
