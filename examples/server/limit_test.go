package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// TestRateLimit: what a client is told who calls too often, and that nobody else
// and no probe of the server's health notices.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	const other = "s3cret-of-another-client"
	p := start(t, "TOKENS=asixto="+secret+",whaapy="+other, "RATE_LIMIT=1h,8")
	g := gateway{p.mcp, secret}
	ask := func(conversation string) result {
		return g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, `"com.asixto/conversationId":"`+conversation+`"`)
	}
	for _, conversation := range []string{"cnv_1", "cnv_2", "cnv_3", "cnv_4"} {
		begun := time.Now()
		for i := range 2 { // a quarter of the limit: a unit in four hours
			if r := ask(conversation); r.IsError {
				t.Fatalf("call %d in %s = %s", i, conversation, r.Structured)
			}
		}
		r := ask(conversation)
		seconds := strings.TrimPrefix(wait.FindString(string(r.Structured)), `"retry_after_seconds":`)
		wantWait(t, seconds, 4*time.Hour, time.Since(begun))
		wantFailure(t, r, `{"error":{"error_type":"SYSTEM",`+
			`"user_message":"Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en unas horas.",`+
			`"details":{"code":"rate_limited","retryable":true,"retry_after_seconds":`+seconds+`}}}`)
	}
	if r := (gateway{p.mcp, other}).call(t, "consultar_cliente", `{"documento":"1032456789"}`, ""); r.IsError {
		t.Errorf("another client got %s", r.Structured)
	}

	// Lists have a budget of their own.
	list := func() answer { return do(t, g.request(t, "tools/list", "", envelope("tools/list", "", ""))) }
	begun := time.Now()
	for range 8 {
		resultOf(t, list())
	}
	a := list()
	seconds := a.header.Get("Retry-After")
	wantWait(t, seconds, time.Hour, time.Since(begun))
	if want := `{"jsonrpc":"2.0","id":"7","error":{"code":-32600,"message":"Too many requests.","data":{"retry_after_seconds":` + seconds + `}}}`; a.status != http.StatusTooManyRequests || string(a.body) != want {
		t.Errorf("the ninth list = %d %s, want 429 %s", a.status, a.body, want)
	}
	for range 100 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.health+"/livez", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if a := do(t, req); a.status != http.StatusOK {
			t.Fatalf("/livez = %d", a.status)
		}
	}
}

// wantWait checks what a client is told to wait, in whole seconds and rounded up, for
// a unit that was on its way for no longer than since.
func wantWait(t *testing.T, seconds string, unit, since time.Duration) {
	t.Helper()
	least, most := math.Ceil((unit - since).Seconds()), math.Ceil(unit.Seconds())
	if got, err := strconv.ParseFloat(seconds, 64); err != nil || got < least || got > most {
		t.Errorf("told to wait %q seconds, want %v to %v", seconds, least, most)
	}
}

func TestRateLimitMistake(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"20", "50ms,", "50ms,0", "-1s,4", "x,4", "1s,2,3"} {
		out, err := exampletest.Command(t.Context(), binary, "RATE_LIMIT="+limit).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "RATE_LIMIT: ") {
			t.Errorf("RATE_LIMIT=%s: %v, %s; want it refused", limit, err, out)
		}
	}
}

// TestFlood: 64 clients call at ten times their limit, one keeps to it. Each gets
// what its bucket predicts, the one is never refused, and the server's memory does
// not grow. It takes half a minute, so it runs only with PORTAVOZ_LONG=1.
func TestFlood(t *testing.T) {
	if os.Getenv("PORTAVOZ_LONG") != "1" {
		t.Skip("PORTAVOZ_LONG=1 floods the server")
	}
	t.Parallel()
	const (
		clients = 64
		every   = time.Second
		burst   = 10
		lasting = 30 * time.Second
	)
	tokens := []string{"TOKENS=calm=" + floodSecret(clients)}
	for i := range clients {
		tokens = append(tokens, fmt.Sprintf("client%d=%s", i, floodSecret(i)))
	}
	p := start(t, strings.Join(tokens, ","), fmt.Sprintf("RATE_LIMIT=%v,%d", every, burst))
	ctx, cancel := context.WithTimeout(t.Context(), lasting)
	defer cancel()
	connections := &http.Transport{MaxIdleConnsPerHost: clients + 1}
	t.Cleanup(connections.CloseIdleConnections)

	flooders := make([]flooder, clients)
	calm := flooder{url: p.mcp, secret: floodSecret(clients), client: connections, every: 2 * every}
	var group sync.WaitGroup
	for i := range flooders {
		flooders[i] = flooder{url: p.mcp, secret: floodSecret(i), client: connections, every: every / 10}
		group.Go(func() { flooders[i].run(ctx, units{every: every, burst: burst}) })
	}
	group.Go(func() { calm.run(ctx, units{every: every, burst: burst}) })
	var memory []int
	group.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				memory = append(memory, residentKiB(p.Pid()))
			case <-ctx.Done():
				return
			}
		}
	})
	group.Wait()

	passed, refused, predicted := 0, 0, 0
	for i, f := range flooders {
		if f.err != nil {
			t.Errorf("client %d: %v", i, f.err)
			continue
		}
		f.due.end()
		if least, most := f.due.least, f.most(); f.passed < least || f.passed > most {
			t.Errorf("client %d: %d calls passed, want %d to %d", i, f.passed, least, most)
		}
		passed, refused, predicted = passed+f.passed, refused+f.refused, predicted+f.due.least
	}
	if refused < passed {
		t.Errorf("%d calls were refused and %d passed: that was no flood", refused, passed)
	}
	if calm.err != nil || calm.refused != 0 || calm.passed == 0 {
		t.Errorf("the calm client: %d passed, %d refused, %v; want none refused", calm.passed, calm.refused, calm.err)
	}
	third := len(memory) / 3
	if third == 0 || memory[0] == 0 {
		t.Skip("the memory of a process cannot be read here")
	}
	early, late := highest(memory[third:2*third]), highest(memory[2*third:])
	t.Logf("%d calls passed, of which %d had to, and %d were refused; resident memory %d KiB, later %d KiB", passed, predicted, refused, early, late)
	if late > early+early/5 {
		t.Errorf("resident memory grew from %d to %d KiB", early, late)
	}
}

func floodSecret(i int) string { return fmt.Sprintf("s3cret-of-client-%04d", i) }

func highest(values []int) (most int) {
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// residentKiB is what Linux says of a process, and 0 elsewhere.
func residentKiB(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[0])
	return n
}

// flooder is a client that calls at a pace, whatever it is told, each time in
// another conversation.
type flooder struct {
	url, secret string
	client      *http.Transport
	every       time.Duration

	passed, refused int
	err             error

	began time.Time // before the first call
	ended time.Time // when the answer to the last call had come
	due   units     // what has to have been let through
}

func (f *flooder) run(ctx context.Context, limit units) {
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	f.began, f.due = time.Now(), limit
	for n := 0; f.err == nil; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		before := time.Now()
		refused, err := f.call(n)
		f.ended, f.err = time.Now(), err
		switch {
		case err != nil:
		case refused:
			f.refused++
			f.due.refused(before, f.ended)
		default:
			f.passed++
			f.due.passed(f.ended)
		}
	}
}

// most is how many calls the bucket can have let through: it was full at first.
func (f *flooder) most() int { return f.due.burst + int(f.ended.Sub(f.began)/f.due.every) }

// units counts what a bucket must have let through, by what its client sees. A
// refusal says that it was empty. What came back between two of those was spent
// between them, but for less than a unit; unless the client was so slow meanwhile
// that the bucket may have been full, and lost what would not fit.
type units struct {
	every time.Duration
	burst int

	least   int       // of the spans that have ended
	empty   time.Time // when the answer to the refusal had come that began this span
	asked   time.Time // and before it was asked for
	last    time.Time // before the last refusal of the span was asked for
	through int       // calls let through in the span
}

func (u *units) refused(before, after time.Time) {
	if u.last.IsZero() {
		u.least = u.burst // which was there at first
	}
	if u.empty.IsZero() {
		u.asked, u.empty, u.through = before, after, 0
	}
	u.last = before
}

func (u *units) passed(after time.Time) {
	if u.empty.IsZero() {
		return
	}
	if 1+int(after.Sub(u.asked)/u.every)-u.through >= u.burst {
		u.end()
		return
	}
	u.through++
}

// end ends a span, whose bucket may have been full just now.
func (u *units) end() {
	u.least += max(int(u.last.Sub(u.empty)/u.every), 0)
	u.empty = time.Time{}
}

// call reports whether it was refused for the limit.
func (f *flooder) call(n int) (refused bool, err error) {
	body := envelope("tools/call", `"name":"consultar_cliente","arguments":{"documento":"1032456789"}`,
		fmt.Sprintf(`"com.asixto/conversationId":"cnv_%s_%d"`, f.secret, n))
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, f.url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+f.secret)
	res, err := f.client.RoundTrip(req)
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return false, err
	}
	var message struct{ Result struct{ IsError bool } }
	if err := json.Unmarshal(raw, &message); err != nil || res.StatusCode != http.StatusOK {
		return false, fmt.Errorf("answer %d %s: %w", res.StatusCode, raw, err)
	}
	refused = bytes.Contains(raw, []byte(`"rate_limited"`))
	if message.Result.IsError != refused {
		return false, fmt.Errorf("answer %s", raw)
	}
	return refused, nil
}
