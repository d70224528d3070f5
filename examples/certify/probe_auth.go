package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

var authRules = []contract.Rule{{
	ID: "auth-required", Core: should, Asixto: must, Whaapy: hint,
	Demand: say("Sin credencial la respuesta es 401.", "Without a credential the answer is 401."),
	Fix:    say("Envuelva el handler con transport.Gateway y las credenciales.", "Wrap the handler with transport.Gateway and the credentials."),
	Cure:   "transport.Authenticate", Source: sourceAsixto,
}, {
	ID: "auth-wrong", Core: must,
	Demand: say("Con una credencial falsa la respuesta es 401.", "With a wrong credential the answer is 401."),
	Fix:    say("Compare la credencial con transport.Bearer o transport.APIKey.", "Compare the credential with transport.Bearer or transport.APIKey."),
	Cure:   "transport.Authenticate", Source: sourceAsixto,
}, {
	ID: "auth-challenge", Core: should, Asixto: must,
	Demand: say("El 401 lleva WWW-Authenticate: Bearer.", "The 401 carries WWW-Authenticate: Bearer."),
	Fix:    say("Use transport.Authenticate, que lo pone.", "Use transport.Authenticate, which sets it."),
	Cure:   "transport.Authenticate", Source: sourceAsixto,
}}

// authentication asks without a credential, and with a wrong one.
func (c *certifier) authentication(ctx context.Context) error {
	list := message{method: "tools/list"}
	without := c.sendOn(ctx, c.wire.with(func(w *wire) { w.header = http.Header{} }), list)
	c.expect(without.status == http.StatusUnauthorized, "auth-required", "", "", say(
		"Sin credencial: "+without.said()+".", "Without a credential: "+without.said()+"."))
	if without.status == http.StatusUnauthorized {
		challenge := without.header.Get("WWW-Authenticate")
		scheme, _, _ := strings.Cut(challenge, " ")
		c.expect(strings.EqualFold(scheme, "Bearer"), "auth-challenge", "", "", say(
			"El 401 lleva WWW-Authenticate «"+quote(challenge)+"».", `The 401 carries WWW-Authenticate "`+quote(challenge)+`".`))
	} else {
		c.skip(say("no hubo 401", "there was no 401"), "auth-challenge")
	}
	if without.ok() {
		c.skip(say("el servidor no pide credencial", "the server asks for no credential"), "auth-wrong")
		return nil
	}
	wrong := c.sendOn(ctx, c.wire.with(func(w *wire) { w.header = falsified(w.header) }), list)
	c.expect(wrong.status == http.StatusUnauthorized, "auth-wrong", "", "", say(
		"Con una credencial falsa: "+wrong.said()+".", "With a wrong credential: "+wrong.said()+"."))
	return nil
}

// falsified returns headers of the same names and form with other secrets.
func falsified(header http.Header) http.Header {
	wrong := http.Header{}
	for name := range header {
		scheme, _, ok := strings.Cut(header.Get(name), " ")
		if !ok {
			scheme = ""
		}
		wrong.Set(name, strings.TrimSpace(scheme+" certify-wrong-credential"))
	}
	return wrong
}
