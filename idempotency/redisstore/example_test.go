package redisstore_test

import (
	"context"
	"fmt"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// client stands for go-redis, rueidis or redigo; the package comment has the
// adapter of each.
type client struct{}

func (client) do(_ context.Context, args ...any) (any, error) {
	if args[0] == "INFO" {
		return "redis_version:7.2.5\r\nmaxmemory_policy:allkeys-lru\r\naof_enabled:1\r\nrole:master\r\n", nil
	}
	return []any{int64(1), args[4]}, nil
}

func ExampleNew() {
	store, err := redisstore.New(client{}.do, redisstore.WithPrefix("citas:"))
	if err != nil {
		fmt.Println(err)
		return
	}
	engine, err := idempotency.New(store, idempotency.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	op := idempotency.Operation{Scope: []string{"asixto"}, Name: "cancelar_cita", Key: "01J8Z"}
	reply, err := engine.Do(context.Background(), op, func(context.Context) idempotency.Settlement {
		return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("cancelada")}
	})
	fmt.Println(string(reply.Result), reply.Ran, err)
	// Output: cancelada true <nil>
}

func ExampleCheck() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	warnings, err := redisstore.Check(ctx, client{}.do)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range warnings {
		fmt.Println(w.Kind)
	}
	// Output: eviction
}
