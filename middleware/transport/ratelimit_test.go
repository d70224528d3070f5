package transport_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// tally is a limiter whose buckets never fill up again by themselves.
type tally struct {
	mu    sync.Mutex
	spent map[string]int
	err   error
}

func newTally() *tally { return &tally{spent: map[string]int{}} }

func (l *tally) Take(_ context.Context, c call.Charge) (call.Verdict, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := c.Buckets[call.OfKey]
	id := c.Key + "|" + b.Name
	switch {
	case l.err != nil || b.Limit.Unlimited():
		return call.Verdict{}, l.err
	case b.Limit.Burst == 0:
		return call.Verdict{Wait: call.Never}, nil
	case l.spent[id]+max(b.Cost, 1) > b.Limit.Burst:
		return call.Verdict{Wait: b.Limit.Every}, nil
	}
	l.spent[id] += b.Cost
	return call.Verdict{}, nil
}

// reaches is a server whose tool middlewares see the calls of every tool but
// "desconocida".
func reaches(w http.ResponseWriter, r *http.Request) {
	if x := call.ExchangeFrom(r.Context()); x.Request().Method == "tools/call" && x.Request().Name != "desconocida" {
		x.SetOutcome(call.Outcome{Tool: x.Request().Name})
	}
	w.WriteHeader(http.StatusAccepted)
}

// behind is that server behind Headers and a limit.
func behind(l call.Limiter, limit call.Limit, cfg transport.RateLimitConfig) http.Handler {
	return transport.Headers()(transport.RateLimit(l, limit, cfg)(http.HandlerFunc(reaches)))
}

// passed sends a request until it is refused, at most 100 times.
func passed(h http.Handler, r func() *http.Request) int {
	for n := range 100 {
		if serve(h, r()).Code != http.StatusAccepted {
			return n
		}
	}
	return 100
}

func listing() *http.Request { return post(list) }

func TestRateLimitRefusals(t *testing.T) {
	t.Parallel()
	tooMany := func(id string, data string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,"message":"Too many requests."` + data + "}}\n"
	}
	plain := map[string]string{"Content-Type": "application/json", "X-Content-Type-Options": "nosniff"}
	after := func(seconds string) map[string]string {
		return map[string]string{"Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "Retry-After": seconds}
	}
	broken := newTally()
	broken.err = errors.New("dial tcp 10.0.0.7:6379")
	for name, tc := range map[string]struct {
		limiter *tally
		limits  func(string) call.Limit
		passing int
		body    string
		want    answer
		logged  string
	}{
		"a list": {
			newTally(), nil, 2, list,
			answer{429, after("2"), tooMany("1", `,"data":{"retry_after_seconds":2}`)}, "rate_limited",
		},
		"discovery": {
			newTally(), nil, 2, strings.Replace(list, "tools/list", "server/discover", 1),
			answer{429, after("2"), tooMany("1", `,"data":{"retry_after_seconds":2}`)}, "rate_limited",
		},
		"a notification": {
			newTally(), nil, 2, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			answer{429, after("2"), tooMany("null", `,"data":{"retry_after_seconds":2}`)}, "rate_limited",
		},
		"a plain route": {
			newTally(), nil, 2, "",
			answer{429, after("2"), tooMany("null", `,"data":{"retry_after_seconds":2}`)}, "rate_limited",
		},
		"what is no message": {
			newTally(), nil, 2, "[]",
			answer{429, after("2"), tooMany("null", `,"data":{"retry_after_seconds":2}`)}, "rate_limited",
		},
		"calls that reach no tool": {
			newTally(), nil, 2, modern("desconocida"),
			answer{429, after("2"), tooMany("7", `,"data":{"retry_after_seconds":2}`)}, "rate_limited",
		},
		"a key to which nothing is given": {
			newTally(), func(string) call.Limit { return call.Limit{Every: 1} }, 0, list,
			answer{429, plain, tooMany("1", "")}, "rate_limited",
		},
		"a limiter that cannot count": {
			broken, nil, 0, list,
			answer{503, after("1"), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Requests cannot be counted now.","data":{"retry_after_seconds":1}}}` + "\n"},
			"limiter_unavailable",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := behind(tc.limiter, call.Rate(1, 1500*time.Millisecond, 2), transport.RateLimitConfig{Limits: tc.limits})
			for range tc.passing {
				if got := serve(h, post(tc.body)).Code; got != http.StatusAccepted {
					t.Fatalf("a request within the limit got %d", got)
				}
			}
			ctx, exchange := call.WithExchange(t.Context())
			checkAnswer(t, serve(h, post(tc.body).WithContext(ctx)).Result(), tc.want)
			if got := exchange.Refusal(); got != tc.logged {
				t.Errorf("the log would say %q, want %q", got, tc.logged)
			}
		})
	}
}

// TestRateLimitLetsCallsOfToolsPass: they are counted inside, and a list is not
// refused because of them.
func TestRateLimitLetsCallsOfToolsPass(t *testing.T) {
	t.Parallel()
	h := behind(newTally(), call.Rate(1, time.Hour, 3), transport.RateLimitConfig{})
	for _, step := range []struct {
		name string
		r    func() *http.Request
		want int
	}{
		{"calls", func() *http.Request { return post(modern("abrir_caso_soporte")) }, 100},
		{"lists", listing, 3},
		{"calls beside too many lists", func() *http.Request { return post(modern("abrir_caso_soporte")) }, 100},
		{"calls of a tool that does not exist", func() *http.Request { return post(modern("desconocida")) }, 3},
		{"calls after those", func() *http.Request { return post(modern("abrir_caso_soporte")) }, 0},
	} {
		if got := passed(h, step.r); got != step.want {
			t.Errorf("%s: %d passed, want %d", step.name, got, step.want)
		}
	}
}

// TestRateLimitBelievesNoHeader: what a request is, its body says.
func TestRateLimitBelievesNoHeader(t *testing.T) {
	t.Parallel()
	lie := func() *http.Request { return post(list, "Mcp-Method", "tools/call", "Mcp-Name", "a") }
	if got := passed(behind(newTally(), call.Rate(1, time.Hour, 3), transport.RateLimitConfig{}), lie); got != 3 {
		t.Errorf("%d lists with the header of a call passed, want 3", got)
	}
	alone := transport.RateLimit(newTally(), call.Rate(1, time.Hour, 3), transport.RateLimitConfig{})(http.HandlerFunc(reaches))
	if got := passed(alone, func() *http.Request { return post(modern("a"), "Mcp-Method", "tools/call") }); got != 3 {
		t.Errorf("without Headers in front %d calls passed, want 3: there every request counts", got)
	}
}

func TestRateLimitWhoPays(t *testing.T) {
	t.Parallel()
	from := func(who *call.Caller, remote string) *http.Request {
		r := listing()
		r.RemoteAddr = remote
		r.Header.Set("X-Forwarded-For", strconv.Itoa(int(time.Now().UnixNano()))) // worth nothing
		if who != nil {
			r = r.WithContext(call.WithCaller(r.Context(), *who))
		}
		return r
	}
	asixto, norte := &call.Caller{Name: "asixto"}, &call.Caller{Name: "asixto", Tenant: "norte"}
	for name, tc := range map[string]struct {
		a, b *http.Request
		same bool
	}{
		"one name from two addresses":  {from(asixto, "192.0.2.1:1"), from(asixto, "192.0.2.2:1"), true},
		"two names from one address":   {from(asixto, "192.0.2.1:1"), from(&call.Caller{Name: "whaapy"}, "192.0.2.1:1"), false},
		"two tenants of one name":      {from(asixto, "192.0.2.1:1"), from(norte, "192.0.2.1:1"), false},
		"nobody, from two ports":       {from(nil, "192.0.2.1:1"), from(nil, "192.0.2.1:2"), true},
		"nobody, from two addresses":   {from(nil, "192.0.2.1:1"), from(nil, "192.0.2.2:1"), false},
		"nobody, from one network":     {from(nil, "[2001:db8::1]:1"), from(nil, "[2001:db8::ffff:2]:1"), true},
		"nobody, from two networks":    {from(nil, "[2001:db8:0:1::1]:1"), from(nil, "[2001:db8:0:2::1]:1"), false},
		"IPv4 in IPv6":                 {from(nil, "192.0.2.1:1"), from(nil, "[::ffff:192.0.2.1]:1"), true},
		"nobody, on a Unix socket":     {from(nil, "@"), from(nil, ""), true},
		"a name like the address of b": {from(&call.Caller{Name: "192.0.2.1"}, "192.0.2.9:1"), from(nil, "192.0.2.1:1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := behind(newTally(), call.Rate(1, time.Hour, 1), transport.RateLimitConfig{})
			if got := serve(h, tc.a).Code; got != http.StatusAccepted {
				t.Fatalf("the first got %d", got)
			}
			if got := serve(h, tc.b).Code; (got == http.StatusTooManyRequests) != tc.same {
				t.Errorf("the second got %d, want the same budget: %t", got, tc.same)
			}
		})
	}
}

func TestRateLimitExempt(t *testing.T) {
	t.Parallel()
	at := func(method, path string) func() *http.Request {
		return func() *http.Request {
			r := listing()
			r.Method, r.URL.Path = method, path
			return r
		}
	}
	for name, tc := range map[string]struct {
		exempt []string
		r      func() *http.Request
		want   int
	}{
		"health":                       {nil, at("GET", "/livez"), 100},
		"its head":                     {nil, at("HEAD", "/readyz"), 100},
		"a message to that path":       {nil, at("POST", "/livez"), 3},
		"below it":                     {nil, at("GET", "/livez/x"), 3},
		"a path of one's own":          {[]string{"/estado"}, at("GET", "/estado"), 100},
		"no longer health":             {[]string{"/estado"}, at("GET", "/livez"), 3},
		"nothing is":                   {[]string{}, at("GET", "/livez"), 3},
		"a plain route without a body": {nil, at("GET", "/"), 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := behind(newTally(), call.Rate(1, time.Hour, 3), transport.RateLimitConfig{Exempt: tc.exempt})
			if got := passed(h, tc.r); got != tc.want {
				t.Errorf("%d passed, want %d", got, tc.want)
			}
		})
	}
}

func TestRateLimitOffAndLimitsThatChange(t *testing.T) {
	t.Parallel()
	var off atomic.Bool
	var burst atomic.Int64
	burst.Store(2)
	h := behind(newTally(), call.Limit{}, transport.RateLimitConfig{
		Key:    func(r *http.Request) string { return r.Header.Get("X-Team") },
		Limits: func(key string) call.Limit { return call.Limit{Every: time.Hour, Burst: int(burst.Load()) * len(key)} },
		Off:    off.Load,
	})
	of := func(team string) func() *http.Request {
		return func() *http.Request { return post(list, "X-Team", team) }
	}
	if a, b := passed(h, of("a")), passed(h, of("bb")); a != 2 || b != 4 {
		t.Errorf("%d and %d passed, want 2 and 4: the limits differ by key", a, b)
	}
	burst.Store(3)
	if got := passed(h, of("a")); got != 1 {
		t.Errorf("%d passed after the limit rose by one, want 1", got)
	}
	off.Store(true)
	if got := passed(h, of("a")); got != 100 {
		t.Errorf("%d passed while it was off, want all", got)
	}
}

// TestRateLimitCountsAStrayCallWhoseClientLeft: leaving early is not free.
func TestRateLimitCountsAStrayCallWhoseClientLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := make(chan context.Context, 8)
		l := limiterFunc(func(ctx context.Context, c call.Charge) (call.Verdict, error) {
			if c.Buckets[call.OfKey].Cost > 0 {
				seen <- ctx
			}
			return call.Verdict{}, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		h := transport.Headers()(transport.RateLimit(l, call.Rate(1, time.Second, 1), transport.RateLimitConfig{})(
			http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cancel() })))
		serve(h, post(modern("desconocida")).WithContext(ctx))
		select {
		case ctx := <-seen:
			if ctx.Err() != nil {
				t.Error("it was counted under a context that had ended")
			}
		default:
			t.Error("it was not counted")
		}
	})
}

type limiterFunc func(context.Context, call.Charge) (call.Verdict, error)

func (f limiterFunc) Take(ctx context.Context, c call.Charge) (call.Verdict, error) { return f(ctx, c) }

func TestRateLimitPanics(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		limiter call.Limiter
		limit   call.Limit
		want    string
	}{
		"no limiter": {nil, call.Limit{}, "portavoz/transport: RateLimit needs a limiter"},
		"no burst":   {newTally(), call.Limit{Every: 1}, "portavoz/transport: the limit of RateLimit has no burst"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if got := recover(); got != tc.want {
					t.Errorf("panic = %v, want %q", got, tc.want)
				}
			}()
			transport.RateLimit(tc.limiter, tc.limit, transport.RateLimitConfig{})
		})
	}
}

// TestGatewayRateLimit: the credential comes first, and what the body says.
func TestGatewayRateLimit(t *testing.T) {
	t.Parallel()
	h, err := transport.GatewayConfig{
		Credentials: creds(transport.Bearer("asixto", current)),
		RateLimit:   transport.RateLimit(newTally(), call.Rate(1, time.Hour, 3), transport.RateLimitConfig{}),
	}.Wrap(http.HandlerFunc(reaches))
	if err != nil {
		t.Fatal(err)
	}
	signed := func(body string) func() *http.Request {
		return func() *http.Request { return post(body, "Authorization", "Bearer "+current) }
	}
	for range 10 {
		if got := serve(h, post(list)).Code; got != http.StatusUnauthorized {
			t.Fatalf("without a credential: status %d, want 401", got)
		}
	}
	if got := passed(h, signed(modern("a"))); got != 100 {
		t.Errorf("%d calls passed, want all", got)
	}
	if got := passed(h, signed(list)); got != 3 {
		t.Errorf("%d lists passed, want 3", got)
	}
}
