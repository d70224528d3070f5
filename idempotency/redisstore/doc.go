// Package redisstore is an [idempotency.Store] in Redis 6.2 or newer, or Valkey:
// for processes that share keys, and for keys that outlive them. It imports no
// client and works with the one that you have, through [Do].
//
// Every step is one Lua script on one key, and one round trip: a claim, a
// completion, a replay. The server's clock decides. A record lives as long as
// its operation is remembered; the lease is a field in it, and an operation whose
// owner died is found abandoned rather than free. It takes some 320 bytes of the
// server's memory beside its result.
//
// # What it promises
//
// With a server that keeps what it acknowledges (see [Check]), an operation that
// was claimed is not claimed again, by any process:
//
//	fault                                    what a later claim finds
//	many claims at once, any process         one is acquired
//	the answer to a claim got lost           sent again, it is acquired again
//	an owner died, or lost its network       in progress, then abandoned
//	an owner reports after a takeover        the new owner's record; the report is refused
//	Redis was not reachable                  an error; nothing may run
//	Redis is at maxmemory, noeviction        idempotency.ErrFull; replays still work
//	a crash of Redis, appendfsync always     what was there before
//	a record damaged, or of a newer version  idempotency.ErrCorrupt
//	a client gives another question's answer an error; nobody gets another's result
//	clocks of the processes differ, or step  nothing changes
//
// And this is not promised, since Redis acknowledges first and keeps later:
//
//	a crash of Redis without AOF             all since the last snapshot is forgotten
//	a crash of it, appendfsync everysec      the last two seconds or so are forgotten: with
//	                                         the machine always, with the process alone when
//	                                         the disk is slow, since the write waits for a sync
//	a failover                               what no replica had taken is forgotten;
//	                                         WithReplicas narrows that and does not end it
//	maxmemory with an eviction policy        any record may be forgotten
//	the clock of the server steps            leases and expiries step with it
//
// An operation that is forgotten may run again. Where that must never happen,
// hand [idempotency.EffectKey] on to the system in which the effect happens.
//
// A record that cannot be read stays so, and its operation does not run, until it
// expires or somebody who knows what happened deletes it; the error names its key.
//
// Two things cost safety nothing and may surprise. A claim that was held up in
// the network until its caller had given up and released it leaves an operation
// that never ran abandoned. And a release whose answer got lost, sent again by
// the client, is [idempotency.ErrNotOwner].
//
// # Adapters
//
// go-redis, for a single server, Sentinel and Cluster alike. It honours the
// deadline of a context only if ContextTimeoutEnabled is set in its options:
//
//	func(ctx context.Context, args ...any) (any, error) {
//		return client.Do(ctx, args...).Result()
//	}
//
// rueidis, which has to be told the key, so that a command finds its node:
//
//	func(ctx context.Context, args ...any) (any, error) {
//		words := make([]string, len(args))
//		for i, arg := range args {
//			words[i] = arg.(string)
//		}
//		command := client.B().Arbitrary(words[0])
//		if len(words) > 3 { // EVALSHA and EVAL: script, number of keys, key
//			command = command.Args(words[1:3]...).Keys(words[3]).Args(words[4:]...)
//		} else {
//			command = command.Args(words[1:]...)
//		}
//		return client.Do(ctx, command.Build()).ToAny()
//	}
//
// redigo, whose pool hands out connections:
//
//	func(ctx context.Context, args ...any) (any, error) {
//		conn, err := pool.GetContext(ctx)
//		if err != nil {
//			return nil, err
//		}
//		defer conn.Close()
//		return redis.DoContext(conn, ctx, args[0].(string), args[1:]...)
//	}
//
// A [Session], for [WithReplicas], is such an adapter over one connection:
// client.Conn of go-redis, client.Dedicated of rueidis, pool.GetContext of redigo.
// For go-redis:
//
//	func(ctx context.Context, key string, use func(redisstore.Do) error) error {
//		conn := client.Conn() // in a cluster, that of client.MasterForKey(ctx, key)
//		defer conn.Close()
//		return use(func(ctx context.Context, args ...any) (any, error) {
//			command := redis.NewCmd(ctx, args...)
//			_ = conn.Process(ctx, command) // the command has the error as well
//			return command.Result()
//		})
//	}
//
// The commands are EVALSHA, EVAL where the server does not know the script yet,
// INFO for [Check], and WAIT for [WithReplicas]. Inside the scripts: GET, SET,
// DEL, PTTL and TIME. A user of Redis's access control needs these, on the keys
// of the prefix.
package redisstore
