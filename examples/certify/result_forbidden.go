package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware/contract"
)

var forbiddenRules = []contract.Rule{{
	ID: "result-trace", Core: must,
	Demand: say("Ningún resultado lleva trazas ni errores internos.", "No result carries stack traces or internal errors."),
	Fix:    say("Devuelva los errores con el paquete errors y ponga middleware.Errors.", "Return failures with package errors and add middleware.Errors."),
	Cure:   "middleware.Errors", Source: sourceAsixto,
}, {
	ID: "result-secret", Core: must,
	Demand: say("Ningún resultado lleva credenciales.", "No result carries credentials."),
	Fix:    say("Agregue middleware.Redact, y quite el campo del resultado.", "Add middleware.Redact, and take the field out of the result."),
	Cure:   "middleware.Redact", Source: sourceAsixto,
}, {
	ID: "result-internal-host", Core: should, Asixto: must,
	Demand: say("Ningún resultado nombra máquinas internas.", "No result names internal hosts."),
	Fix:    say("Agregue middleware.Redact, o quite el campo del resultado.", "Add middleware.Redact, or take the field out of the result."),
	Cure:   "middleware.Redact", Source: sourceAsixto,
}, {
	ID: "result-internal-id", Core: hint, Asixto: must,
	Demand: say("Ningún resultado lleva identificadores internos ni campos administrativos.", "No result carries internal identifiers or administrative fields."),
	Fix:    say("Agregue middleware.Redact y diga en RedactConfig.Public lo que la persona necesita.", "Add middleware.Redact and name in RedactConfig.Public what the person needs."),
	Cure:   "middleware.Redact", Source: sourceAsixto,
}}

var (
	traceForm = regexp.MustCompile(`goroutine \d+ \[|\.go:\d+|\.java:\d+\)|Traceback \(most recent|File "[^"]+", line \d+|` +
		`(?m:^\s*at .+[(/].+:\d+)|\bpanic: |runtime error: |Exception in thread|\b(com|org|java)\.\w+\.\w*(Exception|Error)\b|` +
		`SQLSTATE|ORA-\d{5}|pq: |dial tcp |ECONNREFUSED`)
	secretForm = regexp.MustCompile(`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}|(?i:\bbearer\s+[a-z0-9._~+/-]{16,})|-----BEGIN [A-Z ]*PRIVATE KEY|` +
		`\bAKIA[0-9A-Z]{16}\b|\b[sr]k_(live|test)_\w{8,}|\bgh[pousr]_\w{30,}|\bxox[abp]-[\w-]{10,}|://[^/\s:@]+:[^/\s@]+@`)
	hostForm = regexp.MustCompile(`\b(10\.\d{1,3}|127\.\d{1,3}|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3}\b|\blocalhost:\d+|` +
		`(?i)\b[a-z0-9-]+(\.[a-z0-9-]+)*\.(internal|local|localdomain|lan|corp|svc)\b`)
	identifierForm = regexp.MustCompile(`^([0-9a-f]{24}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`)
)

// The names of members that are secret, and of those that are for the server
// alone.
const (
	secretNames = " password passwd contrasena clave_acceso secret secreto token access_token refresh_token api_key apikey private_key "
	adminNames  = " _id created_at updated_at deleted_at created_by updated_by deleted_by tenant_id row_version password_hash "
)

// inspectForbidden looks into every text of a result, failures included. What it finds is
// not quoted.
func (c *certifier) inspectForbidden(a answer) {
	if a.err != nil {
		return
	}
	c.check("result-trace", "result-secret", "result-internal-host", "result-internal-id")
	for _, p := range a.places() {
		text := scalar(p.value)
		name := " " + strings.ToLower(p.key) + " "
		if text == "" {
			continue
		}
		isSecret := secretForm.MatchString(text) || p.key != "" && strings.Contains(secretNames, name) || c.isCredential(text)
		switch {
		case isSecret:
			c.find("result-secret", a.tool.name, p.pointer, say("Parece una credencial.", "It looks like a credential."))
		case traceForm.MatchString(text):
			c.find("result-trace", a.tool.name, p.pointer, say("Parece una traza o un error interno.", "It looks like a stack trace or an internal error."))
		case hostForm.MatchString(text):
			c.find("result-internal-host", a.tool.name, p.pointer, say("Nombra una máquina interna.", "It names an internal host."))
		case identifierForm.MatchString(text) || p.key != "" && strings.Contains(adminNames, name):
			c.find("result-internal-id", a.tool.name, p.pointer, say("Parece un dato interno.", "It looks like internal data."))
		}
	}
}

// isCredential reports whether a text contains what this run proves itself with.
func (c *certifier) isCredential(text string) bool {
	return slices.ContainsFunc(c.opt.secrets(), func(secret string) bool { return strings.Contains(text, secret) })
}
