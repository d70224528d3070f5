// Package refusal says of a call that it leads to nothing that could run, while it
// passes through the middlewares all the same.
package refusal

import (
	"context"

	"github.com/portavoz/portavoz/errors"
)

// Refusal is the end of a call.
type Refusal struct {
	// Tool is the name under which the call passes. Calls of others that are made on
	// the way are no part of it.
	Tool string
	// Err is what the caller is told.
	Err *errors.Error
}

type key struct{}

// With returns a context of a call that ends so.
func With(ctx context.Context, r *Refusal) context.Context { return context.WithValue(ctx, key{}, r) }

// From returns how a call of the tool ends, nil if it leads somewhere.
func From(ctx context.Context, tool string) *errors.Error {
	if r, ok := ctx.Value(key{}).(*Refusal); ok && r.Tool == tool {
		return r.Err
	}
	return nil
}
