package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
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
	for _, step := range []struct {
		conversation string
		passing      int
		wait         string
	}{
		{"cnv_1", 2, "14400"}, // a quarter of the limit: a unit in four hours
		{"cnv_2", 2, "14400"},
		{"cnv_3", 2, "14400"},
		{"cnv_4", 2, "14400"}, // and the key's eight are spent as well
	} {
		for i := range step.passing {
			if r := ask(step.conversation); r.IsError {
				t.Fatalf("call %d in %s = %s", i, step.conversation, r.Structured)
			}
		}
		wantFailure(t, ask(step.conversation), `{"error":{"error_type":"SYSTEM",`+
			`"user_message":"Llegaron muchas solicitudes seguidas, y conviene intentarlo de nuevo en unas horas.",`+
			`"details":{"code":"rate_limited","retryable":true,"retry_after_seconds":`+step.wait+`}}}`)
	}
	if r := (gateway{p.mcp, other}).call(t, "consultar_cliente", `{"documento":"1032456789"}`, ""); r.IsError {
		t.Errorf("another client got %s", r.Structured)
	}

	// Lists have a budget of their own.
	list := func() answer { return do(t, g.request(t, "tools/list", "", envelope("tools/list", "", ""))) }
	for range 8 {
		resultOf(t, list())
	}
	if a := list(); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "3600" {
		t.Errorf("the ninth list = %d, Retry-After %q, %s", a.status, a.header.Get("Retry-After"), a.body)
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

func TestRateLimitMistake(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"20", "50ms,", "50ms,0", "-1s,4", "x,4", "1s,2,3"} {
		out, err := command(t.Context(), "RATE_LIMIT="+limit).CombinedOutput()
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
		every   = 200 * time.Millisecond
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
		group.Go(func() { flooders[i].run(ctx) })
	}
	group.Go(func() { calm.run(ctx) })
	var memory []int
	group.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				memory = append(memory, residentKiB(p.cmd.Process.Pid))
			case <-ctx.Done():
				return
			}
		}
	})
	group.Wait()

	passed, refused := 0, 0
	for i, f := range flooders {
		if f.err != nil {
			t.Errorf("client %d: %v", i, f.err)
			continue
		}
		least, most := f.predicted(every, burst)
		if f.passed < least || f.passed > most {
			t.Errorf("client %d: %d calls passed, want %d to %d", i, f.passed, least, most)
		}
		passed, refused = passed+f.passed, refused+f.refused
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
	t.Logf("%d calls passed, %d were refused; resident memory %d KiB, later %d KiB", passed, refused, early, late)
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

	first   time.Time // when the answer to the first call had come
	began   time.Time // before the first call
	ended   time.Time // when the answer to the last call had come
	refusal time.Time // before the last call that was refused
	sent    time.Time // before the last call
	longest time.Duration
}

func (f *flooder) run(ctx context.Context) {
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	f.began = time.Now()
	for n := 0; f.err == nil; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		before := time.Now()
		refused, err := f.call(n)
		f.note(before, time.Now(), refused, err)
	}
}

func (f *flooder) note(before, after time.Time, refused bool, err error) {
	if f.first.IsZero() {
		f.first = after
	} else {
		f.longest = max(f.longest, after.Sub(f.sent))
	}
	f.sent, f.ended, f.err = before, after, err
	switch {
	case err != nil:
	case refused:
		f.refused++
		f.refusal = before
	default:
		f.passed++
	}
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

// predicted is what the bucket lets through at least and at most. When the last
// refusal came it was empty: all that had come back had been spent, unless the
// client was once so slow that the bucket filled up.
func (f *flooder) predicted(every time.Duration, burst int) (least, most int) {
	most = burst + int(f.ended.Sub(f.began)/every)
	if f.longest >= time.Duration(burst)*every || f.refusal.IsZero() {
		return 0, most
	}
	return burst + int(f.refusal.Sub(f.first)/every) - 1, most
}
