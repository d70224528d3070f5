package main

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/portavoz/portavoz/middleware/contract"
)

var headerRules = []contract.Rule{{
	ID: "header-mismatch", Core: should,
	Demand: say("Un Mcp-Method que contradice el cuerpo se rechaza con -32020.", "An Mcp-Method that contradicts the body is refused with -32020."),
	Fix:    say("Compare los encabezados con el cuerpo, o rechace con transport.Headers.", "Compare the headers with the body, or refuse with transport.Headers."),
	Cure:   "transport.Headers", Source: sourceMCP,
}, {
	ID: "header-name-mismatch", Core: should,
	Demand: say("Un Mcp-Name que contradice el cuerpo se rechaza con -32020.", "An Mcp-Name that contradicts the body is refused with -32020."),
	Fix:    say("Compare los encabezados con el cuerpo, o rechace con transport.Headers.", "Compare the headers with the body, or refuse with transport.Headers."),
	Cure:   "transport.Headers", Source: sourceMCP,
}, {
	ID: "header-dash", Asixto: must,
	Demand: say("Donde el método no tiene nombre se acepta Mcp-Name: -.", "Where a method has no name, Mcp-Name: - is accepted."),
	Fix:    say("Ignore Mcp-Name donde el método no lo usa.", "Ignore Mcp-Name where the method does not use it."),
	Cure:   "transport.Headers", Source: sourceAsixto,
}, {
	ID: "protocol-unknown-version", Core: should,
	Demand: say("Una versión desconocida se rechaza con -32022 y las que hay.", "An unknown version is refused with -32022 and those that there are."),
	Fix:    say("Responda -32022 con data.supported.", "Answer -32022 with data.supported."),
	Cure:   "server.NewStreamableHTTPServer", Source: sourceMCP,
}, {
	ID: "protocol-unknown-method", Core: should,
	Demand: say("Un método desconocido se rechaza con -32601.", "An unknown method is refused with -32601."),
	Fix:    say("Responda -32601.", "Answer -32601."),
	Cure:   "server.NewMCPServer", Source: sourceMCP,
}}

// headers sends headers that contradict the body, and what no server knows.
func (c *certifier) headers(ctx context.Context) error {
	r := c.send(ctx, message{method: "certify/unknown"})
	c.expect(r.fault != nil && r.fault.Code == codeMethodNotFound, "protocol-unknown-method", "", "", say(
		"Un método desconocido recibió "+r.said()+".", "An unknown method got "+r.said()+"."))
	if c.wire.version != modern {
		return nil
	}
	list := func(name, value string) reply {
		return c.send(ctx, message{method: "tools/list", edit: func(r *http.Request) { r.Header.Set(name, value) }})
	}
	r = list("Mcp-Method", "tools/call")
	c.expect(mismatch(r), "header-mismatch", "", "", say(
		"Mcp-Method: tools/call ante tools/list recibió "+r.said()+".", "Mcp-Method: tools/call on tools/list got "+r.said()+"."))

	r = list("Mcp-Name", "-")
	c.expect(r.ok(), "header-dash", "", "", say("Mcp-Name: - recibió "+r.said()+".", "Mcp-Name: - got "+r.said()+"."))

	// The name in the body is that of no tool: nothing can happen.
	call := callMessage("certify_unknown_tool", nil, callInfo{edit: func(r *http.Request) { r.Header.Set("Mcp-Name", "certify_other_tool") }})
	r = c.send(ctx, call)
	c.expect(mismatch(r), "header-name-mismatch", "", "", say(
		"Un Mcp-Name que no es el del cuerpo recibió "+r.said()+".", "An Mcp-Name that is not the body's got "+r.said()+"."))

	const future = "2999-12-31"
	r = c.send(ctx, message{method: "tools/list", edit: func(r *http.Request) { rewriteVersion(r, future) }})
	var data struct {
		Supported []string `json:"supported"`
	}
	refused := r.fault != nil && r.fault.Code == codeUnsupportedVersion && json.Unmarshal(r.fault.Data, &data) == nil && len(data.Supported) > 0
	c.expect(refused, "protocol-unknown-version", "", "", say(
		"La versión "+future+" recibió "+r.said()+".", "The version "+future+" got "+r.said()+"."))
	return nil
}

func mismatch(r reply) bool {
	return r.status == http.StatusBadRequest && r.fault != nil && r.fault.Code == codeHeaderMismatch
}
