// Package redislimit is a [call.Limiter] in Redis 6.2 or newer, or Valkey: for
// processes that share a limit, and for what was spent before a restart. It
// imports no client and works with the one that you have, through [Do].
//
//	limiter, err := redislimit.New(do, redislimit.Config{})
//	...
//	stack.RateLimit = middleware.RateLimit(limit, middleware.RateLimitConfig{Limiter: limiter})
//
// A charge is one Lua script and one round trip, however many buckets it is paid
// from: from all or from none. The algorithm is the GCRA, which admits the same as
// a token bucket and keeps one number: when the bucket will be full again. The
// server's clock decides, to the microsecond, which makes a million units a second
// the fastest limit. A key expires when it owes nothing; until then a bucket takes
// some 200 bytes of the server's memory. All buckets of a key lie on one node of a
// cluster.
//
// # When Redis is away
//
// A limiter in front of everything must not be what stops everything, nor be open
// when it is needed most. [Config.Away] says what holds then, see [AwayLocal]. A
// call waits for Redis for [Config.Timeout] at most, and after a failure nobody
// waits for [Config.Pause].
//
// What may be forgotten: without persistence, a restart of Redis gives every key
// its burst anew; with a maxmemory policy other than noeviction, so may any moment.
// A failover forgets what the replica had not taken. A client that sends a command
// again after a network error may pay twice.
//
// # Adapters
//
// Those of package redisstore for go-redis, rueidis and redigo fit as they are;
// one function serves both packages. The commands are EVALSHA, EVAL where the
// server does not know the script yet, and inside of it TIME, GET and SET.
package redislimit
