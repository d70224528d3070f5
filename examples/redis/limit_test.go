package main_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/idempotency/redisstore"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/redislimit"
)

// newLimiter is a limiter that fails when Redis does.
func newLimiter(t testing.TB, do redisstore.Do, cfg redislimit.Config) *redislimit.Limiter {
	t.Helper()
	if cfg.Timeout == 0 {
		cfg.Timeout = patience // a busy machine is no outage
	}
	if cfg.Away == redislimit.AwayLocal {
		cfg.Away = redislimit.AwayDeny
	}
	l, err := redislimit.New(redislimit.Do(do), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// unit takes one unit of a key's own bucket.
func unit(key string, limit call.Limit) call.Charge {
	return call.Charge{Key: key, Buckets: [call.Buckets]call.Bucket{{Limit: limit, Cost: 1}}}
}

func pay(t testing.TB, l call.Limiter, c call.Charge) call.Verdict {
	t.Helper()
	v, err := l.Take(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLimit: of calls of many goroutines in two processes, through each client, no
// more are paid than there are units, and refused ones cost nothing.
func TestLimit(t *testing.T) {
	t.Parallel()
	needRedis(t)
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			limit := call.Rate(1, time.Hour, 300)
			processes := [2]*redislimit.Limiter{}
			for i := range processes {
				processes[i] = newLimiter(t, connect(t, redis.addr), redislimit.Config{})
			}
			var paid atomic.Int64
			var group sync.WaitGroup
			for g := range 8 {
				group.Go(func() {
					for i := range 100 {
						c := unit("asixto", limit)
						c.Buckets[call.OfConversation] = call.Bucket{Name: "cnv_" + strconv.Itoa((g+i)%4), Limit: limit.Part(0.5), Cost: 1}
						c.Buckets[call.OfTool] = call.Bucket{Name: exampletest.CaseTool, Limit: call.Rate(1, time.Hour, 250), Cost: 1}
						v, err := processes[g%2].Take(t.Context(), c)
						if err != nil {
							t.Error(err)
							return
						}
						if v.Allowed() {
							paid.Add(1)
						} else if v.Bucket != call.OfTool || v.Wait > time.Hour || v.Wait < time.Hour-patience {
							t.Errorf("refused with %+v, want to wait an hour for the tool's unit", v)
						}
					}
				})
			}
			group.Wait()
			if got := paid.Load(); got != 250 {
				t.Errorf("%d calls were paid, want 250", got)
			}
			for i := range 50 {
				if !pay(t, processes[i%2], unit("asixto", limit)).Allowed() {
					t.Fatalf("the key had %d units left, want 50", i)
				}
			}
			if pay(t, processes[0], unit("asixto", limit)).Allowed() || !pay(t, processes[0], unit("whaapy", limit)).Allowed() {
				t.Error("keys are not apart")
			}
		})
	}
}

// TestLimitAgreesWithMemory: the same charges, with limits that change at run
// time, get the same answers from Redis and from the limiter in memory, which the
// tests of package middleware hold to a model.
func TestLimitAgreesWithMemory(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	shared, memory := newLimiter(t, clients["go-redis"](t, redis.addr), redislimit.Config{}), middleware.NewLimiter(middleware.LimiterConfig{})
	random := mathrand.New(mathrand.NewPCG(7, 7))
	limits := []call.Limit{ // so slow that a test's time brings nothing back
		call.Rate(1, 100*time.Hour, 5), call.Rate(1, 1000*time.Hour, 20), call.Rate(3, 4000*time.Hour, 60), {},
	}
	current := map[string]call.Limit{}
	for i := range 3000 {
		c := call.Charge{Key: fmt.Sprint("k", random.IntN(20))}
		names := [...]string{"", fmt.Sprint("c", random.IntN(3)), fmt.Sprint("t", random.IntN(2))}
		for i := range c.Buckets {
			id := fmt.Sprint(c.Key, i, names[i])
			if _, known := current[id]; !known || random.IntN(20) == 0 {
				current[id] = limits[random.IntN(len(limits))]
			}
			c.Buckets[i] = call.Bucket{Name: names[i], Limit: current[id], Cost: random.IntN(3)}
		}
		got, want := pay(t, shared, c), pay(t, memory, c)
		// They are asked a moment apart, which a limit that is changed makes longer.
		if got.Allowed() != want.Allowed() || max(got.Wait-want.Wait, want.Wait-got.Wait) > time.Hour {
			t.Fatalf("%d: %+v: Redis says %+v, memory %+v", i, c, got, want)
		}
	}
}

// TestLimitForEver: to wait for more time than there is means to wait, and is no
// failure of Redis, which would change for everybody where calls are counted.
func TestLimitForEver(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	l := newLimiter(t, clients["redigo"](t, redis.addr), redislimit.Config{})
	c := unit("k", call.Limit{Every: math.MaxInt64, Burst: 1_000_000})
	c.Buckets[call.OfKey].Cost = 1_000_000
	if v := pay(t, l, c); !v.Allowed() {
		t.Fatalf("the burst: %+v", v)
	}
	for range 2 {
		if v := pay(t, l, c); v.Wait != 9e15*time.Microsecond {
			t.Errorf("beyond it: %+v, want to wait 285 years", v)
		}
	}
}

// TestLimitRate: units come back by the clock of the server, at the rate that was
// set, and whoever waits as long as he was told gets his.
func TestLimitRate(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	l := newLimiter(t, clients["rueidis"](t, redis.addr), redislimit.Config{})
	limit := call.Rate(5, time.Second, 50)
	paid := 0
	begin := serverTime(t, redis)
	for refused := 0; refused < 3; {
		v := pay(t, l, unit("k", limit))
		if v.Allowed() {
			paid++
			continue
		}
		refused++
		told := serverTime(t, redis) + v.Wait
		for serverTime(t, redis) < told {
			continue
		}
		if v := pay(t, l, unit("k", limit)); !v.Allowed() {
			t.Fatalf("after waiting as long as it was told: %+v", v)
		}
		paid++
	}
	end := serverTime(t, redis)
	if most := limit.Burst + int((end-begin)/limit.Every); paid > most || paid < limit.Burst {
		t.Errorf("%d calls were paid in %v, want %d to %d", paid, end-begin, limit.Burst, most)
	}
}

// serverTime is the clock by which Redis decides.
func serverTime(t testing.TB, redis *redisServer) time.Duration {
	t.Helper()
	answer := redis.ask(t, "EVAL", "local t = redis.call('TIME') return t[1] * 1000000 + t[2]", "0")
	us, err := strconv.ParseInt(strings.TrimPrefix(answer, ":"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(us) * time.Microsecond
}

// TestLimitRoundTrips: one command for all buckets, one more after the server
// forgot the script.
func TestLimitRoundTrips(t *testing.T) {
	t.Parallel()
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			l := newLimiter(t, connect(t, redis.addr), redislimit.Config{})
			c := unit("asixto", call.Rate(1, time.Hour, 4))
			c.Buckets[call.OfConversation] = call.Bucket{Name: "cnv", Limit: call.Rate(1, time.Hour, 4), Cost: 1}
			c.Buckets[call.OfTool] = call.Bucket{Name: "t", Limit: call.Rate(1, time.Hour, 4), Cost: 1}
			pay(t, l, c) // connects
			redis.ask(t, "SCRIPT", "FLUSH")
			for _, want := range [][]string{{"EVALSHA", "EVAL"}, {"EVALSHA"}, {"EVALSHA"}, {"EVALSHA"}} {
				if got := redis.watch(t, func() { pay(t, l, c) }); !slices.Equal(got, want) {
					t.Errorf("a charge took %v, want %v", got, want)
				}
			}
			if pay(t, l, c).Allowed() {
				t.Error("the fifth of four was paid")
			}
		})
	}
}

// TestLimitKeys: one key for each bucket that owes, gone when it is full.
func TestLimitKeys(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	l := newLimiter(t, clients["redigo"](t, redis.addr), redislimit.Config{Prefix: "fibra:"})
	ask := unit("asixto", call.Rate(1, time.Hour, 4))
	ask.Buckets[call.OfKey].Cost = 0
	pay(t, l, ask)
	if got := redis.ask(t, "DBSIZE"); got != ":0" {
		t.Errorf("asking left keys: DBSIZE = %s", got)
	}
	c := unit("asixto", call.Rate(1, time.Hour, 4))
	c.Buckets[call.OfKey].Cost = 3
	c.Buckets[call.OfConversation] = call.Bucket{Name: "cnv", Limit: call.Rate(100, time.Second, 1), Cost: 1}
	pay(t, l, c)
	exampletest.Eventually(t, "the conversation owes nothing, and is forgotten", func() bool { return redis.ask(t, "DBSIZE") == ":1" })
	key := strings.TrimPrefix(redis.ask(t, "EVAL", "return {ok = redis.call('KEYS', 'fibra:*')[1]}", "0"), "+")
	if got := redis.ask(t, "PTTL", key); got < ":10700000" || got > ":10800000" {
		t.Errorf("PTTL = %s, want three hours", got)
	}
	redis.ask(t, "SET", key, "x")
	if _, err := l.Take(t.Context(), c); err == nil || !strings.Contains(err.Error(), "does not hold a bucket") {
		t.Errorf("a key that somebody else wrote: got %v", err)
	}
}

// TestLimitWithoutRedis: the policies, while the server is dead, silent, full or a
// replica, and the return to it.
func TestLimitWithoutRedis(t *testing.T) {
	t.Parallel()
	limit := call.Rate(1, time.Hour, 8)
	for name, trouble := range map[string]func(t *testing.T, redis *redisServer, p *proxy){
		"dead":   func(t *testing.T, redis *redisServer, _ *proxy) { t.Helper(); redis.kill(t) },
		"silent": func(_ *testing.T, _ *redisServer, p *proxy) { p.stall() },
		"full": func(t *testing.T, redis *redisServer, _ *proxy) {
			t.Helper()
			redis.ask(t, "CONFIG", "SET", "maxmemory", "1")
		},
		"a replica": func(t *testing.T, redis *redisServer, _ *proxy) {
			t.Helper()
			redis.ask(t, "REPLICAOF", "127.0.0.1", "1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			p := startProxy(t, redis.addr)
			ask := clients["go-redis"](t, p.addr)
			var troubled atomic.Bool
			do := func(ctx context.Context, args ...any) (any, error) {
				if !troubled.Load() {
					ctx = context.WithoutCancel(ctx) // a busy machine is no outage
				}
				return ask(ctx, args...)
			}
			var limiters [3]*redislimit.Limiter
			for i, away := range []redislimit.Away{redislimit.AwayLocal, redislimit.AwayDeny, redislimit.AwayAllow} {
				var err error
				limiters[i], err = redislimit.New(do, redislimit.Config{
					Away: away, Timeout: 500 * time.Millisecond, Pause: time.Hour, Prefix: rand.Text(), Processes: 2,
				})
				if err != nil {
					t.Fatal(err)
				}
				pay(t, limiters[i], unit("k", limit)) // of 8 in Redis, of 4 here
			}
			trouble(t, redis, p)
			troubled.Store(true)
			for i, want := range []struct {
				allowed int
				fails   bool
			}{{3, false}, {0, true}, {20, false}} {
				allowed := 0
				for range 20 {
					v, err := limiters[i].Take(t.Context(), unit("k", limit))
					if (err != nil) != want.fails {
						t.Fatalf("policy %d: got error %v", i, err)
					}
					if err == nil && v.Allowed() {
						allowed++
					}
				}
				if allowed != want.allowed {
					t.Errorf("policy %d: %d of 20 were allowed, want %d", i, allowed, want.allowed)
				}
			}
		})
	}
}

func TestLimitReturnsToRedis(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	p := startProxy(t, redis.addr)
	failures := make(chan error, 1000)
	l, err := redislimit.New(redislimit.Do(clients["rueidis"](t, p.addr)), redislimit.Config{
		Timeout: 2 * time.Second, Pause: time.Millisecond, Report: func(err error) { failures <- err },
	})
	if err != nil {
		t.Fatal(err)
	}
	limit := call.Rate(1, time.Hour, 10_000)
	pay(t, l, unit("k", limit))
	p.cut()
	redis.kill(t)
	pay(t, l, unit("k", limit))
	if len(failures) == 0 {
		t.Fatal("nobody was told that Redis is away")
	}
	redis.restart(t)
	exampletest.Eventually(t, "the limiter asks Redis again", func() bool {
		pay(t, l, unit("k", limit))
		return redis.ask(t, "DBSIZE") == ":1"
	})
}

// TestLimitCluster: all buckets of a key are on one node, and keys on all.
func TestLimitCluster(t *testing.T) {
	t.Parallel()
	nodes := startCluster(t)
	cluster := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{nodes[0].addr}, ContextTimeoutEnabled: true})
	t.Cleanup(func() { cluster.Close() })
	for name, do := range map[string]redisstore.Do{
		"go-redis": goRedisDo(cluster),
		"rueidis":  rueidisDo(newRueidis(t, rueidis.ClientOption{InitAddress: []string{nodes[0].addr}, DisableCache: true})),
	} {
		l := newLimiter(t, do, redislimit.Config{})
		for i := range 50 {
			c := unit(fmt.Sprint(name, i), call.Rate(1, time.Hour, 1))
			c.Buckets[call.OfConversation] = call.Bucket{Name: "cnv", Limit: call.Rate(1, time.Hour, 1), Cost: 1}
			if !pay(t, l, c).Allowed() || pay(t, l, c).Allowed() {
				t.Errorf("%s: key %d did not have its one unit", name, i)
			}
		}
	}
	for i, node := range nodes {
		if got := node.ask(t, "DBSIZE"); got == ":0" || got == ":200" {
			t.Errorf("node %d holds %s of 200 buckets", i, got[1:])
		}
	}
}

// TestProcessesShareALimit: what a client may do is the same, whichever process it
// asks, and it may go on without Redis.
func TestProcessesShareALimit(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	var processes [2]*process
	for i := range processes {
		processes[i] = start(t, redis.addr, "RATE_LIMIT=1h,12", "LIMIT_WAIT="+patience.String()) // a busy machine is no outage
	}
	ask := func(i int) string {
		return processes[i%2].Call(t, "consultar_caso", "", map[string]string{"radicado": "R-1"}).Failure(t)
	}
	for i := range 3 { // a quarter, since it is one conversation
		if got := ask(i); got != "NOT_FOUND" {
			t.Errorf("call %d = %s, want NOT_FOUND", i, got)
		}
	}
	for i := range 2 {
		if got := ask(i); got != "SYSTEM" {
			t.Errorf("process %d = %s after the limit, want SYSTEM", i, got)
		}
	}
	redis.kill(t)
	if got := ask(0); got != "SYSTEM" { // the desk is in Redis as well
		t.Errorf("without Redis: %s", got)
	}
	if log := processes[0].Stderr.String(); !strings.Contains(log, "Redis is away") {
		t.Errorf("the log says nothing of it: %s", log)
	}
}

// BenchmarkLimit: 64 callers, one bucket each time and three.
func BenchmarkLimit(b *testing.B) {
	for name, connect := range clients {
		redis := startRedis(b)
		l := newLimiter(b, connect(b, redis.addr), redislimit.Config{})
		one := unit("k", call.Rate(1_000_000, time.Second, 1_000_000))
		three := one
		three.Buckets[call.OfConversation] = call.Bucket{Name: "cnv", Limit: one.Buckets[0].Limit, Cost: 1}
		three.Buckets[call.OfTool] = call.Bucket{Name: "t", Limit: one.Buckets[0].Limit, Cost: 1}
		for buckets, c := range map[int]call.Charge{1: one, 3: three} {
			b.Run(fmt.Sprintf("%s/buckets=%d", name, buckets), func(b *testing.B) {
				measure(b, 64, "charges/s", func(ctx context.Context) error {
					_, err := l.Take(ctx, c)
					return err
				})
			})
		}
	}
}
