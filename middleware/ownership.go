package middleware

import (
	"context"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
)

// OwnershipStore remembers which records a conversation has shown to be its
// person's. Scope is opaque and names one conversation of one tenant and
// caller.
//
// Implementations are safe for concurrent use, bounded, and may forget: what is
// forgotten is no longer owned, and the person identifies again. They never
// say that something is owned which was not added under the same scope.
type OwnershipStore interface {
	// Add notes that the record belongs to the person of scope.
	Add(ctx context.Context, scope, kind, id string) error
	// Has reports whether it was added, and has neither expired nor been
	// forgotten.
	Has(ctx context.Context, scope, kind, id string) (bool, error)
}

// OwnershipOption tunes [Ownership].
type OwnershipOption func(*ownership)

// RevealPermission makes [Owns] answer PERMISSION for another person's record.
// The default is NOT_FOUND, which does not tell that the record exists.
func RevealPermission() OwnershipOption {
	return func(o *ownership) { o.reveal = true }
}

// Ownership makes [Resolve] and [Owns] work inside of it.
func Ownership(store OwnershipStore, opts ...OwnershipOption) server.ToolHandlerMiddleware {
	o := &ownership{store: store}
	for _, opt := range opts {
		opt(o)
	}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			rec.mu.Lock()
			rec.ownership = o
			rec.mu.Unlock()
			return next(ctx, req)
		}
	}
}

type ownership struct {
	store  OwnershipStore
	reveal bool
}

type ownedKey struct{ kind, id string }

// errNoOwnership is a mistake in the server's wiring. Owns fails closed on it.
var errNoOwnership = errors.New("portavoz/middleware: Resolve and Owns need the Ownership middleware")

// Resolve notes that the record belongs to the person of this conversation. The
// tool that identified the person calls it. Without a conversation id it holds
// for this call only. An error means that it was not remembered.
func Resolve(ctx context.Context, kind, id string) error {
	rec, o := ownershipFrom(ctx)
	if o == nil {
		return errNoOwnership
	}
	rec.mu.Lock()
	if rec.owned == nil {
		rec.owned = map[ownedKey]struct{}{}
	}
	rec.owned[ownedKey{kind, id}] = struct{}{}
	rec.mu.Unlock()

	if rec.meta.ConversationID == "" {
		return nil
	}
	return o.store.Add(ctx, rec.scope(), kind, id)
}

// Owns returns nil if the record was resolved in this conversation, by the same
// caller and for the same tenant. Otherwise it returns what the tool answers for
// a record that does not exist: NOT_FOUND with the table's sentence, or, if the
// tool has an error of its own for that case, the one given as notFound, so that
// the two cannot be told apart. An error of the store is SYSTEM.
func Owns(ctx context.Context, kind, id string, notFound ...error) error {
	rec, o := ownershipFrom(ctx)
	if o == nil {
		return errNoOwnership
	}
	rec.mu.Lock()
	_, ok := rec.owned[ownedKey{kind, id}]
	rec.mu.Unlock()
	if ok {
		return nil
	}
	if rec.meta.ConversationID != "" {
		has, err := o.store.Has(ctx, rec.scope(), kind, id)
		if err != nil {
			return errors.System("", errors.WithCode(errors.CodeUnavailable), errors.WithRetryable(),
				errors.WithCause(err), errors.WithEffect(errors.EffectNone))
		}
		if has {
			return nil
		}
	}
	switch {
	case o.reveal:
		return errors.Permission("")
	case len(notFound) > 0:
		return notFound[0]
	default:
		return errors.NotFound("")
	}
}

func ownershipFrom(ctx context.Context) (*Record, *ownership) {
	rec := RecordFrom(ctx)
	if rec == nil {
		return nil, nil
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec, rec.ownership
}

// scope names the conversation. Each part is preceded by its length, so that no
// two tuples read the same.
func (r *Record) scope() string {
	var b []byte
	for _, part := range [...]string{r.caller.Name, r.caller.Tenant, r.meta.CompanyID, r.meta.ConversationID} {
		b = strconv.AppendInt(b, int64(len(part)), 10)
		b = append(b, ':')
		b = append(b, part...)
	}
	return string(b)
}
