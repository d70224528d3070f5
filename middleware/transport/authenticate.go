package transport

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"

	"github.com/portavoz/portavoz/middleware/call"
)

// What a proof returns when it proves nobody. Both get the same 401; the log
// tells them apart.
var (
	errAbsent = errors.New("no credential")
	errWrong  = &rejection{reason: "wrong_credential"}
)

// rejection is a credential that was presented and does not hold.
type rejection struct {
	reason string // for the log
	final  bool   // the request is refused, whatever else it carries
}

// Error implements error.
func (r *rejection) Error() string { return r.reason }

// Authenticate lets a request through if it carries one of the credentials,
// and puts who that proves into the context, see [call.CallerFrom]. Others get
// 401 with a WWW-Authenticate header (RFC 6750) and a JSON-RPC error that is
// the same for a missing and for a wrong credential. The body is not touched
// before.
//
// Secrets are compared in constant time, all of them. Two lines of the header
// that holds one are refused, and so is a request that proves two callers, by
// name or tenant; a wrong credential beside a good one is not. Of two that prove
// the same caller the first listed counts.
//
// A preflight (OPTIONS, see the CORS protocol) carries no credential and is
// refused like anything else: whatever answers it belongs in front.
//
// No credential at all is an error, as is every mistake in one: see
// [ConfigError]. [Open] and secrets shorter than 16 bytes are accepted with a
// warning to [slog.Default].
func Authenticate(credentials ...Credential) (func(http.Handler) http.Handler, error) {
	return authenticate(challenge(""), slog.Default(), credentials)
}

// challenge returns the WWW-Authenticate of a 401 (RFC 6750, section 3), with
// the URL of the metadata document if there is one (RFC 9728, section 5.1).
func challenge(metadataURL string) string {
	c := `Bearer realm="mcp"`
	if metadataURL != "" {
		c += `, resource_metadata="` + metadataURL + `"`
	}
	return c
}

func authenticate(wwwAuthenticate string, logger *slog.Logger, credentials []Credential) (func(http.Handler) http.Handler, error) {
	if err := checkCredentials(credentials); err != nil {
		return nil, err
	}
	for _, c := range credentials {
		if risk := c.risk(); risk != "" {
			logger.Warn("weak credential", slog.String("credential", c.String()), slog.String("risk", risk))
		}
	}
	if credentials[0].kind == "Open" {
		return func(next http.Handler) http.Handler { return next }, nil
	}

	// Verifiers go last: they may be slow, and often need not be asked.
	ordered := slices.Clone(credentials)
	slices.SortStableFunc(ordered, func(a, b Credential) int { return a.rank() - b.rank() })
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			who, refused := identify(r, ordered)
			if refused != nil {
				if refused.status == http.StatusUnauthorized {
					w.Header().Set("WWW-Authenticate", wwwAuthenticate)
				}
				refused.send(w, r, nil)
				return
			}
			call.ExchangeFrom(r.Context()).SetCaller(who)
			next.ServeHTTP(w, r.WithContext(call.WithCaller(r.Context(), who)))
		})
	}, nil
}

// identify returns who the request proves, or the answer to one that proves
// nobody.
func identify(r *http.Request, credentials []Credential) (call.Caller, *refusal) {
	var (
		who         call.Caller
		reason      = "no_credential"
		unavailable bool
	)
	for _, c := range credentials {
		if who.Name != "" && c.rank() > 0 {
			break
		}
		proved, err := c.proof.prove(r)
		if err == nil {
			proved = c.bind(proved)
			if who.Name != "" && (who.Name != proved.Name || who.Tenant != proved.Tenant) {
				return call.Caller{}, unauthorized("two_callers")
			}
			if who.Name == "" {
				who = proved
			}
			continue
		}
		var rejected *rejection
		switch {
		case errors.Is(err, errAbsent):
		case errors.Is(err, ErrUnavailable):
			unavailable = true
		case errors.As(err, &rejected) && rejected.final:
			return call.Caller{}, unauthorized(rejected.reason)
		case errors.As(err, &rejected):
			reason = rejected.reason
		case reason == "no_credential":
			reason = "verifier_refused"
		}
	}
	switch {
	case who.Name != "":
		return who, nil
	case unavailable:
		return call.Caller{}, unverifiable()
	default:
		return call.Caller{}, unauthorized(reason)
	}
}

// rank orders credentials: those that cost nothing first.
func (c Credential) rank() int {
	if c.kind == "Verifier" {
		return 1
	}
	return 0
}

func unauthorized(reason string) *refusal {
	return &refusal{
		status:  http.StatusUnauthorized,
		code:    codeInvalidRequest,
		reason:  reason,
		message: "A valid credential is required.",
	}
}

func unverifiable() *refusal {
	return &refusal{
		status:  http.StatusServiceUnavailable,
		code:    codeInternalError,
		reason:  "verifier_unavailable",
		message: "Credentials cannot be checked now.",
	}
}
