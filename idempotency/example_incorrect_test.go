package idempotency_test

import (
	"context"
	"fmt"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// That a run failed does not prove that nothing happened. Released on any error,
// a payment that was made and whose answer was lost is made again.
func Example_incorrect() {
	payments := 0
	pay := func() error {
		payments++
		return errors.New("read: connection reset by peer") // the answer was lost
	}
	wrong := func(context.Context) idempotency.Settlement {
		if err := pay(); err != nil {
			return idempotency.Settlement{Verdict: idempotency.Release, Err: err}
		}
		return idempotency.Settlement{Verdict: idempotency.Keep}
	}
	right := func(context.Context) idempotency.Settlement {
		if err := pay(); err != nil {
			return idempotency.Settlement{Verdict: idempotency.Abandon, Err: err}
		}
		return idempotency.Settlement{Verdict: idempotency.Keep}
	}
	engine := example(idempotency.Config{})
	for _, tc := range []struct {
		name string
		run  func(context.Context) idempotency.Settlement
	}{{"wrong", wrong}, {"right", right}} {
		payments = 0
		op := idempotency.Operation{Name: "pagar_factura", Key: tc.name}
		for range 3 {
			_, _ = engine.Do(context.Background(), op, tc.run)
		}
		fmt.Printf("%s: %d payments\n", tc.name, payments)
	}
	// Output:
	// wrong: 3 payments
	// right: 1 payments
}
