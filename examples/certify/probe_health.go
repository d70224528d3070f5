package main

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/portavoz/portavoz/middleware/contract"
)

var healthRules = []contract.Rule{{
	ID: "health-apart", Core: hint, Asixto: should,
	Demand: say("Hay un control de salud independiente del punto de entrada MCP, sin credencial.", "There is a health check independent of the MCP endpoint, without a credential."),
	Fix:    say("Sirva health.Health en otra ruta u otro puerto.", "Serve health.Health at another path or port."),
	Cure:   "health.New", Source: sourceAsixto,
}}

// health asks the health check as a monitor does.
func (c *certifier) health(ctx context.Context) error {
	if c.opt.health == "" {
		c.skip(say("sin -health", "without -health"), "health-apart")
		return nil
	}
	found := func(why contract.Text) error {
		if !c.halted(ctx) {
			c.find("health-apart", "", "", why)
		}
		return nil
	}
	at, err := webURL(c.opt.health)
	if err != nil {
		return err
	}
	endpoint, err := url.Parse(c.opt.url)
	if err != nil {
		return err
	}
	if at.Host == endpoint.Host && at.Path == endpoint.Path {
		return found(say("Es el mismo punto de entrada de MCP.", "It is the very MCP endpoint."))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.opt.health, http.NoBody)
	if err != nil {
		return err
	}
	c.asked++
	res, err := c.wire.http.Do(req)
	if err != nil {
		return found(say("No responde.", "It does not answer."))
	}
	defer done(res.Body)
	status := strconv.Itoa(res.StatusCode)
	c.expect(res.StatusCode == http.StatusOK, "health-apart", "", "", say("Respondió "+status+".", "It answered "+status+"."))
	return nil
}
