package call

import (
	"context"
	"slices"
)

// Caller is who presented a valid credential. It holds no secret.
type Caller struct {
	// Name is the stable name of the principal, such as "asixto". Several
	// secrets may prove the same name, so that rotating one changes nothing:
	// rate limits and idempotency keys are bound to the name.
	Name string
	// Tenant is the tenant that the credential is bound to, if it is.
	Tenant string
	// Scopes are what the credential allows. They are not changed after the
	// caller was put into a context.
	Scopes []string
}

// Has reports whether the caller has the scope.
func (c Caller) Has(scope string) bool { return slices.Contains(c.Scopes, scope) }

type callerKey struct{}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, &c)
}

// CallerFrom returns the caller, and whether there is one. A server without
// credentials has none.
func CallerFrom(ctx context.Context) (Caller, bool) {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return *c, true
	}
	return Caller{}, false
}
