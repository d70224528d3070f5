package main

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/paginate"
)

// maxResult is where the gateway's runtime cuts, in UTF-16 code units.
const maxResult = 3000

const codeInternal = -32603

var answerRules = []contract.Rule{{
	ID: "result-answer", Core: must,
	Demand: say("Toda llamada recibe una respuesta, también cuando algo falla por dentro.", "Every call gets an answer, also when something fails inside."),
	Fix:    say("Ponga middleware.Errors y middleware.Recover delante de los handlers.", "Put middleware.Errors and middleware.Recover in front of the handlers."),
	Cure:   "middleware.Errors", Source: sourceAsixto,
}, {
	ID: "result-type", Asixto: must, Core: should,
	Demand: say("Todo resultado de 2026-07-28 lleva resultType: complete.", "Every result of 2026-07-28 carries resultType: complete."),
	Fix:    say("No responda input_required: middleware.Errors lo convierte en una pregunta.", "Do not answer input_required: middleware.Errors turns it into a question."),
	Cure:   "middleware.Errors", Source: sourceAsixto,
}, {
	ID: "result-size", Asixto: must, Core: should,
	Demand: say("Un resultado tiene 3000 caracteres como máximo.", "A result has 3000 characters at most."),
	Fix:    say("Agregue middleware.Budget, que acorta sin partir el JSON.", "Add middleware.Budget, which shortens without cutting JSON in the middle."),
	Cure:   "middleware.Budget", Source: sourceAsixto,
}, {
	ID: "result-schema", Core: must,
	Demand: say("structuredContent cumple el outputSchema.", "structuredContent satisfies the outputSchema."),
	Fix: say("Declare el resultado con contract.Output del mismo tipo que devuelve; con whaapy.Envelope, ponga KeepStructured.",
		"Declare the result with contract.Output of the very type that you return; with whaapy.Envelope, set KeepStructured."),
	Cure: "contract.Output", Source: sourceMCP,
}, {
	ID: "result-text", Core: should, Asixto: must,
	Demand: say("Todo resultado tiene un texto.", "Every result has a text."),
	Fix:    say("Use mcp.NewToolResultStructured, que lleva datos y texto.", "Use mcp.NewToolResultStructured, which takes data and text."),
	Cure:   "mcp.NewToolResultStructured", Source: sourceAsixto,
}, {
	ID: "result-media", Asixto: must,
	Demand: say("Un resultado no lleva imágenes, audio ni recursos.", "A result carries no images, audio or resources."),
	Fix:    say("Agregue middleware.Budget, que los quita, o devuelva texto.", "Add middleware.Budget, which drops them, or return text."),
	Cure:   "middleware.Budget", Source: sourceAsixto,
}}

func (c *certifier) inspectAnswer(a answer) {
	broken := a.err != nil || a.status >= http.StatusInternalServerError || a.fault != nil && a.fault.Code == codeInternal
	c.expect(!broken, "result-answer", a.tool.name, "", say(
		"La llamada recibió "+a.said()+".", "The call got "+a.said()+"."))
}

func (c *certifier) inspectType(a answer) {
	if a.ok() && c.wire.version == modern {
		c.expect(a.resultType == "complete", "result-type", a.tool.name, "/resultType", say(
			"resultType es «"+quote(a.resultType)+"».", `resultType is "`+quote(a.resultType)+`".`))
	}
}

func (c *certifier) inspectSize(a answer) {
	if !a.ok() {
		return
	}
	for pointer, n := range map[string]int{"/content": paginate.UTF16Len(a.text()), "/structuredContent": paginate.UTF16Len(string(a.structured))} {
		size := strconv.Itoa(n)
		c.expect(n <= maxResult, "result-size", a.tool.name, pointer, say(
			"Tiene "+size+" caracteres; lo que pasa de 3000 se pierde.", "It has "+size+" characters; what is beyond 3000 is lost."))
	}
}

func (c *certifier) inspectSchema(a answer) {
	switch {
	case !a.success() || a.tool.output == nil:
	case a.structured == nil:
		c.find("result-schema", a.tool.name, "/structuredContent", say(
			"Hay outputSchema y el resultado no trae structuredContent.", "There is an outputSchema and the result has no structuredContent."))
	default:
		pointer, keyword := a.tool.violation(a.structured)
		c.expect(keyword == "", "result-schema", a.tool.name, "/structuredContent"+pointer, say(
			"Incumple "+keyword+" del outputSchema.", "It breaks "+keyword+" of the outputSchema."))
	}
}

func (c *certifier) inspectText(a answer) {
	if a.ok() {
		c.expect(strings.TrimSpace(a.text()) != "", "result-text", a.tool.name, "/content", say(
			"El resultado no tiene texto.", "The result has no text."))
	}
}

func (c *certifier) inspectMedia(a answer) {
	if !a.ok() {
		return
	}
	i := slices.IndexFunc(a.content, func(b block) bool { return b.Type != "text" })
	if i < 0 {
		c.check("result-media")
		return
	}
	c.find("result-media", a.tool.name, "/content/"+strconv.Itoa(i), say(
		"Lleva un bloque «"+quote(a.content[i].Type)+"», que la persona no recibe.",
		`It carries a block "`+quote(a.content[i].Type)+`", which the person never gets.`))
}
