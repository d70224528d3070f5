package idempotency_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// example makes an engine over a store that lasts as long as this process.
func example(cfg idempotency.Config) *idempotency.Engine {
	store, err := memory.Ephemeral(memory.Config{})
	if err != nil {
		panic(err)
	}
	engine, err := idempotency.New(store, cfg)
	if err != nil {
		panic(err)
	}
	return engine
}

// A payment is made once, however often its request arrives.
func ExampleEngine_Do() {
	engine := example(idempotency.Config{})
	fingerprint, err := idempotency.Fingerprint([]byte(`{"factura":"F-881","monto":"89900"}`))
	if err != nil {
		panic(err)
	}
	op := idempotency.Operation{
		Scope: []string{"asixto", "comp_1"}, Name: "pagar_factura", Key: "8e03978e",
		Fingerprint: fingerprint,
	}
	pay := func(context.Context) idempotency.Settlement {
		fmt.Println("paying")
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("recibo 17")}
	}
	for range 2 {
		reply, err := engine.Do(context.Background(), op, pay)
		fmt.Printf("%s, ran %v, %v\n", reply.Result, reply.Ran, err)
	}

	op.Fingerprint, _ = idempotency.Fingerprint([]byte(`{"factura":"F-882","monto":"1"}`))
	_, err = engine.Do(context.Background(), op, pay)
	fmt.Println(err)
	// Output:
	// paying
	// recibo 17, ran true, <nil>
	// recibo 17, ran false, <nil>
	// VALIDATION idempotency_key_reused
}

// What a run returns says what becomes of the key. Only what proves that nothing
// happened frees it.
func ExampleSettlement() {
	engine := example(idempotency.Config{})
	settle := func(err error) idempotency.Settlement {
		failure := errors.From(err)
		s := idempotency.Settlement{Verdict: idempotency.Abandon, Err: failure}
		if failure.Effect == errors.EffectNone {
			s.Verdict = idempotency.Release
		}
		return s
	}
	for _, failure := range []error{
		errors.NotFound("No encontré esa factura."),
		context.DeadlineExceeded, // of the billing system: it may have paid
	} {
		op := idempotency.Operation{Name: "pagar_factura", Key: fmt.Sprint(failure)}
		_, first := engine.Do(context.Background(), op, func(context.Context) idempotency.Settlement { return settle(failure) })
		_, second := engine.Do(context.Background(), op, func(context.Context) idempotency.Settlement {
			return idempotency.Settlement{Verdict: idempotency.Keep}
		})
		fmt.Printf("first: %v; second: %v\n", errors.From(first).Type, second)
	}
	// Output:
	// first: NOT_FOUND; second: <nil>
	// first: SYSTEM; second: UNKNOWN outcome_unknown
}

// A run that sends the operation's own key to the system in which the effect
// happens may be repeated: that system knows the second time from the first.
func ExampleEffectKey() {
	billing := map[string]bool{} // what the billing system has seen
	charge := func(key string) {
		if !billing[key] {
			billing[key] = true
			fmt.Println("charged")
		}
	}
	engine := example(idempotency.Config{Rerun: true})
	run := func(ctx context.Context) idempotency.Settlement {
		charge(idempotency.EffectKey(ctx, "charge"))
		if len(billing) == 1 {
			billing["the next one succeeds"] = true
			return idempotency.Settlement{Err: errors.OutcomeUnknown(io.ErrUnexpectedEOF)}
		}
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("recibo 17")}
	}
	op := idempotency.Operation{Name: "pagar_factura", Key: "8e03978e"}
	for range 2 {
		reply, err := engine.Do(context.Background(), op, run)
		fmt.Printf("%s %v\n", reply.Result, err)
	}
	// Output:
	// charged
	//  unexpected EOF
	// recibo 17 <nil>
}

// The system of record knows how an operation ended of which nobody told.
func ExampleConfig_probe() {
	engine := example(idempotency.Config{
		Probe: func(_ context.Context, op idempotency.Operation) ([]byte, bool, error) {
			fmt.Println("asking for", op.Key)
			return []byte("recibo 17"), true, nil
		},
	})
	op := idempotency.Operation{Name: "pagar_factura", Key: "8e03978e"}
	_, err := engine.Do(context.Background(), op, func(context.Context) idempotency.Settlement {
		panic("after the payment")
	})
	fmt.Println(errors.From(err).Code)
	reply, err := engine.Do(context.Background(), op, func(context.Context) idempotency.Settlement {
		fmt.Println("not reached")
		return idempotency.Settlement{}
	})
	fmt.Printf("%s %v\n", reply.Result, err)
	// Output:
	// panic
	// asking for 8e03978e
	// recibo 17 <nil>
}

// An existing route becomes safe to repeat without a change in its handler.
func ExampleHandler() {
	payments := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		order, _ := io.ReadAll(r.Body)
		fmt.Printf("paying %s\n", order)
		w.Header().Set("Location", "/payments/17")
		w.WriteHeader(http.StatusCreated)
	})

	once, err := idempotency.Handler(example(idempotency.Config{}),
		func(r *http.Request) []string { return []string{r.Header.Get("X-Account")} }, // what authentication left
		idempotency.HandlerConfig{RequireKey: true})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /payments", once(payments))

	for _, request := range []struct{ key, body string }{
		{`"8e03978e"`, `{"factura":"F-881","monto":"89900"}`},
		{`"8e03978e"`, `{"monto":"89900", "factura":"F-881"}`},
		{`"8e03978e"`, `{"factura":"F-882","monto":"1"}`},
		{"", `{"factura":"F-883","monto":"1"}`},
	} {
		r := httptest.NewRequest(http.MethodPost, "/payments", strings.NewReader(request.body))
		r.Header.Set("Content-Type", "application/json")
		if request.key != "" {
			r.Header.Set("Idempotency-Key", request.key)
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		fmt.Printf("%d location %q, replayed %q\n", w.Code, w.Header().Get("Location"), w.Header().Get("Idempotent-Replayed"))
	}
	// Output:
	// paying {"factura":"F-881","monto":"89900"}
	// 201 location "/payments/17", replayed ""
	// 201 location "/payments/17", replayed "true"
	// 422 location "", replayed ""
	// 400 location "", replayed ""
}
