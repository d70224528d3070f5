package call_test

import (
	"context"
	"reflect"
	"regexp"
	"sync"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
)

func TestExchange(t *testing.T) {
	t.Parallel()
	ctx, x := call.WithExchange(context.Background())
	if _, again := call.WithExchange(ctx); again != x {
		t.Error("WithExchange made a second exchange where there was one")
	}
	if got := call.ExchangeFrom(ctx); got != x {
		t.Error("ExchangeFrom does not return the exchange of its context")
	}

	if _, reached := x.Outcome(); reached {
		t.Error("Outcome says reached before any note")
	}
	if _, ok := x.Caller(); ok {
		t.Error("Caller says identified before any note")
	}

	request := call.Request{Method: "tools/call", Name: "abrir_caso_soporte", Version: "2026-07-28", RequestID: "req_1", ID: []byte("7")}
	x.SetRequest(request)
	if got := x.Request(); !reflect.DeepEqual(got, request) {
		t.Errorf("Request() = %+v, want %+v", got, request)
	}

	x.SetCaller(call.Caller{Name: "asixto"})
	if got, ok := x.Caller(); !ok || got.Name != "asixto" {
		t.Errorf("Caller() = %+v, %v, want asixto", got, ok)
	}

	x.SetRefusal("body_too_large")
	x.SetRefusal("unreadable_body")
	if got := x.Refusal(); got != "body_too_large" {
		t.Errorf("Refusal() = %q, want the first note", got)
	}

	x.SetOutcome(call.Outcome{Tool: "abrir_caso_soporte"})
	want := call.Outcome{Tool: "abrir_caso_soporte", RequestID: "req_1", Outcome: "ok"}
	x.SetOutcome(want)
	if got, reached := x.Outcome(); !reached || got != want {
		t.Errorf("Outcome() = %+v, %v, want the last note", got, reached)
	}
}

func TestExchangeInvalid(t *testing.T) {
	t.Parallel()
	_, x := call.WithExchange(context.Background())
	if got, ok := x.Invalid(); ok {
		t.Errorf("Invalid() = %+v before any note", got)
	}
	want := call.Invalid{Field: "items.0.sku", Message: "Hace falta sku."}
	x.SetInvalid(want)
	if got, ok := x.Invalid(); !ok || got != want {
		t.Errorf("Invalid() = %+v, %v, want %+v, true", got, ok, want)
	}
}

func TestExchangeAsksInvalid(t *testing.T) {
	t.Parallel()
	_, x := call.WithExchange(context.Background())
	if x.AsksInvalid() {
		t.Error("a new exchange asks")
	}
	x.AskInvalid()
	if _, invalid := x.Invalid(); !x.AsksInvalid() || invalid {
		t.Error("the note is lost, or another one is made")
	}
}

func TestNilExchange(t *testing.T) {
	t.Parallel()
	x := call.ExchangeFrom(context.Background())
	if x != nil {
		t.Fatal("an empty context has an exchange")
	}
	x.SetRequest(call.Request{Method: "tools/call"})
	x.SetCaller(call.Caller{Name: "asixto"})
	x.SetRefusal("body_too_large")
	x.SetOutcome(call.Outcome{Tool: "a"})
	x.SetInvalid(call.Invalid{Field: "a"})
	x.AskInvalid()
	if x.AsksInvalid() {
		t.Error("AsksInvalid() = true")
	}
	if got, ok := x.Invalid(); ok {
		t.Errorf("Invalid() = %+v, want nothing", got)
	}
	if got := x.Request(); !reflect.DeepEqual(got, call.Request{}) {
		t.Errorf("Request() = %+v, want zero", got)
	}
	if got, ok := x.Caller(); ok || !reflect.DeepEqual(got, call.Caller{}) {
		t.Errorf("Caller() = %+v, %v, want nobody", got, ok)
	}
	if got := x.Refusal(); got != "" {
		t.Errorf("Refusal() = %q, want none", got)
	}
	if got, reached := x.Outcome(); reached || got != (call.Outcome{}) {
		t.Errorf("Outcome() = %+v, %v, want nothing", got, reached)
	}
}

func TestExchangeConcurrently(t *testing.T) {
	t.Parallel()
	_, x := call.WithExchange(context.Background())
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			x.SetRequest(call.Request{Method: "tools/call"})
			x.SetCaller(call.Caller{Name: "asixto"})
			x.SetRefusal("x")
			x.AskInvalid()
			x.AsksInvalid()
			x.SetOutcome(call.Outcome{Tool: "a"})
			_, _ = x.Outcome()
			_, _ = x.Caller()
			_, _ = x.Request(), x.Refusal()
		})
	}
	wg.Wait()
	if got, _ := x.Outcome(); got.Tool != "a" {
		t.Errorf("Tool = %q, want a", got.Tool)
	}
}

func TestCaller(t *testing.T) {
	t.Parallel()
	if got, ok := call.CallerFrom(context.Background()); ok || got.Name != "" {
		t.Errorf("CallerFrom of an empty context = %+v, %v, want nobody", got, ok)
	}
	want := call.Caller{Name: "asixto", Tenant: "cmp_31a", Scopes: []string{"read"}}
	got, ok := call.CallerFrom(call.WithCaller(context.Background(), want))
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("CallerFrom = %+v, %v, want %+v", got, ok, want)
	}
	if !got.Has("read") || got.Has("write") || (call.Caller{}).Has("") {
		t.Error("Has does not follow Scopes")
	}
}

func TestNewRequestID(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^req_[A-Z2-7]{26}$`)
	seen := map[string]bool{}
	for range 1000 {
		id := call.NewRequestID()
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("NewRequestID() = %q: malformed or repeated", id)
		}
		seen[id] = true
	}
}
