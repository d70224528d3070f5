package middleware_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

func TestGuardKeepsTheHandlerFromRunning(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		err         error
		wantOutcome middleware.Outcome
		wantType    errors.Type
	}{
		{"a state that does not allow it", errors.Validation("Esa cita ya está cancelada."), middleware.OutcomeRefused, errors.TypeValidation},
		{"not this person", errors.Permission(""), middleware.OutcomeRefused, errors.TypePermission},
		{"a check that could not be made", context.DeadlineExceeded, middleware.OutcomeTimeout, errors.TypeSystem},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ran := false
			rec := newRecorder()
			h := middleware.Wrap(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				ran = true
				return ok(ctx, req)
			}, middleware.Observe(rec.observe), middleware.Guard(func(context.Context, mcp.CallToolRequest) error { return tt.err }))
			_, err := h(t.Context(), request(nil))
			if e := errors.From(err); e == nil || e.Type != tt.wantType || e.Effect != errors.EffectNone {
				t.Errorf("got %v, want %s without effect", err, tt.wantType)
			}
			if ran {
				t.Error("the handler ran")
			}
			if got := rec.next(t).Outcome; got != tt.wantOutcome {
				t.Errorf("got outcome %s, want %s", got, tt.wantOutcome)
			}
		})
	}
	res, err := middleware.Guard(func(context.Context, mcp.CallToolRequest) error { return nil })(ok)(t.Context(), request(nil))
	if err != nil || res == nil {
		t.Errorf("a guard that is satisfied gave %v, %v", res, err)
	}
}

// conversation is a call of caller-less client in a conversation of a tenant.
func conversation(company, id string) mcp.CallToolRequest {
	return request(map[string]any{"com.asixto/companyId": company, "com.asixto/conversationId": id})
}

// inConversation runs f inside of Ownership.
func inConversation(t *testing.T, mw func(handler) handler, req mcp.CallToolRequest, f func(context.Context) error) error {
	t.Helper()
	_, err := mw(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, f(ctx)
	})(t.Context(), req)
	return err
}

func owning(store middleware.OwnershipStore, opts ...middleware.OwnershipOption) func(handler) handler {
	mw := middleware.Ownership(store, opts...)
	return func(h handler) handler { return mw(h) }
}

func TestOwnsIsBoundToTenantAndConversation(t *testing.T) {
	t.Parallel()
	mw := owning(middleware.NewOwnershipStore(middleware.OwnershipConfig{}))
	resolve := func(ctx context.Context) error { return middleware.Resolve(ctx, "cliente", "1032") }
	owns := func(ctx context.Context) error { return middleware.Owns(ctx, "cliente", "1032") }
	if err := inConversation(t, mw, conversation("cmp", "cnv"), resolve); err != nil {
		t.Fatalf("resolve: %v", err)
	}
	tests := []struct {
		name string
		req  mcp.CallToolRequest
		f    func(context.Context) error
		ok   bool
	}{
		{"same conversation", conversation("cmp", "cnv"), owns, true},
		{"another conversation", conversation("cmp", "cnv2"), owns, false},
		{"another tenant", conversation("cmp2", "cnv"), owns, false},
		{"no conversation", request(nil), owns, false},
		{"parts that read the same when joined", conversation("cm", "pcnv"), owns, false},
		{"another record", conversation("cmp", "cnv"), func(ctx context.Context) error { return middleware.Owns(ctx, "cliente", "99") }, false},
		{"another kind", conversation("cmp", "cnv"), func(ctx context.Context) error { return middleware.Owns(ctx, "cita", "1032") }, false},
		{"within one call without a conversation", request(nil), func(ctx context.Context) error {
			return errors.Join(resolve(ctx), owns(ctx))
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := inConversation(t, mw, tt.req, tt.f)
			if tt.ok && err != nil {
				t.Errorf("got %v, want it owned", err)
			}
			if !tt.ok && !errors.Is(err, errors.TypeNotFound) {
				t.Errorf("got %v, want NOT_FOUND", err)
			}
		})
	}
}

func TestOwnsIsBoundToTheCaller(t *testing.T) {
	t.Parallel()
	mw := owning(middleware.NewOwnershipStore(middleware.OwnershipConfig{}))
	as := func(who call.Caller, f func(context.Context) error) error {
		_, err := mw(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, f(ctx)
		})(call.WithCaller(t.Context(), who), conversation("cmp", "cnv"))
		return err
	}
	resolve := func(ctx context.Context) error { return middleware.Resolve(ctx, "cliente", "1032") }
	owns := func(ctx context.Context) error { return middleware.Owns(ctx, "cliente", "1032") }
	asixto := call.Caller{Name: "asixto", Tenant: "norte"}
	if err := as(asixto, resolve); err != nil {
		t.Fatalf("resolve: %v", err)
	}
	if err := as(asixto, owns); err != nil {
		t.Errorf("the same caller got %v, want it owned", err)
	}
	for _, other := range []call.Caller{{}, {Name: "whaapy", Tenant: "norte"}, {Name: "asixto", Tenant: "sur"}} {
		if err := as(other, owns); !errors.Is(err, errors.TypeNotFound) {
			t.Errorf("%+v got %v, want NOT_FOUND", other, err)
		}
	}
}

func TestOwnsAnswersAsForARecordThatDoesNotExist(t *testing.T) {
	t.Parallel()
	notFound := errors.NotFound("No encontré una cita con esos datos.")
	owns := func(ctx context.Context) error { return middleware.Owns(ctx, "cita", "7", notFound) }
	store := middleware.NewOwnershipStore(middleware.OwnershipConfig{})
	if err := inConversation(t, owning(store), conversation("c", "1"), owns); !errors.Is(err, notFound) {
		t.Errorf("got %v, want the very error of a record that does not exist", err)
	}
	if err := inConversation(t, owning(store, middleware.RevealPermission()), conversation("c", "1"), owns); !errors.Is(err, errors.TypePermission) {
		t.Errorf("got %v, want PERMISSION when asked to reveal", err)
	}
}

type brokenStore struct{}

func (brokenStore) Add(context.Context, string, string, string) error { return errors.New("abajo") }
func (brokenStore) Has(context.Context, string, string, string) (bool, error) {
	return true, errors.New("abajo")
}

func TestOwnsFailsClosed(t *testing.T) {
	t.Parallel()
	owns := func(ctx context.Context) error { return middleware.Owns(ctx, "cita", "7") }
	err := inConversation(t, owning(brokenStore{}), conversation("c", "1"), owns)
	if e := errors.From(err); e == nil || e.Type != errors.TypeSystem || e.Effect != errors.EffectNone {
		t.Errorf("got %v with a broken store, want SYSTEM without effect", err)
	}
	if err := owns(t.Context()); err == nil {
		t.Error("Owns without the middleware says yes")
	}
	if err := middleware.Resolve(t.Context(), "cita", "7"); err == nil {
		t.Error("Resolve without the middleware says that it remembered")
	}
}

func TestOwnershipStoreIsBoundedAndExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		store := middleware.NewOwnershipStore(middleware.OwnershipConfig{TTL: time.Hour, MaxConversations: 2, MaxRecords: 2})
		add := func(scope, id string) {
			if err := store.Add(ctx, scope, "cita", id); err != nil {
				t.Fatalf("add %s %s: %v", scope, id, err)
			}
		}
		check := func(scope, id string, want bool) {
			t.Helper()
			if got, err := store.Has(ctx, scope, "cita", id); got != want || err != nil {
				t.Errorf("%s owns %s: got %t, %v; want %t", scope, id, got, err, want)
			}
		}
		add("a", "1")
		add("a", "2")
		add("a", "1") // resolved again: 2 is now the oldest
		add("a", "3")
		check("a", "1", true)
		check("a", "2", false)
		check("a", "3", true)

		add("b", "1")
		add("c", "1") // the third conversation: a is forgotten
		check("a", "1", false)
		check("b", "1", true)

		time.Sleep(time.Hour)
		check("b", "1", false)
		add("d", "1") // drops the expired ones
		check("d", "1", true)
	})
}
