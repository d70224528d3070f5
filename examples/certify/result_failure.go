package main

import (
	"net/http"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
	"github.com/portavoz/portavoz/paginate"
)

var failureRules = []contract.Rule{{
	ID: "failure-unknown-tool", Core: must,
	Demand: say("Una herramienta que no existe se rechaza con -32602.", "A tool that does not exist is refused with -32602."),
	Fix:    say("Responda -32602, o un resultado con isError.", "Answer -32602, or a result with isError."),
	Cure:   "server.NewMCPServer", Source: sourceMCP,
}, {
	ID: "failure-arguments", Core: must,
	Demand: say("Argumentos que incumplen el esquema se rechazan.", "Arguments that break the schema are refused."),
	Fix:    say("Agregue middleware.Validate.", "Add middleware.Validate."),
	Cure:   "middleware.Validate", Source: sourceDesign,
}, {
	ID: "failure-validation", Asixto: should,
	Demand: say("El error_type de argumentos equivocados es VALIDATION.", "The error_type of wrong arguments is VALIDATION."),
	Fix:    say("Agregue middleware.Validate.", "Add middleware.Validate."),
	Cure:   "middleware.Validate", Source: sourceAsixto,
}, {
	ID: "failure-not-found", Core: should, Asixto: must,
	Demand: say("Lo que no existe es NOT_FOUND o una lista vacía, no una falla.", "What does not exist is NOT_FOUND or an empty list, and no fault."),
	Fix:    say("Devuelva errors.NotFound.", "Return errors.NotFound."),
	Cure:   "errors.NotFound", Source: sourceAsixto,
}, {
	ID: "failure-result", Asixto: must,
	Demand: say("Un fallo del negocio es un resultado con isError y no un error JSON-RPC.", "A business failure is a result with isError and no JSON-RPC error."),
	Fix:    say("Agregue middleware.Errors.", "Add middleware.Errors."),
	Cure:   "middleware.Errors", Source: sourceAsixto,
}, {
	ID: "failure-shape", Asixto: must,
	Demand: say("Un fallo trae structuredContent.error con error_type, uno de seis, y user_message.",
		"A failure has structuredContent.error with error_type, one of six, and user_message."),
	Fix:  say("Devuelva errores del paquete errors y agregue middleware.Errors.", "Return failures of package errors and add middleware.Errors."),
	Cure: "middleware.Errors", Source: sourceAsixto,
}, {
	ID: "failure-text", Asixto: must,
	Demand: say("El texto de un fallo es un solo bloque con el mismo JSON.", "The text of a failure is a single block with the same JSON."),
	Fix:    say("Agregue middleware.Errors.", "Add middleware.Errors."),
	Cure:   "middleware.Errors", Source: sourceAsixto,
}, {
	ID: "failure-sentence", Asixto: should,
	Demand: say("user_message es una frase corta que se puede leer en voz alta.", "user_message is one short sentence that can be read aloud."),
	Fix:    say("Escriba la frase con errors.Validation y las demás; lo técnico va en Cause.", "Write the sentence with errors.Validation and the like; what is technical goes into Cause."),
	Cure:   "errors.Validation", Source: sourceAsixto,
}}

const errorTypes = " BLOCKER NOT_FOUND VALIDATION PERMISSION SYSTEM UNKNOWN "

// longestSentence of a user_message, in UTF-16 code units: some fifteen seconds of speech.
const longestSentence = 240

// inspectFailure holds a failure against the form in which the gateway reads it.
func (c *certifier) inspectFailure(a answer) {
	alsoWhaapy := c.opt.profile&contract.Whaapy != 0
	if a.fault != nil && a.fault.Code != codeInternal && a.status < http.StatusInternalServerError && !alsoWhaapy {
		c.find("failure-result", a.tool.name, "", say(
			"La llamada recibió "+a.said()+".", "The call got "+a.said()+"."))
	}
	if !a.ok() || !a.failed {
		return
	}
	c.check("failure-result")
	c.expect(a.shaped(), "failure-shape", a.tool.name, "/structuredContent/error", say(
		"No tiene la forma que lee el gateway: "+quote(a.data())+".", "It does not have the form that the gateway reads: "+quote(a.data())+"."))
	if !alsoWhaapy {
		same := len(a.content) == 1 && canonical([]byte(a.text())) == canonical(a.structured)
		c.expect(same, "failure-text", a.tool.name, "/content", say(
			"El texto no es el mismo JSON que los datos.", "The text is not the same JSON as the data."))
	}
	if sentence := a.failure.Message; sentence != "" {
		plain := paginate.UTF16Len(sentence) <= longestSentence && !strings.ContainsAny(sentence, "\n{}<>_`*|")
		c.expect(plain, "failure-sentence", a.tool.name, "/structuredContent/error/user_message", say(
			"No se puede leer en voz alta: «"+quote(sentence)+"».", `It cannot be read aloud: "`+quote(sentence)+`".`))
	}
}

// shaped reports whether the data of a failure are as Asixto Gateway reads them.
func (a answer) shaped() bool {
	var wrapped struct {
		Error failure `json:"error"`
	}
	return a.structured != nil && decode(a.structured, &wrapped) == nil &&
		strings.Contains(errorTypes, " "+wrapped.Error.Type+" ") && strings.TrimSpace(wrapped.Error.Type) != "" &&
		strings.TrimSpace(wrapped.Error.Message) != ""
}
