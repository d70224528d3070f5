package main

import (
	"encoding/json"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

var envelopeRules = []contract.Rule{{
	ID: "envelope-shape", Whaapy: must,
	Demand: say("Un resultado es un solo texto JSON con ok, status y toolName.", "A result is a single JSON text with ok, status and toolName."),
	Fix:    say("Agregue whaapy.Envelope, o use whaapy.Stack.", "Add whaapy.Envelope, or use whaapy.Stack."),
	Cure:   "whaapy.Envelope", Source: sourceWhaapy,
}, {
	ID: "envelope-failure", Whaapy: must,
	Demand: say("Un fallo lleva isError, ok: false y errors con code y message.", "A failure carries isError, ok: false and errors with code and message."),
	Fix:    say("Agregue whaapy.Envelope, o use whaapy.Stack.", "Add whaapy.Envelope, or use whaapy.Stack."),
	Cure:   "whaapy.Envelope", Source: sourceWhaapy,
}, {
	ID: "envelope-arguments", Whaapy: must,
	Demand: say("Argumentos que incumplen el esquema son -32602 con data.field.", "Arguments that break the schema are -32602 with data.field."),
	Fix:    say("Use whaapy.Stack y whaapy.Handler.", "Use whaapy.Stack and whaapy.Handler."),
	Cure:   "whaapy.Stack", Source: sourceWhaapy,
}, {
	ID: "result-json-string", Core: should, Whaapy: must,
	Demand: say("Los objetos y las listas son reales, no JSON dentro de un texto.", "Objects and arrays are real, not JSON within a string."),
	Fix:    say("Devuelva un tipo de Go con mcp.NewToolResultStructured.", "Return a Go type with mcp.NewToolResultStructured."),
	Cure:   "mcp.NewToolResultStructured", Source: sourceWhaapy,
}}

// envelope is the JSON of Whaapy.
type envelope struct {
	OK     *bool  `json:"ok"`
	Status string `json:"status"`
	Tool   string `json:"toolName"`
	Errors []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
}

const statuses = " success failed needs_more_info pending_confirmation queued "

// inspectEnvelope holds a result against the form in which Whaapy reads it.
func (c *certifier) inspectEnvelope(a answer) {
	if !a.ok() {
		return
	}
	c.inspectStrings(a)
	var e envelope
	isJSON := len(a.content) == 1 && json.Unmarshal([]byte(a.text()), &e) == nil
	shaped := isJSON && e.OK != nil && e.Status != "" && strings.Contains(statuses, " "+e.Status+" ") && e.Tool != ""
	c.expect(shaped, "envelope-shape", a.tool.name, "/content", say(
		"El texto no es el sobre que lee Whaapy.", "The text is not the envelope that Whaapy reads."))
	if !shaped || *e.OK && !a.failed {
		return
	}
	whole := a.failed && !*e.OK && (e.Status == "needs_more_info" || len(e.Errors) > 0 && e.Errors[0].Code != "" && e.Errors[0].Message != "")
	c.expect(whole, "envelope-failure", a.tool.name, "/content", say(
		"El fallo no lo dice de todas las formas que Whaapy lee.", "The failure does not say so in all the ways that Whaapy reads."))
}

// inspectStrings looks for data that are JSON within a string.
func (c *certifier) inspectStrings(a answer) {
	c.check("result-json-string")
	for _, p := range a.places() {
		text, ok := p.value.(string)
		if !ok || p.key == "" {
			continue
		}
		if text = strings.TrimSpace(text); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[{") {
			if json.Valid([]byte(text)) {
				c.find("result-json-string", a.tool.name, p.pointer, say("Es JSON dentro de un texto.", "It is JSON within a string."))
			}
		}
	}
}
