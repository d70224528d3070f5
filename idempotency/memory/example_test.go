package memory_test

import (
	"context"
	"fmt"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/memory"
)

// One store serves the whole process. An engine asks it.
func ExampleEphemeral() {
	store, err := memory.Ephemeral(memory.Config{MaxKeys: 100_000, MaxBytes: 64 << 20})
	if err != nil {
		panic(err)
	}
	defer store.Close()
	engine, err := idempotency.New(store, idempotency.Config{})
	if err != nil {
		panic(err)
	}
	for range 2 {
		reply, err := engine.Do(context.Background(), openCase, func(context.Context) idempotency.Settlement {
			fmt.Println("opening a case")
			return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("case 4711")}
		})
		fmt.Printf("%s %v\n", reply.Result, err)
	}
	// Output:
	// opening a case
	// case 4711 <nil>
	// case 4711 <nil>
}

// A restart forgets: the retry of a write that was made just before it is made
// again. What must not happen twice needs a store that outlives the process.
func ExampleEphemeral_incorrect() {
	process := func() {
		store, err := memory.Ephemeral(memory.Config{})
		if err != nil {
			panic(err)
		}
		defer store.Close()
		engine, err := idempotency.New(store, idempotency.Config{})
		if err != nil {
			panic(err)
		}
		_, err = engine.Do(context.Background(), openCase, func(context.Context) idempotency.Settlement {
			fmt.Println("charging a card")
			return idempotency.Settlement{Verdict: idempotency.Keep}
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	process() // and the reply is lost
	process() // a deployment later, the retry with the same key
	// Output:
	// charging a card
	// charging a card
}

// A store that is full refuses new keys before anything happens, and goes on
// serving those that it knows. The figures say so.
func ExampleStore_Stats() {
	store, err := memory.Ephemeral(memory.Config{MaxKeys: 1})
	if err != nil {
		panic(err)
	}
	defer store.Close()
	engine, err := idempotency.New(store, idempotency.Config{})
	if err != nil {
		panic(err)
	}
	run := func(context.Context) idempotency.Settlement {
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
	}
	for _, key := range []string{"a", "b", "a"} {
		op := openCase
		op.Key = key
		reply, err := engine.Do(context.Background(), op, run)
		if failure, refused := errors.AsType[*errors.Error](err); refused {
			fmt.Println(key, failure.Code)
		} else {
			fmt.Println(key, string(reply.Result))
		}
	}
	stats := store.Stats()
	fmt.Println("keys", stats.Keys, "bytes", stats.Bytes, "refused", stats.Refused)
	// Output:
	// a done
	// b idempotency_full
	// a done
	// keys 1 bytes 4 refused 1
}

var openCase = idempotency.Operation{
	Scope: []string{"asixto", "comp_1"}, Name: "abrir_caso_soporte", Key: "8e03978e",
	Fingerprint: idempotency.NewDigest(`{"asunto":"sin internet"}`),
}
