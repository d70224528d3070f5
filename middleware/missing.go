package middleware

import (
	"slices"

	"github.com/mark3labs/mcp-go/server"
)

// Profile names what a kind of client demands of a server.
type Profile string

// The profiles.
const (
	ProfileAsixto Profile = "asixto" // Asixto Gateway
	ProfileWhaapy Profile = "whaapy" // the Whaapy agent
	ProfileCore   Profile = "core"   // any MCP client that an agent uses
)

// Gap is a demand that a stack does not meet.
type Gap struct {
	// Field is the empty field of [Stack].
	Field string
	// Demand is what goes wrong without it.
	Demand string
}

// Missing lists what the profile demands and the stack lacks, from the
// outermost field to the innermost; nil if nothing is missing. It looks at the
// fields only: whether what stands there does its work is for a test to say.
func (s *Stack) Missing(p Profile) []Gap {
	every := []Profile{ProfileCore, ProfileAsixto, ProfileWhaapy}
	gateways, asixto, whaapy := every[1:], every[1:2], every[2:]
	demands := []struct {
		field  string
		filled server.ToolHandlerMiddleware
		demand string
		of     []Profile
	}{
		{"Log", s.Log, "an incident cannot be closed with one request id", every},
		{"Recover", s.Recover, "a panic drops the connection", every},
		{"Envelope", s.Envelope, "results have no status, and failures no code, that the agent reads", whaapy},
		{"Budget", s.Budget, "a result beyond 3,000 characters is cut without notice", asixto},
		{"Voice", s.Voice, "lists, dates and amounts are not fit for the phone", asixto},
		{"Errors", s.Errors, "failures reach the client as protocol errors with internal text", every},
		{"RateLimit", s.RateLimit, "the endpoint has no limit of its own", gateways},
		{"Authorize", s.Authorize, "any caller may use any tool for any tenant", gateways},
		{"Validate", s.Validate, "what a model gets wrong in the arguments reaches the handler", gateways},
		{"Timeout", s.Timeout, "a handler that hangs leaves the caller in silence", every},
		{"Idempotency", s.Idempotency, "a retried write runs twice", gateways},
		{"LoopGuard", s.LoopGuard, "an agent that repeats itself is not stopped", gateways},
		{"Redact", s.Redact, "secrets and internal identifiers reach the model, and the store", gateways},
		{"Ownership", s.Ownership, "guards cannot tell whose record it is", gateways},
	}
	var gaps []Gap
	for _, d := range demands {
		if d.filled == nil && slices.Contains(d.of, p) {
			gaps = append(gaps, Gap{Field: d.field, Demand: d.demand})
		}
	}
	return gaps
}
