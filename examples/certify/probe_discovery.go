package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

var discoveryRules = []contract.Rule{{
	ID: "host-refused", Core: must,
	Demand: say("El servidor acepta el nombre de host con el que lo publican.", "The server accepts the host name under which it is published."),
	Fix: say("Detrás de un proxy en la misma máquina, use server.WithDisableLocalhostProtection(true) y diga los nombres en transport.GatewayConfig.Hosts.",
		"Behind a proxy on the same machine, use server.WithDisableLocalhostProtection(true) and name the hosts in transport.GatewayConfig.Hosts."),
	Cure: "transport.AllowedHosts", Source: sourceMCP,
}, {
	ID: "protocol-modern", Core: hint, Asixto: should,
	Demand: say("server/discover anuncia 2026-07-28.", "server/discover announces 2026-07-28."),
	Fix:    say("Use una biblioteca que sirva 2026-07-28 sin sesión, como mcp-go v1.2.1.", "Use a library that serves 2026-07-28 without a session, such as mcp-go v1.2.1."),
	Cure:   "server.NewStreamableHTTPServer", Source: sourceAsixto,
}, {
	ID: "protocol-body-version", Asixto: must,
	Demand: say("Basta con que la versión del protocolo venga en el cuerpo.", "It is enough that the protocol version stands in the body."),
	Fix:    say("Envuelva el handler con transport.Headers, o con transport.Gateway, que lo contiene.", "Wrap the handler with transport.Headers, or with transport.Gateway, which contains it."),
	Cure:   "transport.Headers", Source: sourceAsixto,
}, {
	ID: "list-legacy", Core: should, Whaapy: must,
	Demand: say("tools/list da las mismas herramientas en ambas eras.", "tools/list gives the same tools in both eras."),
	Fix:    say("Registre las herramientas en el servidor y no en las sesiones.", "Register the tools at the server and not at sessions."),
	Cure:   "server.AddTool", Source: sourceMCP,
}}

// discover finds out in which era the server is to be asked, the way a gateway
// does: the version stands in the body alone.
func (c *certifier) discover(ctx context.Context) error {
	base := newWire(c.opt)
	stateless, r := c.stateless(ctx, base)
	if err := c.reachable(r); err != nil {
		return err
	}
	isModern := stateless != nil
	c.expect(isModern, "protocol-modern", "", "", say(
		"server/discover no anuncia 2026-07-28; se preguntó en la era anterior.", "server/discover does not announce 2026-07-28; the era before was asked."))
	old, r := c.initialize(ctx, base)
	switch whaapyOnly := c.opt.profile&contract.Asixto == 0 && c.opt.profile&contract.Whaapy != 0; {
	case isModern && (old == nil || !whaapyOnly):
		c.wire = stateless
	case old != nil:
		c.wire = old
		c.skip(say("el servidor no habla 2026-07-28, o el perfil no la usa", "the server does not speak 2026-07-28, or the profile does not use it"),
			"protocol-body-version", "protocol-unknown-version", "header-mismatch", "header-name-mismatch", "header-dash", "result-type")
	case c.halted(ctx):
		return ctx.Err()
	default:
		return fmt.Errorf("%w: %s", errNoMCP, r.said())
	}
	return nil
}

// stateless returns the wire on which the server speaks 2026-07-28, nil if it does on none:
// as a gateway first, then without the "-" for a name, then with the version in
// a header. The reply is the one that the gateway gets.
func (c *certifier) stateless(ctx context.Context, base *wire) (*wire, reply) {
	var asGateway reply
	for i, try := range [...]func(*wire){
		func(*wire) {},
		func(w *wire) { w.noDash = true },
		func(w *wire) { w.noDash, w.versionHeader = true, true },
	} {
		w := base.with(func(w *wire) { w.version = modern; try(w) })
		r := c.sendOn(ctx, w, message{method: "server/discover"})
		if i == 0 {
			asGateway = r
		}
		if r.status == 0 || r.late() || errors.Is(r.err, errTooLarge) {
			return nil, r // it cannot be asked otherwise either
		}
		if !slices.Contains(c.readDiscovery(r), modern) {
			continue
		}
		said := asGateway.said()
		c.expect(!w.versionHeader, "protocol-body-version", "", "", say(
			"Sin el encabezado Mcp-Protocol-Version el servidor responde: "+said+".", "Without the header Mcp-Protocol-Version the server answers: "+said+"."))
		return w, asGateway
	}
	return nil, asGateway
}

// readDiscovery returns the versions that are supported; nil if the reply is no
// discovery.
func (c *certifier) readDiscovery(r reply) []string {
	var discovered struct {
		Versions []string `json:"supportedVersions"`
		Meta     struct {
			Server serverInfo `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
		Server serverInfo `json:"serverInfo"`
	}
	if !r.ok() || json.Unmarshal(r.result, &discovered) != nil {
		return nil
	}
	c.introduce(discovered.Meta.Server)
	c.introduce(discovered.Server)
	return discovered.Versions
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// introduce remembers how the server calls itself.
func (c *certifier) introduce(s serverInfo) {
	if c.server == "" && s.Name != "" {
		c.server = strings.TrimSpace(quote(s.Name + " " + s.Version))
	}
}

// reachable says why nothing can be asked at all.
func (c *certifier) reachable(r reply) error {
	switch {
	case r.late():
		return fmt.Errorf("%s: no answer within %v, which -timeout sets (sin respuesta a tiempo)", c.opt.shown, c.opt.timeout)
	case r.err != nil && r.status == 0:
		return fmt.Errorf("%s: %w", c.opt.shown, r.err)
	case r.status == http.StatusForbidden && strings.Contains(strings.ToLower(string(r.body)), "host"):
		c.find("host-refused", "", "", say(
			"403 por el encabezado Host: "+quote(string(r.body))+". No es la credencial.",
			"403 because of the Host header: "+quote(string(r.body))+". It is not the credential."))
		return errHost
	case r.status == http.StatusUnauthorized, r.status == http.StatusForbidden:
		return errRefused
	}
	return nil
}
