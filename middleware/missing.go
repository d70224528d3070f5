package middleware

import "github.com/mark3labs/mcp-go/server"

// Profile names what a kind of client demands of a server.
type Profile string

// The profiles.
const (
	ProfileAsixto Profile = "asixto" // Asixto Gateway
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
	demands := []struct {
		field  string
		filled server.ToolHandlerMiddleware
		demand string
		core   bool
	}{
		{"Log", s.Log, "an incident cannot be closed with one request id", true},
		{"Recover", s.Recover, "a panic drops the connection", true},
		{"Budget", s.Budget, "a result beyond 3,000 characters is cut without notice", false},
		{"Voice", s.Voice, "lists, dates and amounts are not fit for the phone", false},
		{"Errors", s.Errors, "failures reach the client as protocol errors with internal text", true},
		{"RateLimit", s.RateLimit, "the endpoint has no limit of its own", false},
		{"Authorize", s.Authorize, "any caller may use any tool for any tenant", false},
		{"Validate", s.Validate, "what a model gets wrong in the arguments reaches the handler", false},
		{"Timeout", s.Timeout, "a handler that hangs leaves the caller in silence", true},
		{"Idempotency", s.Idempotency, "a retried write runs twice", false},
		{"LoopGuard", s.LoopGuard, "an agent that repeats itself is not stopped", false},
		{"Redact", s.Redact, "secrets and internal identifiers reach the model, and the store", false},
		{"Ownership", s.Ownership, "guards cannot tell whose record it is", false},
	}
	var gaps []Gap
	for _, d := range demands {
		if d.filled == nil && (d.core || p == ProfileAsixto) {
			gaps = append(gaps, Gap{Field: d.field, Demand: d.demand})
		}
	}
	return gaps
}
