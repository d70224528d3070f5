package main_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	redigo "github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// sessions make the Session of each client for one server.
var sessions = map[string]func(t testing.TB, addr string) redisstore.Session{
	"go-redis": func(t testing.TB, addr string) redisstore.Session {
		t.Helper()
		client := newGoRedis(t, addr)
		return func(_ context.Context, _ string, use func(redisstore.Do) error) error {
			conn := client.Conn()
			defer conn.Close()
			return use(func(ctx context.Context, args ...any) (any, error) {
				cmd := goredis.NewCmd(ctx, args...)
				_ = conn.Process(ctx, cmd) // the command has the error as well
				return cmd.Result()
			})
		}
	},
	"rueidis": func(t testing.TB, addr string) redisstore.Session {
		t.Helper()
		client := newRueidis(t, rueidis.ClientOption{InitAddress: []string{addr}, DisableCache: true})
		return func(_ context.Context, _ string, use func(redisstore.Do) error) error {
			return client.Dedicated(func(c rueidis.DedicatedClient) error { return use(rueidisDo(c)) })
		}
	},
	"redigo": func(t testing.TB, addr string) redisstore.Session {
		t.Helper()
		pool := newRedigo(t, addr)
		return func(ctx context.Context, _ string, use func(redisstore.Do) error) error {
			conn, err := pool.GetContext(ctx)
			if err != nil {
				return err
			}
			defer conn.Close()
			return use(func(ctx context.Context, args ...any) (any, error) {
				return redigo.DoContext(conn, ctx, args[0].(string), args[1:]...)
			})
		}
	},
}

// startReplica starts a replica, and waits until it follows.
func startReplica(t testing.TB, primary *redisServer) *redisServer {
	t.Helper()
	replica := startRedis(t, "--replicaof", strings.Replace(primary.addr, ":", " ", 1))
	exampletest.Eventually(t, "the replica follows", func() bool {
		return strings.Contains(replica.ask(t, "INFO", "replication"), "master_link_status:up")
	})
	return replica
}

// TestReplicas: what was acknowledged is known to the replica, which is promoted
// after the death of the primary; and without a replica nothing is acknowledged.
func TestReplicas(t *testing.T) {
	t.Parallel()
	for name, session := range sessions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			primary := startRedis(t, "--repl-diskless-sync-delay", "0")
			do, own := clients[name](t, primary.addr), session(t, primary.addr)
			s := newStore(t, do, redisstore.WithReplicas(1, 10*time.Second, own))
			impatient := newStore(t, do, redisstore.WithReplicas(1, time.Millisecond, own))
			lonely := newClaim()
			if got, err := impatient.Claim(t.Context(), lonely); err == nil {
				t.Fatalf("without a replica, Claim = status %d, want an error", got.Status)
			}
			if err := impatient.Release(t.Context(), lonely.Key, lonely.Token); err != nil {
				t.Fatalf("the claim cannot be taken back: %v", err)
			}

			replica := startReplica(t, primary)
			if warnings, err := redisstore.Check(t.Context(), do); err != nil || !warned(warnings, redisstore.WarningReplication) {
				t.Errorf("Check of the primary = %v, %v; want a warning of replication", warnings, err)
			}
			if warnings, err := redisstore.Check(t.Context(), clients[name](t, replica.addr)); err != nil || !warned(warnings, redisstore.WarningReplica) {
				t.Errorf("Check of the replica = %v, %v; want a warning", warnings, err)
			}

			done := record(t, s)
			exampletest.Eventually(t, "some operations", func() bool { return done.acknowledged.Load() > 200 })
			done.end()
			primary.kill(t)
			replica.ask(t, "REPLICAOF", "NO", "ONE")
			promoted := newStore(t, clients[name](t, replica.addr))
			for _, c := range done.completed {
				expect(t, promoted, rival(c), idempotency.Completed)
			}
			if len(done.claimed) > 0 {
				t.Errorf("%d completions failed", len(done.claimed))
			}
		})
	}
}

func warned(warnings []redisstore.Warning, kind string) bool {
	for _, w := range warnings {
		if w.Kind == kind {
			return true
		}
	}
	return false
}

// TestLateReplica: a completion that no replica took is not acknowledged, and
// sending it again waits for the replica again.
func TestLateReplica(t *testing.T) {
	t.Parallel()
	primary := startRedis(t, "--repl-diskless-sync-delay", "0")
	replica := startReplica(t, primary)
	do, own := clients["go-redis"](t, primary.addr), sessions["go-redis"](t, primary.addr)
	s := newStore(t, do, redisstore.WithReplicas(1, 10*time.Second, own))
	impatient := newStore(t, do, redisstore.WithReplicas(1, time.Millisecond, own))
	c := newClaim()
	expect(t, s, c, idempotency.Acquired)
	replica.kill(t)
	for range 2 {
		if err := impatient.Complete(t.Context(), c.Key, c.Token, []byte("done"), c.TTL); err == nil {
			t.Error("Complete was acknowledged without a replica")
		}
	}
	replica.restart(t)
	complete(t, s, c, "another result, which comes too late")
	primary.kill(t)
	replica.ask(t, "REPLICAOF", "NO", "ONE")
	promoted := newStore(t, clients["go-redis"](t, replica.addr))
	if got := expect(t, promoted, rival(c), idempotency.Completed); string(got.Result) != "done" {
		t.Errorf("result = %q, want that of the first completion", got.Result)
	}
}

// TestCluster: each operation is on the node of its key, and the clients find it
// there.
func TestCluster(t *testing.T) {
	t.Parallel()
	nodes := startCluster(t)
	clusters := map[string]redisstore.Do{}
	cluster := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{nodes[0].addr}, ContextTimeoutEnabled: true})
	t.Cleanup(func() { cluster.Close() })
	clusters["go-redis"] = goRedisDo(cluster)
	clusters["rueidis"] = rueidisDo(newRueidis(t, rueidis.ClientOption{InitAddress: []string{nodes[0].addr}, DisableCache: true}))

	const operations = 64
	for name, do := range clusters {
		s := newStore(t, do, redisstore.WithPrefix(name+":"))
		for range operations {
			c := newClaim()
			expect(t, s, c, idempotency.Acquired)
			expect(t, s, rival(c), idempotency.InProgress)
			complete(t, s, c, "done")
			expect(t, s, rival(c), idempotency.Completed)
		}
	}
	for i, node := range nodes {
		if got := node.ask(t, "DBSIZE"); got == ":0" || got == ":128" {
			t.Errorf("node %d holds %s of %d operations", i, got[1:], len(clusters)*operations)
		}
	}
}

// startCluster starts two nodes that share the slots.
func startCluster(t *testing.T) []*redisServer {
	t.Helper()
	nodes := []*redisServer{startRedis(t, "--cluster-enabled", "yes"), startRedis(t, "--cluster-enabled", "yes")}
	nodes[0].ask(t, append([]string{"CLUSTER", "ADDSLOTS"}, slots(0, 8192)...)...)
	nodes[1].ask(t, append([]string{"CLUSTER", "ADDSLOTS"}, slots(8192, 16384)...)...)
	nodes[1].ask(t, "CLUSTER", "SET-CONFIG-EPOCH", "2")
	host, port, _ := strings.Cut(nodes[1].addr, ":")
	nodes[0].ask(t, "CLUSTER", "MEET", host, port)
	for _, node := range nodes {
		exampletest.Eventually(t, "the cluster is complete", func() bool {
			info := node.ask(t, "CLUSTER", "INFO")
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_slots_ok:16384")
		})
	}
	return nodes
}

// slots lists the slots of a cluster from the first one to the one before end.
func slots(first, end int) []string {
	list := make([]string, 0, end-first)
	for slot := first; slot < end; slot++ {
		list = append(list, strconv.Itoa(slot))
	}
	return list
}
