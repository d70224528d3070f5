package main_test

import (
	"context"
	"testing"
	"time"

	redigo "github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"

	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// The adapters of the package comment of redisstore.

func goRedisDo(client goredis.UniversalClient) redisstore.Do {
	return func(ctx context.Context, args ...any) (any, error) {
		return client.Do(ctx, args...).Result()
	}
}

func rueidisDo(client rueidis.CoreClient) redisstore.Do {
	return func(ctx context.Context, args ...any) (any, error) {
		words := make([]string, len(args))
		for i, arg := range args {
			words[i] = arg.(string)
		}
		command := client.B().Arbitrary(words[0])
		if len(words) > 3 { // EVALSHA and EVAL: script, number of keys, key
			command = command.Args(words[1:3]...).Keys(words[3]).Args(words[4:]...)
		} else {
			command = command.Args(words[1:]...)
		}
		return client.Do(ctx, command.Build()).ToAny()
	}
}

func redigoDo(pool *redigo.Pool) redisstore.Do {
	return func(ctx context.Context, args ...any) (any, error) {
		conn, err := pool.GetContext(ctx)
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		return redigo.DoContext(conn, ctx, args[0].(string), args[1:]...)
	}
}

// clients make a Do of each client for one server.
var clients = map[string]func(t testing.TB, addr string) redisstore.Do{
	"go-redis": func(t testing.TB, addr string) redisstore.Do { t.Helper(); return goRedisDo(newGoRedis(t, addr)) },
	"rueidis": func(t testing.TB, addr string) redisstore.Do {
		t.Helper()
		return rueidisDo(newRueidis(t, rueidis.ClientOption{InitAddress: []string{addr}, DisableCache: true}))
	},
	"redigo": func(t testing.TB, addr string) redisstore.Do { t.Helper(); return redigoDo(newRedigo(t, addr)) },
}

func newGoRedis(t testing.TB, addr string) *goredis.Client {
	t.Helper()
	client := goredis.NewClient(&goredis.Options{Addr: addr, ContextTimeoutEnabled: true})
	t.Cleanup(func() { client.Close() })
	return client
}

func newRueidis(t testing.TB, option rueidis.ClientOption) rueidis.Client {
	t.Helper()
	client, err := rueidis.NewClient(option)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func newRedigo(t testing.TB, addr string) *redigo.Pool {
	t.Helper()
	pool := &redigo.Pool{
		MaxIdle: 64, MaxActive: 64, Wait: true,
		DialContext: func(ctx context.Context) (redigo.Conn, error) {
			return redigo.DialContext(ctx, "tcp", addr, redigo.DialReadTimeout(10*time.Second))
		},
	}
	t.Cleanup(func() { pool.Close() })
	return pool
}
