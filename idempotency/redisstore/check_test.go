package redisstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// good is the INFO of a server that keeps what it acknowledges.
const good = "# Server\r\nredis_version:7.0.15\r\n\r\n# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n" +
	"# Persistence\r\naof_enabled:1\r\naof_last_write_status:ok\r\n# Replication\r\nrole:master\r\nconnected_slaves:0\r\n"

func TestCheck(t *testing.T) {
	t.Parallel()
	// but changes good: pairs of old and new.
	but := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(good) }
	tests := map[string]struct {
		info string
		want string // kinds
	}{
		"good":               {good, ""},
		"bare newlines":      {but("\r", ""), ""},
		"Redis 6.2":          {but("7.0.15", "6.2.0"), ""},
		"Redis 10":           {but("7.0.15", "10.0.1"), ""},
		"Redis 6.0":          {but("7.0.15", "6.0.20"), "version"},
		"Redis 5":            {but("7.0.15", "5.0.14"), "version"},
		"a word":             {but("7.0.15", "unstable"), "version"},
		"words":              {but("7.0.15", "a.b"), "version"},
		"Valkey":             {but("7.0.15", "7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0"), ""},
		"allkeys-lru":        {but("noeviction", "allkeys-lru"), "eviction"},
		"volatile-ttl":       {but("noeviction", "volatile-ttl"), "eviction"},
		"no AOF":             {but("aof_enabled:1", "aof_enabled:0"), "persistence"},
		"AOF fails":          {but("status:ok", "status:err"), "persistence"},
		"replica":            {but("role:master", "role:slave"), "replica"},
		"replicated":         {but("connected_slaves:0", "connected_slaves:1"), "replication"},
		"replicated, min":    {but("connected_slaves:0", "connected_slaves:1\r\nmin_slaves_good_slaves:1"), ""},
		"memory says little": {but("maxmemory_policy:noeviction\r\n", ""), "unknown"},
		"AOF is not told":    {but("aof_enabled:1\r\n", ""), "unknown"},
		"everything wrong":   {but("7.0.15", "4.0.0", "noeviction", "allkeys-lfu", "aof_enabled:1", "aof_enabled:0", "slaves:0", "slaves:2"), "version eviction persistence replication"},
		"a comment":          {but("# Memory", "#redis_version:1.0"), ""},
	}
	for name, tt := range tests {
		for form, answer := range map[string]any{"string": tt.info, "bytes": []byte(tt.info)} {
			t.Run(name+", "+form, func(t *testing.T) {
				t.Parallel()
				redis := &server{answers: []any{answer}}
				got, err := redisstore.Check(t.Context(), redis.do)
				if err != nil || kinds(got) != tt.want {
					t.Errorf("Check = %v, %v; want %q", got, err, tt.want)
				}
				if command := fmt.Sprint(redis.commands); command != "[[INFO]]" {
					t.Errorf("commands = %s, want INFO alone", command)
				}
			})
		}
	}
}

func kinds(warnings []redisstore.Warning) string {
	var kinds []string
	for _, w := range warnings {
		kinds = append(kinds, w.Kind)
	}
	return strings.Join(kinds, " ")
}

// TestCheckRecorded reads what real servers said.
func TestCheckRecorded(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"redis-7.0-defaults.txt":   "persistence",
		"redis-7.0-hardened.txt":   "",
		"redis-7.0-replicated.txt": "replication",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			got, err := redisstore.Check(t.Context(), (&server{answers: []any{info}}).do)
			if err != nil || kinds(got) != want {
				t.Errorf("Check = %v, %v; want %q", got, err, want)
			}
		})
	}
}

func TestCheckFails(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]any{
		"error": errServer, "nil": nil, "number": int64(1), "array": []any{good}, "empty": "", "nothing but text": "PONG",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := redisstore.Check(t.Context(), (&server{answers: []any{answer}}).do)
			want, ok := answer.(error)
			if !ok {
				want = errAny
			}
			if !matches(err, want) || got != nil {
				t.Errorf("Check = %v, %v; want the error %v", got, err, want)
			}
		})
	}
}

// FuzzCheck: whatever a server says, a warning is one line of bounded length.
func FuzzCheck(f *testing.F) {
	f.Add(good)
	f.Add("maxmemory_policy:" + strings.Repeat("x\x1b", 999))
	f.Add("redis_version:1.\nrole:slave\nconnected_slaves:-1")
	f.Fuzz(func(t *testing.T, info string) {
		warnings, err := redisstore.Check(t.Context(), func(context.Context, ...any) (any, error) { return info, nil })
		if err != nil && warnings != nil {
			t.Errorf("%d warnings beside the error %v", len(warnings), err)
		}
		for _, w := range warnings {
			if s := w.String(); len(s) > 400 || strings.ContainsAny(s, "\n\r\x1b") {
				t.Errorf("warning = %q", s)
			}
		}
	})
}
