package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/portavoz/portavoz/middleware/call"
)

// ErrUnavailable is wrapped by an error of a [Verifier] that could not find out
// whether the credential is good: the key set cannot be fetched, the
// introspection endpoint is down. The client is then answered 503, not 401, and
// does not throw a good token away.
var ErrUnavailable = errors.New("credentials cannot be checked now")

// Verifier accepts whom verify accepts, for everything that the other
// credentials are not: a JWT, an OAuth 2.1 token, a client certificate.
//
// verify is called, possibly by many requests at once, when no secret and no
// [TrustedHeader] has proved a caller, also when the request carries no
// credential at all. It gets the request without its body, bounds its own work
// by ctx, and returns a caller with a stable name (see [call.Caller.Name];
// printable, 255 bytes at most), or an error: a wrapped [ErrUnavailable], a
// deadline or a cancellation means 503, any other 401. The text of the error
// reaches neither the client nor the log.
//
// A name is an identity: where others choose it, such as the subject of a
// token, put the issuer before it, or a subject called "asixto" is taken for the
// principal that a [Bearer] of that name proves.
func Verifier(verify func(ctx context.Context, r *http.Request) (call.Caller, error)) Credential {
	c := Credential{kind: "Verifier"}
	if verify == nil {
		c.problems = append(c.problems, "the function is nil")
		return c
	}
	c.proof = verifierProof(verify)
	return c
}

type verifierProof func(ctx context.Context, r *http.Request) (call.Caller, error)

func (verify verifierProof) prove(r *http.Request) (call.Caller, error) {
	headersOnly := r.WithContext(r.Context())
	headersOnly.Body = http.NoBody
	who, err := verify(r.Context(), headersOnly)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return call.Caller{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	case err == nil && !validName(who.Name):
		return call.Caller{}, &rejection{reason: "unusable_name"}
	}
	return who, err
}

// Open lets everybody in and names nobody: [call.CallerFrom] finds no caller,
// and whatever is bound to a principal is shared by all. It is for development,
// and for a server that only the network protects. [Authenticate] warns of it,
// and takes no other credential beside it.
func Open() Credential { return Credential{kind: "Open", proof: openProof{}} }

type openProof struct{}

func (openProof) prove(*http.Request) (call.Caller, error) { return call.Caller{}, errAbsent }
