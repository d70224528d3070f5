package middleware_test

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// talk is a call of a tool in a conversation.
func talk(conversation, tool string) mcp.CallToolRequest {
	req := request(map[string]any{"com.asixto/conversationId": conversation})
	req.Params.Name = tool
	return req
}

// as is a context in which name has called.
func as(ctx context.Context, name string) context.Context {
	return call.WithCaller(ctx, call.Caller{Name: name})
}

// limited is a handler behind a limit.
func limited(limit call.Limit, cfg middleware.RateLimitConfig) handler {
	return middleware.Wrap(ok, middleware.RateLimit(limit, cfg))
}

// admitted reports whether a call got through. Anything but success and
// rate_limited is a failure of the test.
func admitted(ctx context.Context, t *testing.T, h handler, req mcp.CallToolRequest) bool {
	t.Helper()
	_, err := h(ctx, req)
	if e := errors.From(err); e != nil && e.Code != errors.CodeRateLimited {
		t.Fatalf("got %v, want success or rate_limited", err)
	}
	return err == nil
}

// spend calls until it is refused, and returns how many calls got through.
func spend(ctx context.Context, t *testing.T, h handler, req mcp.CallToolRequest) int {
	t.Helper()
	for n := range 10_000 {
		if !admitted(ctx, t, h, req) {
			return n
		}
	}
	t.Fatal("there is no limit")
	return 0
}

// brokenLimiter cannot count.
type brokenLimiter struct{ err error }

func (l brokenLimiter) Take(context.Context, call.Charge) (call.Verdict, error) {
	return call.Verdict{}, l.err
}

func TestRateLimitRefusals(t *testing.T) {
	t.Parallel()
	const (
		soon = "Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en un momento."
		hour = "Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en una hora."
	)
	whole := middleware.RateLimitConfig{ConversationShare: 1}
	tests := []struct {
		name    string
		limit   call.Limit
		cfg     middleware.RateLimitConfig
		passing int // calls before the one that is refused
		want    string
		cause   string // for the log
		outcome middleware.Outcome
	}{
		{
			"the key's limit", call.Rate(1, 2*time.Second, 3), whole, 3,
			failure("SYSTEM", soon, `{"code":"rate_limited","retryable":true,"retry_after_seconds":2}`),
			"the limit of the key is spent", middleware.OutcomeRefused,
		},
		{
			"a fraction of a second is a second", call.Rate(20, time.Second, 2), whole, 2,
			failure("SYSTEM", soon, `{"code":"rate_limited","retryable":true,"retry_after_seconds":1}`),
			"the limit of the key is spent", middleware.OutcomeRefused,
		},
		{
			"the share of the conversation", call.Rate(1, time.Second, 8), middleware.RateLimitConfig{}, 2,
			failure("SYSTEM", "Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en unos diez segundos.",
				`{"code":"rate_limited","retryable":true,"retry_after_seconds":4}`),
			"the limit of the conversation is spent", middleware.OutcomeRefused,
		},
		{
			"the tool's limit", call.Rate(20, time.Second, 40),
			middleware.RateLimitConfig{Tools: map[string]call.Limit{"prueba": call.Rate(1, time.Hour, 1)}}, 1,
			failure("SYSTEM", hour, `{"code":"rate_limited","retryable":true,"retry_after_seconds":3600}`),
			"the limit of the tool is spent", middleware.OutcomeRefused,
		},
		{
			"a call that costs more than there ever is", call.Rate(1, time.Second, 3),
			middleware.RateLimitConfig{Cost: func(context.Context, mcp.CallToolRequest) int { return 4 }}, 0,
			failure("SYSTEM", "Esa solicitud supera lo que está permitido.", `{"code":"no_quota"}`),
			"the limit of the key is spent", middleware.OutcomeRefused,
		},
		{
			"a key to which nothing is given", call.Rate(1, time.Second, 3),
			middleware.RateLimitConfig{Limits: func(string, string) call.Limit { return call.Limit{Every: time.Second} }}, 0,
			failure("SYSTEM", "Esa solicitud supera lo que está permitido.", `{"code":"no_quota"}`),
			"the limit of the key is spent", middleware.OutcomeRefused,
		},
		{
			"a limiter that cannot count", call.Rate(1, time.Second, 3),
			middleware.RateLimitConfig{Limiter: brokenLimiter{errors.New("dial tcp 10.0.0.7:6379")}}, 0,
			failure("SYSTEM", "El servicio no está disponible en este momento.", `{"code":"unavailable","retryable":true}`),
			"dial tcp 10.0.0.7:6379", middleware.OutcomeError,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ran := 0
				events := newRecorder()
				h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					ran++
					return ok(ctx, req)
				}, middleware.Observe(events.observe), middleware.Errors(middleware.ErrorsConfig{}), middleware.RateLimit(tt.limit, tt.cfg))
				for range tt.passing {
					if res, err := h(as(t.Context(), "asixto"), talk("cnv_1", "prueba")); err != nil || res.IsError {
						t.Fatalf("a call within the limit got %v, %v", res, err)
					}
					events.next(t)
				}
				res, err := h(as(t.Context(), "asixto"), talk("cnv_1", "prueba"))
				if err != nil {
					t.Fatal(err)
				}
				if got := encode(t, res); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
				if ran != tt.passing {
					t.Errorf("the handler ran %d times, want %d", ran, tt.passing)
				}
				ev := events.next(t)
				if ev.Outcome != tt.outcome || ev.ServerFault() != (tt.outcome != middleware.OutcomeRefused) {
					t.Errorf("outcome %s, server's fault %t; want %s", ev.Outcome, ev.ServerFault(), tt.outcome)
				}
				if !strings.Contains(ev.Err.Error(), tt.cause) {
					t.Errorf("the log says %q, want it to say %q", ev.Err, tt.cause)
				}
				if e := errors.From(ev.Err); e.Effect != errors.EffectNone {
					t.Errorf("effect %s, want none", e.Effect)
				}
			})
		})
	}
}

// TestRateLimitAdmitsWhatTheBucketPredicts: burst at once, then the rate, for ever.
func TestRateLimitAdmitsWhatTheBucketPredicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		limit call.Limit
		tick  time.Duration
		span  time.Duration
		want  int // burst + span / every
	}{
		{"20/s burst 40", call.Rate(20, time.Second, 40), 10 * time.Millisecond, 10 * time.Second, 240},
		{"100/s burst 100", call.Rate(100, time.Second, 100), time.Millisecond, 3 * time.Second, 400},
		{"3/s burst 1", call.Rate(3, time.Second, 1), 7 * time.Millisecond, 100 * time.Second, 298}, // every third of a second waits for the next tick
		{"1/hour burst 60", call.Rate(1, time.Hour, 60), time.Minute, 100 * time.Hour, 160},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := limited(tt.limit, middleware.RateLimitConfig{})
				got := spend(t.Context(), t, h, request(nil))
				for start := time.Now(); time.Since(start) < tt.span; {
					time.Sleep(tt.tick)
					got += spend(t.Context(), t, h, request(nil))
				}
				if got != tt.want {
					t.Errorf("%d calls got through, want %d", got, tt.want)
				}
			})
		})
	}
}

func TestRateLimitKeepsALoopFromStarvingOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := limited(call.Rate(20, time.Second, 40), middleware.RateLimitConfig{})
		gateway := as(t.Context(), "asixto")
		looped, refused := 0, 0
		for range 60 * 100 { // a minute: the loop calls 100 times a second, the others 10 times together
			time.Sleep(10 * time.Millisecond)
			if admitted(gateway, t, h, talk("loop", "prueba")) {
				looped++
			}
			if tick := time.Now().UnixMilli() / 10; tick%10 == 0 {
				if !admitted(gateway, t, h, talk("cnv_"+string(rune('a'+tick/10%10)), "prueba")) {
					refused++
				}
			}
		}
		if refused != 0 {
			t.Errorf("%d calls of other conversations were refused because of one loop", refused)
		}
		if want := 10 + 60*5 - 1; looped != want { // a quarter: burst 10, 5/s; it began with a call at 10 ms
			t.Errorf("the loop got %d calls through, want its share of %d", looped, want)
		}
	})
}

func TestRateLimitWhoPays(t *testing.T) {
	t.Parallel()
	callers := func(ctx context.Context) []context.Context {
		return []context.Context{
			ctx, as(ctx, "asixto"), as(ctx, "whaapy"),
			call.WithCaller(ctx, call.Caller{Name: "asixto", Tenant: "norte"}),
			call.WithCaller(ctx, call.Caller{Name: "asixto", Tenant: "sur"}),
		}
	}
	tests := []struct {
		name string
		cfg  middleware.RateLimitConfig
		want []int // calls that get through, by caller, one after the other
	}{
		{"the principal, by default", middleware.RateLimitConfig{}, []int{4, 4, 4, 4, 4}},
		{
			"the name alone",
			middleware.RateLimitConfig{Key: func(_ context.Context, rec *middleware.Record) string { return rec.Caller().Name }},
			[]int{4, 4, 4, 0, 0},
		},
		{
			"limits that differ by key",
			middleware.RateLimitConfig{Limits: func(key, tool string) call.Limit {
				switch {
				case tool != "":
					return call.Limit{}
				case key == "asixto":
					return call.Rate(1, time.Second, 9)
				}
				return call.Rate(1, time.Second, 2)
			}},
			[]int{2, 9, 2, 2, 2},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := limited(call.Rate(1, time.Second, 4), tt.cfg)
				for i, ctx := range callers(t.Context()) {
					if got := spend(ctx, t, h, request(nil)); got != tt.want[i] {
						t.Errorf("caller %d got %d calls through, want %d", i, got, tt.want[i])
					}
				}
			})
		})
	}
}

// TestRateLimitWithoutConversation: calls that name none are not one conversation, and
// neither are those whose id cannot be used.
func TestRateLimitWithoutConversation(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]mcp.CallToolRequest{
		"without metadata": request(nil),
		"a blank id":       talk(" ", "prueba"),
		"an id of 1 MiB":   talk(strings.Repeat("x", 1<<20), "prueba"),
		"an unseen letter": talk("cnv\u202e", "prueba"),
		"an id of no text": request(map[string]any{"com.asixto/conversationId": 7.0}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := limited(call.Rate(1, time.Second, 40), middleware.RateLimitConfig{})
				if got := spend(t.Context(), t, h, talk("cnv", "prueba")); got != 10 {
					t.Errorf("a conversation got %d calls through, want 10", got)
				}
				if got := spend(t.Context(), t, h, req); got != 30 {
					t.Errorf("without a conversation %d got through, want the 30 that are left", got)
				}
			})
		})
	}
}

// TestRateLimitTakesAllOrNothing: a call that one budget refuses costs the
// others nothing.
func TestRateLimitTakesAllOrNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := limited(call.Rate(1, time.Hour, 8), middleware.RateLimitConfig{
			ConversationShare: 0.5,
			Tools:             map[string]call.Limit{"caro": call.Rate(1, time.Hour, 3)},
		})
		ctx := t.Context()
		for _, step := range []struct {
			conversation, tool string
			want               int
		}{
			{"a", "caro", 3},   // the tool's 3
			{"a", "prueba", 1}, // the rest of the conversation's 4
			{"b", "caro", 0},
			{"b", "prueba", 4}, // the refusals have cost b nothing
			{"c", "prueba", 0}, // and the key's 8 are spent
		} {
			if got := spend(ctx, t, h, talk(step.conversation, step.tool)); got != step.want {
				t.Errorf("%s in %s: %d calls got through, want %d", step.tool, step.conversation, got, step.want)
			}
		}
	})
}

func TestRateLimitCost(t *testing.T) {
	t.Parallel()
	cost := func(_ context.Context, req mcp.CallToolRequest) int {
		return map[string]int{"gratis": 0, "prueba": 1, "caro": 5, "enorme": 12}[req.Params.Name]
	}
	for _, tt := range []struct {
		tool string
		want int
	}{
		{"prueba", 4}, // the conversation's share is a quarter of 16
		{"caro", 1},   // it takes all of the share
		{"enorme", 1},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := limited(call.Rate(1, time.Second, 16), middleware.RateLimitConfig{Cost: cost})
				if got := spend(t.Context(), t, h, talk("cnv", tt.tool)); got != tt.want {
					t.Errorf("%d calls got through, want %d", got, tt.want)
				}
				for range 100 {
					if !admitted(t.Context(), t, h, talk("cnv", "gratis")) {
						t.Fatal("a call that costs nothing was refused")
					}
				}
			})
		})
	}
}

func TestRateLimitExemptAndOff(t *testing.T) {
	t.Parallel()
	var off atomic.Bool
	h := limited(call.Rate(1, time.Hour, 2), middleware.RateLimitConfig{Exempt: []string{"ping"}, Off: off.Load})
	if got := spend(t.Context(), t, h, request(nil)); got != 2 {
		t.Fatalf("%d calls got through, want 2", got)
	}
	if !admitted(t.Context(), t, h, talk("cnv", "ping")) {
		t.Error("an exempt tool was refused")
	}
	off.Store(true)
	if !admitted(t.Context(), t, h, request(nil)) {
		t.Error("a call was refused while the limit was off")
	}
	off.Store(false)
	if admitted(t.Context(), t, h, request(nil)) {
		t.Error("what was spent came back by switching the limit off and on")
	}
}

// TestRateLimitChangesAtRunTime: a new limit holds from the next call on, and
// what was spent stays spent.
func TestRateLimitChangesAtRunTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var current atomic.Pointer[call.Limit]
		set := func(l call.Limit) { current.Store(&l) }
		h := limited(call.Limit{}, middleware.RateLimitConfig{Limits: func(_, tool string) call.Limit {
			if tool != "" {
				return call.Limit{}
			}
			return *current.Load()
		}})
		for _, step := range []struct {
			name  string
			limit call.Limit
			wait  time.Duration
			want  int
		}{
			{"the burst", call.Rate(1, time.Hour, 60), 0, 60},
			{"faster, and still empty", call.Rate(100, time.Second, 100), 0, 0},
			{"at the new rate", call.Rate(100, time.Second, 100), 100 * time.Millisecond, 10},
			{"full at the new burst", call.Rate(100, time.Second, 100), time.Minute, 100},
			{"slower, and still empty", call.Rate(1, time.Hour, 60), 0, 0},
			{"at the slow rate", call.Rate(1, time.Hour, 60), 2 * time.Hour, 2},
			{"no limit", call.Limit{}, 0, -1},
			{"what was spent before it", call.Rate(1, time.Hour, 60), 0, 0},
		} {
			set(step.limit)
			time.Sleep(step.wait)
			if step.want < 0 {
				for range 1000 {
					if !admitted(t.Context(), t, h, request(nil)) {
						t.Fatalf("%s: a call was refused", step.name)
					}
				}
				continue
			}
			if got := spend(t.Context(), t, h, request(nil)); got != step.want {
				t.Errorf("%s: %d calls got through, want %d", step.name, got, step.want)
			}
		}
	})
}

// TestRateLimitByKeyAndTool: a limit may be that of one tool for one key, beside that
// of the key, and change at any time.
func TestRateLimitByKeyAndTool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bursts := map[string]int{ // by key and tool; the others have no limit
			"asixto ": 20, "asixto caro": 2, "asixto barato": 9,
			"whaapy ": 8, "whaapy caro": 3,
		}
		h := limited(call.Limit{}, middleware.RateLimitConfig{Limits: func(key, tool string) call.Limit {
			if burst, ok := bursts[key+" "+tool]; ok {
				return call.Rate(1, time.Hour, burst)
			}
			return call.Limit{}
		}})
		for _, step := range []struct {
			caller, tool string
			raise        string // the limit that is two higher from now on
			want         int    // calls that get through
		}{
			{caller: "asixto", tool: "caro", want: 2},
			{caller: "whaapy", tool: "caro", want: 3},
			{caller: "asixto", tool: "barato", want: 9},
			{caller: "asixto", tool: "caro", raise: "asixto caro", want: 0}, // what is left is kept, and that is nothing
			{caller: "asixto", tool: "prueba", want: 20 - 2 - 9},
			{caller: "whaapy", tool: "prueba", want: 8 - 3},
			{caller: "nadie", tool: "caro", want: -1},
		} {
			if step.raise != "" {
				bursts[step.raise] += 2
			}
			ctx := as(t.Context(), step.caller)
			if step.want < 0 {
				for range 100 {
					if !admitted(ctx, t, h, talk("", step.tool)) {
						t.Fatalf("%s of %s was refused, and has no limit", step.tool, step.caller)
					}
				}
				continue
			}
			if got := spend(ctx, t, h, talk("", step.tool)); got != step.want {
				t.Errorf("%s of %s: %d calls got through, want %d", step.tool, step.caller, got, step.want)
			}
		}
		time.Sleep(5 * time.Hour) // five units for the key, and four for the tool, which holds four now
		if got := spend(as(t.Context(), "asixto"), t, h, talk("", "caro")); got != 4 {
			t.Errorf("under the higher limit %d calls got through, want 4", got)
		}
	})
}

// TestRateLimitRetryAfterIsExact: whoever comes back then gets through, and a
// millisecond before nobody does.
func TestRateLimitRetryAfterIsExact(t *testing.T) {
	t.Parallel()
	for _, limit := range []call.Limit{
		call.Rate(1000, time.Second, 10), call.Rate(7, time.Second, 3), call.Rate(20, time.Second, 40), call.Rate(1, time.Hour, 60), call.Rate(3, 24*time.Hour, 1),
	} {
		synctest.Test(t, func(t *testing.T) {
			h := limited(limit, middleware.RateLimitConfig{})
			spend(t.Context(), t, h, request(nil))
			for range 50 {
				_, err := h(t.Context(), request(nil))
				e := errors.From(err)
				if e == nil || e.RetryAfter <= 0 {
					t.Fatalf("%v: got %v, want a refusal with a time", limit, err)
				}
				time.Sleep(max(e.RetryAfter-time.Millisecond, 0))
				if e.RetryAfter > time.Millisecond && admitted(t.Context(), t, h, request(nil)) {
					t.Fatalf("%v: it got through before its time", limit)
				}
				time.Sleep(min(e.RetryAfter, time.Millisecond))
				if !admitted(t.Context(), t, h, request(nil)) {
					t.Fatalf("%v: it was refused at its time", limit)
				}
			}
		})
	}
}

func TestRateLimitLimiterEndsWithTheCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	events := newRecorder()
	h := middleware.Wrap(ok, middleware.Observe(events.observe), middleware.RateLimit(call.Rate(1, time.Second, 1),
		middleware.RateLimitConfig{Limiter: brokenLimiter{context.Canceled}}))
	if _, err := h(ctx, request(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the call", err)
	}
	if got := events.next(t).Outcome; got != middleware.OutcomeCanceled {
		t.Errorf("outcome %s, want canceled", got)
	}
}

func TestRateLimitConfigProblems(t *testing.T) {
	t.Parallel()
	defer func() {
		text, _ := recover().(string)
		for _, want := range []string{
			"portavoz/middleware: RateLimit: ", "the share of a conversation is negative",
			`the limit of tool "caro" has no burst`, `the tool "caro" is exempt and has a limit`, "the limit has no burst",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("it panicked with %q, want all problems, also %q", text, want)
			}
		}
	}()
	middleware.RateLimit(call.Limit{Every: time.Second}, middleware.RateLimitConfig{
		ConversationShare: math.NaN(), Exempt: []string{"caro"}, Tools: map[string]call.Limit{"caro": {Every: 1}},
	})
}
