package main

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/portavoz/portavoz/middleware/contract"
)

var legacyRules = []contract.Rule{{
	ID: "protocol-legacy", Core: hint, Whaapy: must,
	Demand: say("initialize responde con una versión de la era anterior.", "initialize answers with a version of the era before."),
	Fix:    say("Sirva también 2025-06-18, con initialize.", "Serve 2025-06-18, too, with initialize."),
	Cure:   "server.NewStreamableHTTPServer", Source: sourceWhaapy,
}, {
	ID: "protocol-initialized", Core: should, Whaapy: must,
	Demand: say("notifications/initialized recibe 202.", "notifications/initialized gets 202."),
	Fix:    say("Responda 202 y sin cuerpo a toda notificación.", "Answer 202 without a body to every notification."),
	Cure:   "server.NewStreamableHTTPServer", Source: sourceWhaapy,
}, {
	ID: "protocol-delete", Core: hint, Whaapy: should,
	Demand: say("DELETE termina la sesión, o recibe 405.", "DELETE ends the session, or gets 405."),
	Fix:    say("Atienda DELETE en el mismo punto de entrada.", "Serve DELETE at the same endpoint."),
	Cure:   "server.NewStreamableHTTPServer", Source: sourceWhaapy,
}}

// initialize begins a session of the legacy era. The wire is nil if the server has none.
func (c *certifier) initialize(ctx context.Context, base *wire) (*wire, reply) {
	w := base.with(func(w *wire) { w.version = "" })
	r := c.sendOn(ctx, w, message{method: "initialize", params: map[string]any{
		"protocolVersion": legacy, "capabilities": map[string]any{}, "clientInfo": clientInfo(),
	}})
	var result struct {
		Version string     `json:"protocolVersion"`
		Server  serverInfo `json:"serverInfo"`
	}
	if !r.ok() || json.Unmarshal(r.result, &result) != nil || result.Version == "" || result.Version == modern {
		return nil, r
	}
	c.introduce(result.Server)
	w = w.with(func(w *wire) { w.version, w.session = result.Version, r.header.Get("Mcp-Session-Id") })
	noted := c.sendOn(ctx, w, message{method: "notifications/initialized", notification: true})
	c.expect(noted.status == http.StatusAccepted, "protocol-initialized", "", "", say(
		"notifications/initialized recibió "+noted.said()+".", "notifications/initialized got "+noted.said()+"."))
	return w, r
}

// legacyEra goes the whole way of an older client: initialize, list, DELETE.
func (c *certifier) legacyEra(ctx context.Context) error {
	w, r := c.initialize(ctx, c.wire.with(func(w *wire) { w.session = "" }))
	if w == nil {
		c.find("protocol-legacy", "", "", say("initialize recibió "+r.said()+".", "initialize got "+r.said()+"."))
		c.skip(say("no hay era anterior", "there is no era before"), "protocol-initialized", "protocol-delete", "list-legacy")
		return nil
	}
	c.check("protocol-legacy")
	if c.wire.version == modern {
		list, r := c.listOn(ctx, w)
		names := slices.Sorted(slices.Values(list.Names()))
		c.expect(slices.Equal(names, c.names()), "list-legacy", "", "", say(
			"En la era anterior la lista es otra: "+r.said()+".", "In the era before the list is another one: "+r.said()+"."))
	} else {
		c.skip(say("solo se preguntó en una era", "only one era was asked"), "list-legacy")
	}
	if w.session == "" {
		c.skip(say("el servidor no da sesiones", "the server gives no sessions"), "protocol-delete")
		return nil
	}
	end := c.sendOn(ctx, w, message{method: "DELETE", notification: true, edit: func(r *http.Request) {
		r.Method, r.Body, r.ContentLength = http.MethodDelete, http.NoBody, 0
		r.Header.Del("Content-Type")
	}})
	c.expect(end.status >= 200 && end.status < 300 || end.status == http.StatusMethodNotAllowed, "protocol-delete", "", "", say(
		"DELETE recibió "+end.said()+".", "DELETE got "+end.said()+"."))
	return nil
}
