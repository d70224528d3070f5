package idempotency

import (
	"context"
	"encoding/hex"
	"time"
)

// Operation names what must happen once.
type Operation struct {
	// Scope is who asks: a principal and a tenant, never a secret and never a
	// connection. Make it with the parts that must not share keys.
	Scope []string
	// Name is what is asked for: the tool, or method and route.
	Name string
	// Key is the caller's idempotency key. It is not empty.
	Key string
	// Fingerprint is the digest of the arguments.
	Fingerprint Digest
	// TTL overrides [Config.TTL] for this operation once it has completed; zero
	// does not.
	TTL time.Duration
}

// digest names the operation in the store. Neither the key nor the scope can be
// read from it.
func (o Operation) digest() Digest {
	parts := make([]string, 0, 8)
	parts = append(parts, "portavoz/1", o.Name, o.Key)
	return NewDigest(append(parts, o.Scope...)...)
}

// EffectKey returns a key for a step of the operation that runs in ctx, to be
// sent to the system in which the effect happens: 64 hexadecimal digits, the
// same for the same operation and step in every process and every attempt. A
// handler that forwards it may be retried and run again safely. Without an
// operation in ctx it is empty.
func EffectKey(ctx context.Context, step string) string {
	r := runIn(ctx)
	if r == nil {
		return ""
	}
	sum := NewDigest("effect", string(r.key[:]), step)
	return hex.EncodeToString(sum[:])
}

// KeptFor returns how long the key of the operation that runs in ctx is remembered
// once it has completed: what promises that something happens once, and stands on the
// key, must not promise it for longer. Without an operation in ctx it is zero.
func KeptFor(ctx context.Context) time.Duration {
	if r := runIn(ctx); r != nil {
		return r.ttl
	}
	return 0
}
