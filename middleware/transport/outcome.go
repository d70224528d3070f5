package transport

import (
	"cmp"
	"net/http"

	"github.com/portavoz/portavoz/middleware/call"
)

// DefaultOutcomePrefix begins the names of the headers of [OutcomeHeaders].
const DefaultOutcomePrefix = "X-Call-"

// OutcomeHeaders tells the proxy in front, for its access log, how the tool
// call ended: response headers Tool, Outcome, Error-Type and Request-Id, behind
// a prefix such as "X-Call-"; "" means [DefaultOutcomePrefix]. What is not
// known is left out: a request that reached no tool has a Request-Id at most,
// and an answer that streams has sent its headers before the call ended.
//
// The client sees them too, unless the proxy drops them. A value that no header
// can hold is written in the Base64 form of MCP, "=?base64?...?=".
//
// OutcomeHeaders panics if the prefix is no header name.
func OutcomeHeaders(prefix string) func(http.Handler) http.Handler {
	prefix = cmp.Or(prefix, DefaultOutcomePrefix)
	if !validHeader(prefix) {
		panic("portavoz/transport: the prefix of OutcomeHeaders is no header name")
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, exchange := call.WithExchange(r.Context())
			res, out := watch(w, func() bool {
				setOutcome(w.Header(), prefix, exchange)
				return false
			})
			next.ServeHTTP(out, r.WithContext(ctx))
			res.end()
		})
	}
}

func setOutcome(h http.Header, prefix string, x *call.Exchange) {
	outcome, _ := x.Outcome()
	for _, field := range [...]struct{ name, value string }{
		{"Tool", outcome.Tool},
		{"Outcome", outcome.Outcome},
		{"Error-Type", outcome.ErrorType},
		{"Request-Id", cmp.Or(outcome.RequestID, x.Request().RequestID)},
	} {
		if field.value != "" {
			h.Set(prefix+field.name, encodeHeader(field.value))
		}
	}
}
