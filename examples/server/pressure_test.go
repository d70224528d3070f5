package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// TestParallelCalls: every one of 500 calls at once gets its own answer, and
// every write happens once.
func TestParallelCalls(t *testing.T) {
	t.Parallel()
	const calls = 500
	g := gateway{start(t, "RATE_LIMIT=1ms,2000").mcp, secret}
	client := &http.Transport{MaxIdleConnsPerHost: calls}
	t.Cleanup(client.CloseIdleConnections)

	var group sync.WaitGroup
	errs := make(chan error, calls)
	numbers := make(chan string, calls)
	begin := make(chan struct{})
	for id := range calls {
		body := strings.Replace(string(envelope("tools/call", `"name":"abrir_caso_soporte","arguments":`+
			`{"documento":"1032456789","tipo":"falla","descripcion":"Sin internet"}`, "")), `"7"`, strconv.Itoa(id), 1)
		req := g.request(t, "tools/call", "abrir_caso_soporte", []byte(body))
		group.Go(func() {
			<-begin
			number, err := openCase(client, req, id)
			errs <- err
			numbers <- number
		})
	}
	close(begin)
	group.Wait()
	close(errs)
	close(numbers)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	seen := map[string]bool{}
	for number := range numbers {
		if seen[number] {
			t.Errorf("case number %s was given twice", number)
		}
		seen[number] = true
	}
	if r := g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, ""); !strings.Contains(string(r.Structured), `"casos_abiertos":500`) {
		t.Errorf("client = %s, want 500 cases", r.Structured)
	}
}

// openCase sends one call and returns the number of the case.
func openCase(client *http.Transport, req *http.Request, id int) (string, error) {
	res, err := client.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return "", err
	}
	var message struct {
		ID     int
		Result struct {
			IsError    bool
			Structured struct{ Radicado string } `json:"structuredContent"`
		}
	}
	err = json.Unmarshal(body, &message)
	number := message.Result.Structured.Radicado
	if err != nil || res.StatusCode != http.StatusOK || message.ID != id || message.Result.IsError || number == "" {
		return "", errors.Join(err, fmt.Errorf("call %d = %d %s", id, res.StatusCode, body))
	}
	return number, nil
}

// TestDisconnect: a client that goes away takes nothing with it.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	p := start(t)
	g := gateway{p.mcp, secret}
	body := string(envelope("tools/call", `"name":"abrir_caso_soporte","arguments":`+
		`{"documento":"1032456789","tipo":"falla","descripcion":"Sin internet"}`, ""))

	// Half a message is none.
	c := openCall(t, p, "abrir_caso_soporte", len(body))
	c.write(t, body[:len(body)/2])
	c.Close()
	exampletest.Eventually(t, "a line of the request that broke off", func() bool {
		return strings.Contains(p.Stderr.String(), `"refused":"unreadable_body"`)
	})
	cases := func() string {
		return string(g.call(t, "consultar_cliente", `{"documento":"1032456789"}`, "").Structured)
	}
	if got := cases(); !strings.Contains(got, `"casos_abiertos":0`) {
		t.Errorf("client = %s, want no case", got)
	}

	// A whole one counts, whether or not anybody waits for the answer.
	c = openCall(t, p, "abrir_caso_soporte", len(body))
	c.write(t, body)
	c.Close()
	exampletest.Eventually(t, "the case is there", func() bool { return strings.Contains(cases(), `"casos_abiertos":1`) })
}
