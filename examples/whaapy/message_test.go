package main_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestIDs sends every kind of id, with arguments that are right and wrong: the answer of
// either kind has the id that was sent, and what has none is not answered.
func TestIDs(t *testing.T) {
	t.Parallel()
	a := connect(t, start(t).whaapy)
	const (
		right = `{"documento":"52987654"}`
		wrong = `{"documento":7}`
	)
	for name, tc := range map[string]struct {
		id     string // with its comma
		status int
		echo   string
	}{
		"a number":         {`"id":7,`, http.StatusOK, `"id":7,`},
		"zero":             {`"id":0,`, http.StatusOK, `"id":0,`},
		"a text":           {`"id":"a-7",`, http.StatusOK, `"id":"a-7",`},
		"an empty text":    {`"id":"",`, http.StatusOK, `"id":"",`},
		"the largest":      {`"id":9007199254740991,`, http.StatusOK, `"id":9007199254740991,`},
		"null":             {`"id":null,`, http.StatusAccepted, ""},
		"none":             {"", http.StatusAccepted, ""},
		"beyond a float64": {`"id":1e400,`, http.StatusOK, `"error":{"code":-32700,`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for arguments, want := range map[string]string{right: `"isError"`, wrong: `"code":-32602`} {
				body := strings.Replace(callOf("consultar_saldo", arguments, ""), `"id":456,`, tc.id, 1)
				status, _, answer := a.send(t, http.MethodPost, callTimeout, body)
				if status != tc.status || !strings.Contains(answer, tc.echo) || tc.echo == "" && answer != "" {
					t.Errorf("%s: got %d %q, want %d with %q", arguments, status, answer, tc.status, tc.echo)
				}
				if strings.HasPrefix(tc.echo, `"id"`) && strings.Contains(answer, want) != (arguments == wrong) {
					t.Errorf("%s: got %s", arguments, answer)
				}
			}
		})
	}
}

// TestWhatIsNoCall has bodies and methods that reach no tool. None ends the session.
func TestWhatIsNoCall(t *testing.T) {
	t.Parallel()
	a := connect(t, start(t).whaapy)
	one := callOf("crear_caso", openCase, "")
	for name, tc := range map[string]struct {
		method, body string
		status       int
	}{
		"a batch":        {http.MethodPost, "[" + one + "," + one + "]", http.StatusBadRequest},
		"an empty batch": {http.MethodPost, "[]", http.StatusBadRequest},
		"half a message": {http.MethodPost, one[:40], http.StatusBadRequest},
		"nothing":        {http.MethodPost, "", http.StatusBadRequest},
		"another era":    {http.MethodPost, callOf("crear_caso", openCase, `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`), http.StatusBadRequest},
		"to listen":      {http.MethodGet, "", http.StatusMethodNotAllowed},
		"without an id":  {http.MethodPost, strings.Replace(one, `"id":456,`, "", 1), http.StatusAccepted},
		"OPTIONS":        {http.MethodOptions, "", http.StatusNotFound},
		"PUT":            {http.MethodPut, one, http.StatusNotFound},
		"no such tool":   {http.MethodPost, callOf("borrar_todo", `{}`, ""), http.StatusOK},
		"no such method": {http.MethodPost, `{"jsonrpc":"2.0","id":456,"method":"tools/borrar"}`, http.StatusOK},
		"HEAD":           {http.MethodHead, "", http.StatusOK},
	} {
		status, _, answer := a.send(t, tc.method, callTimeout, tc.body)
		if status != tc.status || strings.Contains(answer, `"result"`) {
			t.Errorf("%s: got %d %s, want %d and no result", name, status, answer, tc.status)
		}
	}
	if got, isError := a.call(t, "crear_caso", openCase); got != created || isError {
		t.Errorf("after all that: %s, want the first case", got)
	}
}
