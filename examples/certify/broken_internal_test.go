package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/middleware/transport"
)

// brokenServer differs from the good one by one thing.
type brokenServer struct {
	outer breakage // in front of the credentials; or
	inner breakage // behind them
	flags []string
	// whaapy is for the rules of that profile: the good server is one of Whaapy's.
	whaapy bool
}

// ofOrder changes the successes of consultar_pedido that are not for the phone.
func ofOrder(change func(*exchange)) breakage {
	return after(func(x *exchange) {
		if x.tool() == "consultar_pedido" && x.success() && !x.voice() {
			change(x)
		}
	})
}

// onPhone changes the successes of a tool on the phone.
func onPhone(name string, change func(*exchange)) breakage {
	return after(func(x *exchange) {
		if x.tool() == name && x.success() && x.voice() {
			change(x)
		}
	})
}

// ofFailure changes the failures of consultar_pedido that are of a type.
func ofFailure(errorType string, change func(*exchange)) breakage {
	return after(func(x *exchange) {
		if x.tool() == "consultar_pedido" && x.failed() && x.failure()["error_type"] == errorType {
			change(x)
		}
	})
}

func isNull(args map[string]any, name string) bool { v, ok := args[name]; return ok && v == nil }

func number(args map[string]any, name string) string { return scalar(args[name]) }

// brokenServers has one for every rule for running servers, by the rule that it
// breaks, and no other.
func brokenServers() map[string]brokenServer {
	item := map[string]any{"nombre": "Plan extra", "precio": "1.00", "moneda": "COP"}
	servers := map[string]brokenServer{
		"protocol-modern": {inner: after(func(x *exchange) {
			if x.rpc() == "server/discover" {
				x.fault(http.StatusNotFound, codeMethodNotFound)
			}
		})},
		"list-legacy": {inner: after(func(x *exchange) {
			if tools, ok := x.res()["tools"].([]any); ok && x.header.Get("Mcp-Method") == "" {
				x.res()["tools"] = tools[1:]
			}
		})},

		"list-order": {inner: turning()},

		"auth-required": {outer: before(func(x *exchange) {
			if x.header.Get("Authorization") == "" {
				x.header.Set("Authorization", "Bearer "+secret)
			}
		})},
		"auth-wrong": {outer: before(func(x *exchange) {
			if x.header.Get("Authorization") != "" {
				x.header.Set("Authorization", "Bearer "+secret)
			}
		})},
		"auth-challenge": {outer: after(func(x *exchange) { x.sent.Del("WWW-Authenticate") })},

		"header-mismatch":      {outer: before(func(x *exchange) { x.header.Set("Mcp-Method", x.rpc()) })},
		"header-name-mismatch": {outer: before(func(x *exchange) { x.header.Set("Mcp-Name", x.tool()) })},
		"header-dash": {outer: after(func(x *exchange) {
			if x.header.Get("Mcp-Name") == "-" {
				x.fault(http.StatusBadRequest, codeHeaderMismatch)
			}
		})},
		"protocol-unknown-version": {outer: before(func(x *exchange) {
			if x.meta()["io.modelcontextprotocol/protocolVersion"] != nil {
				x.meta()["io.modelcontextprotocol/protocolVersion"] = modern
			}
		})},
		"protocol-unknown-method": {inner: after(func(x *exchange) {
			if x.rpc() == "certify/unknown" {
				x.succeed(map[string]any{})
			}
		})},

		"protocol-legacy": {outer: after(func(x *exchange) {
			if x.rpc() == "initialize" {
				x.fault(http.StatusOK, codeMethodNotFound)
			}
		})},
		"protocol-initialized": {outer: after(func(x *exchange) {
			if x.rpc() == "notifications/initialized" {
				x.status = http.StatusOK
			}
		})},
		"protocol-delete": {outer: after(func(x *exchange) {
			if x.method == http.MethodDelete {
				x.status = http.StatusInternalServerError
			}
		})},

		"result-answer": {inner: ofFailure("NOT_FOUND", func(x *exchange) { x.fault(http.StatusOK, codeInternal) })},
		"result-type":   {inner: ofOrder(func(x *exchange) { x.res()["resultType"] = "input_required" })},
		"result-size":   {inner: ofOrder(func(x *exchange) { x.say(strings.Repeat("á", maxResult+1)) })},
		"result-schema": {inner: ofOrder(func(x *exchange) { delete(x.data(), "codigo") })},
		"result-text":   {inner: ofOrder(func(x *exchange) { x.res()["content"] = []any{} })},
		"result-media": {inner: ofOrder(func(x *exchange) {
			x.res()["content"] = append(x.res()["content"].([]any), map[string]any{"type": "image", "data": "AA==", "mimeType": "image/png"})
		})},
		"result-trace":         {inner: ofOrder(func(x *exchange) { x.say("panic: nil map\n\ngoroutine 7 [running]:") })},
		"result-secret":        {inner: ofOrder(func(x *exchange) { x.say("Use " + secret + " otra vez.") })},
		"result-internal-host": {inner: ofOrder(func(x *exchange) { x.say("Lo dice pedidos.svc.internal.") })},
		"result-internal-id": {inner: ofOrder(func(x *exchange) {
			x.data()["codigo"] = "6f2c8a54-7a43-4d8e-9d53-0b1f4f6f1a01"
		})},
		"result-json-string": {inner: ofOrder(func(x *exchange) { x.data()["codigo"] = `{"codigo":"P-1"}` })},

		"failure-unknown-tool": {inner: after(func(x *exchange) {
			if x.tool() == "certify_unknown_tool" && x.header.Get("Mcp-Name") == x.tool() {
				x.succeed(map[string]any{})
			}
		})},
		"failure-arguments":  {inner: ofFailure("VALIDATION", func(x *exchange) { x.succeed(map[string]any{"codigo": "P-1", "entrega": "2030-03-14"}) })},
		"failure-validation": {inner: ofFailure("VALIDATION", func(x *exchange) { x.fail("BLOCKER", "No se puede.") })},
		"failure-not-found":  {inner: ofFailure("NOT_FOUND", func(x *exchange) { x.fail("SYSTEM", "No se puede.") })},
		"failure-result":     {inner: ofFailure("NOT_FOUND", func(x *exchange) { x.fault(http.StatusBadRequest, codeInvalidParams) })},
		"failure-shape": {inner: ofFailure("NOT_FOUND", func(x *exchange) {
			data := map[string]any{"error": map[string]any{"error_type": "GONE", "user_message": "No está."}}
			x.refail(data, string(mustJSON(data)))
		})},
		"failure-text":     {inner: ofFailure("NOT_FOUND", func(x *exchange) { x.say("No está.") })},
		"failure-sentence": {inner: ofFailure("NOT_FOUND", func(x *exchange) { x.fail("NOT_FOUND", "order_id {P-9} missing") })},

		"page-limit": {inner: after(func(x *exchange) {
			if x.tool() == "buscar_planes" && number(x.args(), "limit") == "2" && number(x.args(), "offset") == "0" {
				x.data()["resultados"] = append(x.list(), item)
			}
		})},
		"page-default": {inner: before(func(x *exchange) {
			if isNull(x.args(), "limit") {
				x.args()["limit"] = 20
			}
		})},
		"page-maximum": {inner: after(func(x *exchange) {
			if number(x.args(), "limit") == "100" {
				x.succeed(map[string]any{"resultados": slices.Repeat([]any{item}, 30), "total": 30, "limit": 100, "offset": 0})
			}
		})},
		"page-beyond": {inner: after(func(x *exchange) {
			if len(number(x.args(), "offset")) > 2 {
				x.fail("NOT_FOUND", "No hay más.")
			}
		})},
		"page-total": {inner: after(func(x *exchange) {
			if number(x.args(), "offset") == "4" {
				x.data()["total"] = 6
			}
		})},
		"page-duplicates": {inner: before(func(x *exchange) {
			if number(x.args(), "offset") == "2" {
				x.args()["offset"] = 1
			}
		})},
		"page-empty": {inner: after(func(x *exchange) {
			if x.tool() == "buscar_planes" && x.success() && scalar(x.data()["total"]) == "0" {
				x.fail("NOT_FOUND", "No hay nada.")
			}
		})},

		"voice-items": {inner: onPhone("buscar_planes", func(x *exchange) {
			if len(x.list()) > 0 {
				x.data()["resultados"] = append(x.list(), x.list()[0])
			}
		})},
		"voice-address":     {inner: onPhone("consultar_pedido", func(x *exchange) { x.say("Lo ve en tienda.example.com.") })},
		"voice-date-text":   {inner: onPhone("consultar_pedido", func(x *exchange) { delete(x.data(), "entrega_texto") })},
		"voice-amount-text": {inner: onPhone("buscar_planes", func(x *exchange) { forEach(x.list(), func(i map[string]any) { delete(i, "precio_texto") }) })},
		"voice-markup":      {inner: onPhone("consultar_pedido", func(x *exchange) { x.say("El pedido **llega** el jueves.") })},

		"health-apart": {flags: []string{"-health", "{url}"}},
	}
	maps.Copy(servers, brokenWriters())
	maps.Copy(servers, brokenEnvelopes())
	return servers
}

// turning answers every other list the other way round.
func turning() breakage {
	var lists atomic.Int64
	return after(func(x *exchange) {
		if tools, ok := x.res()["tools"].([]any); ok && lists.Add(1)%2 == 0 {
			slices.Reverse(tools)
		}
	})
}

func forEach(list []any, do func(map[string]any)) {
	for _, item := range list {
		do(item.(map[string]any))
	}
}

// brokenWriters fail where an answer was lost.
func brokenWriters() map[string]brokenServer {
	return map[string]brokenServer{
		"write-key-twice":      {inner: forgetful(0)},
		"write-key-burst":      {inner: racing()},
		"write-cut-connection": {inner: dropping()},
		"write-key-arguments": {inner: before(func(x *exchange) { // a key of its own for each plan
			if x.tool() == "crear_pedido" && x.args()["plan"] == "Plan 2" {
				x.meta()[metaKey] = fmt.Sprint(x.meta()[metaKey], " and Plan 2")
			}
		})},
		"write-key-other": {inner: sameForSame()},
		"write-key-invalid": {inner: before(func(x *exchange) {
			if _, isText := x.meta()[metaKey].(string); !isText {
				delete(x.meta(), metaKey)
			}
		})},
	}
}

// forgetful runs the nth key again when it comes once more with the same arguments.
func forgetful(nth int) breakage {
	var mu sync.Mutex
	var keys []string
	return before(func(x *exchange) {
		if x.tool() != "crear_pedido" || x.args()["plan"] != "Plan 1" || len(x.args()) != 1 {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		key := fmt.Sprint(x.meta()[metaKey])
		if i := slices.Index(keys, key); i < 0 {
			keys = append(keys, key)
		} else if i == nth {
			x.meta()[metaKey] = key + " again"
		}
	})
}

// onePlan returns the key of a call that orders Plan 1 and nothing else, "" of any other.
func onePlan(x *exchange) string {
	key, _ := x.meta()[metaKey].(string)
	if x.tool() != "crear_pedido" || x.args()["plan"] != "Plan 1" || len(x.args()) != 1 {
		return ""
	}
	return key
}

// numbered returns the number of a key, by when it came first, from 1 on.
func numbered(keys *[]string, key string) int {
	if !slices.Contains(*keys, key) {
		*keys = append(*keys, key)
	}
	return slices.Index(*keys, key) + 1
}

// racing looks whether a key is known, and then runs: two that come at once both run. The
// key that comes at once is the second one. Its first call waits for another one, so
// that they are at once on every machine.
func racing() breakage {
	const atOnce = 2
	var mu sync.Mutex
	var keys []string
	calls, second := 0, make(chan struct{})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			x := readExchange(r)
			key := onePlan(x)
			mu.Lock()
			n := 0
			if key != "" && numbered(&keys, key) == atOnce {
				calls++
				n = calls
			}
			mu.Unlock()
			switch n {
			case 1:
				select {
				case <-second:
				case <-r.Context().Done():
				}
			case 2:
				x.meta()[metaKey] = key + " at once"
				defer close(second)
			}
			next.ServeHTTP(w, x.request(r))
		})
	}
}

// dropping forgets the result of a call whose connection was cut, not its effect. The key
// of that call is the third one, and it alone asks to close its connection. It
// lasts until the connection is gone, and retries wait for that, so that the loss is
// known in time on every machine.
func dropping() breakage {
	const isCut = 3
	var mu sync.Mutex
	var keys []string
	gone := make(chan struct{})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			x := readExchange(r)
			key := onePlan(x)
			mu.Lock()
			number := 0
			if key != "" {
				number = numbered(&keys, key)
			}
			mu.Unlock()
			switch {
			case number == isCut && r.Close:
				next.ServeHTTP(w, x.request(r))
				<-r.Context().Done()
				close(gone)
			case number == isCut:
				select {
				case <-gone:
				case <-r.Context().Done():
				}
				after(func(x *exchange) { x.fail("SYSTEM", "No se puede.") })(next).ServeHTTP(w, x.request(r))
			default:
				next.ServeHTTP(w, x.request(r))
			}
		})
	}
}

// sameForSame takes the key that came first with the same arguments.
func sameForSame() breakage {
	var mu sync.Mutex
	keys := map[string]any{}
	return before(func(x *exchange) {
		key, isText := x.meta()[metaKey].(string)
		if x.tool() != "crear_pedido" || !isText {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		args := string(mustJSON(x.args()))
		if first, known := keys[args]; known {
			x.meta()[metaKey] = first
		} else {
			keys[args] = key
		}
	})
}

// TestBroken: each broken server is caught by the rule that it breaks, and by
// nothing else.
func TestBroken(t *testing.T) {
	t.Parallel()
	for rule, broken := range brokenServers() {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			handler := new(shop).handler(t)
			if broken.whaapy {
				handler = enveloped(handler)
				broken.flags = []string{"-profile", "whaapy"}
			}
			if broken.inner != nil {
				handler = broken.inner(handler)
			}
			handler = protect(t, handler)
			if broken.outer != nil {
				handler = broken.outer(handler)
			}
			wantFinding(t, rule, serve(t, handler), broken.flags...)
		})
	}
}

// TestWithoutHeaders is the one thing that mcp-go does otherwise than the gateway
// asks, behind the right credentials.
func TestWithoutHeaders(t *testing.T) {
	t.Parallel()
	authenticate, err := transport.Authenticate(transport.Bearer("asixto", secret))
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, "protocol-body-version", serve(t, authenticate(new(shop).handler(t))))
}

// wantFinding runs against a server and wants findings of one rule alone.
func wantFinding(t *testing.T, rule, url string, flags ...string) {
	t.Helper()
	for i := range flags {
		flags[i] = strings.ReplaceAll(flags[i], "{url}", url)
	}
	flags = append([]string{"-token", secret, "-json"}, flags...)
	if strings.HasPrefix(rule, "write-") {
		flags = append(flags, "-allow-writes", "all")
	}
	opt, err := parseOptions(append(flags, url), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	opt.load, opt.now = 2, steady() // there are many of these servers
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), opt, &stdout, &stderr)
	got := decodeReport(t, stdout.String())
	var rules []string
	for _, f := range got.Report.Findings {
		if f.Rule != "whaapy-sections" { // of the descriptions, which are written for another gateway
			rules = append(rules, f.Rule)
		}
	}
	slices.Sort(rules)
	if rules = slices.Compact(rules); !slices.Equal(rules, []string{rule}) {
		t.Errorf("findings of %v, want those of %s alone\n%s%s", rules, rule, got.text(contract.English), stderr.String())
	}
	want := exitClean
	if !got.Report.OK() {
		want = exitFailed
	}
	if code != want || !got.Complete {
		t.Errorf("exit code = %d, complete %t, want %d and true", code, got.Complete, want)
	}
}

// TestEveryRule: no rule is without a server that breaks it.
func TestEveryRule(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]string{
		"protocol-body-version": "TestWithoutHeaders", "host-refused": "TestHost",
		"latency-target": "TestLatency", "latency-silence": "TestLatency",
	}
	broken := brokenServers()
	seen := map[string]bool{}
	definitions := map[string]bool{}
	for _, rule := range contract.Rules() {
		definitions[rule.ID] = true
	}
	for _, rule := range liveRules() {
		_, here := broken[rule.ID]
		if _, there := elsewhere[rule.ID]; here == there {
			t.Errorf("%s: want one server that breaks it", rule.ID)
		}
		if seen[rule.ID] || definitions[rule.ID] {
			t.Errorf("%s is the id of two rules", rule.ID)
		}
		seen[rule.ID] = true
		whole := rule.Demand.ES != "" && rule.Demand.EN != "" && rule.Fix.ES != "" && rule.Fix.EN != "" && rule.Source != ""
		if !whole || rule.Severity(contract.Core|contract.Asixto|contract.Whaapy) == "" {
			t.Errorf("%s is not whole: %+v", rule.ID, rule)
		}
		if name, option, ok := strings.Cut(rule.Cure, "."); !ok || name == "" || option == "" {
			t.Errorf("%s: cure %q is no package and option", rule.ID, rule.Cure)
		}
	}
}

// TestLatency are the times that a person on the phone notices.
func TestLatency(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		p95  time.Duration
		want string
	}{
		{1999 * time.Millisecond, ""},
		{2 * time.Second, "latency-target"},
		{2999 * time.Millisecond, "latency-target"},
		{3 * time.Second, "latency-silence"},
	} {
		c := newCertifier(options{profile: contract.Asixto}, newProgress(io.Discard))
		times := append(slices.Repeat([]time.Duration{tt.p95}, 2), slices.Repeat([]time.Duration{time.Millisecond}, 18)...)
		c.judgeLatency(&tool{name: "leer"}, times)
		var rules []string
		for _, f := range c.findings {
			rules = append(rules, f.Rule)
		}
		if got := strings.Join(rules, " "); got != tt.want || c.figures[0].P50 != time.Millisecond || c.figures[0].P95 != tt.p95 {
			t.Errorf("p95 of %v: findings %q and figures %+v, want %q", tt.p95, rules, c.figures, tt.want)
		}
	}
}
