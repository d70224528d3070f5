package main_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// golden are records of version 1 as they are in the field; later versions of
// this module read them, or fail closed. The key and the token are those of
// fixed, the leases end in the year 2100 unless they ended in 2001.
var golden = map[string]struct {
	record string
	want   idempotency.Status
	result string
}{
	"running":   {"1r004102444800000%s00000000000000000005TOKEN0836458d", idempotency.InProgress, ""},
	"silent":    {"1r001000000000000%s00000000000000000005TOKEN4f34d9ff", idempotency.Abandoned, ""},
	"abandoned": {"1a004102444800000%s00000000000000000005TOKEN1755afce", idempotency.Abandoned, ""},
	"kept":      {"1k004102444800000%s0000000009e306928305TOKENb7ec0dd7123456789", idempotency.Completed, "123456789"},
	"empty":     {"1k004102444800000%s00000000000000000005TOKEN71205cc1", idempotency.Completed, ""},
	"dropped":   {"1d004102444800000%s00000000000000000005TOKENcaf3e81d", idempotency.Completed, ""},
}

// fixed is the claim that the golden records are of.
func fixed() idempotency.Claim {
	c := newClaim()
	copy(c.Fingerprint[:], "the fingerprint, 32 bytes of it.")
	return c
}

func TestRecords(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	s := newStore(t, clients["go-redis"](t, redis.addr))
	for name, tt := range golden {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := fixed()
			redis.ask(t, "SET", keyOf(c), fmt.Sprintf(tt.record, c.Fingerprint[:]))
			got := expect(t, s, c, tt.want)
			if string(got.Result) != tt.result || got.Dropped != (name == "dropped") {
				t.Errorf("answer = %+v, want %q", got, tt.result)
			}
			c.Token = "TOKEN"
			if err := s.Extend(t.Context(), c.Key, c.Token, time.Minute); (err == nil) != (name == "running" || name == "silent") {
				t.Errorf("Extend = %v", err)
			}
		})
	}
}

// TestUnreadable: nothing that is not a whole record of a known version is taken
// for free, or for anything else.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	s := newStore(t, clients["go-redis"](t, redis.addr))
	kept := fmt.Sprintf(golden["kept"].record, "the fingerprint, 32 bytes of it.")
	tests := map[string][]string{ // SET and so on; the key comes second
		"empty":         {"SET", ""},
		"foreign":       {"SET", "1"},
		"JSON":          {"SET", `{"status":"COMPLETED"}`},
		"newer":         {"SET", "2" + kept[1:]},
		"long":          {"SET", kept + "0"},
		"many zeros":    {"SET", strings.Repeat("\x00", 200)},
		"two of them":   {"SET", kept + kept},
		"a list":        {"RPUSH", kept},
		"a set":         {"SADD", kept},
		"a hash":        {"HSET", "state", "r"},
		"no token":      {"SET", strings.Replace(kept, "05TOKEN", "00", 1)},
		"minus a token": {"SET", strings.Replace(kept, "05TOKEN", "-5TOKEN", 1)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := fixed()
			redis.ask(t, append([]string{tt[0], keyOf(c)}, tt[1:]...)...)
			wantUnreadable(t, s, c)
		})
	}
	t.Run("cut", func(t *testing.T) {
		t.Parallel()
		c := fixed()
		for n := range len(kept) {
			redis.ask(t, "SET", keyOf(c), kept[:n])
			wantUnreadable(t, s, c)
		}
	})
	t.Run("one bit", func(t *testing.T) {
		t.Parallel()
		c := fixed()
		body := len(kept) - len("123456789")
		for i := range kept {
			for bit := range 8 {
				damaged := []byte(kept)
				damaged[i] ^= 1 << bit
				redis.ask(t, "SET", keyOf(c), string(damaged))
				if i < body {
					wantUnreadable(t, s, c)
				} else { // which only who reads the result can see
					wantCorrupt(t, s, c)
				}
			}
		}
	})
}

// wantUnreadable wants every step to fail on the record.
func wantUnreadable(t *testing.T, s idempotency.Store, c idempotency.Claim) {
	t.Helper()
	wantCorrupt(t, s, c)
	for step, err := range map[string]error{
		"Complete": s.Complete(t.Context(), c.Key, "TOKEN", nil, time.Hour),
		"Release":  s.Release(t.Context(), c.Key, "TOKEN"),
		"Abandon":  s.Abandon(t.Context(), c.Key, "TOKEN"),
		"Extend":   s.Extend(t.Context(), c.Key, "TOKEN", time.Minute),
	} {
		if !errors.Is(err, idempotency.ErrCorrupt) {
			t.Fatalf("%s = %v, want ErrCorrupt", step, err)
		}
	}
}

func wantCorrupt(t *testing.T, s idempotency.Store, c idempotency.Claim) {
	t.Helper()
	for _, takeover := range []bool{false, true} {
		c.Takeover = takeover
		if got, err := s.Claim(t.Context(), c); !errors.Is(err, idempotency.ErrCorrupt) || got.Status != 0 {
			t.Fatalf("Claim = %+v, %v; want ErrCorrupt", got, err)
		}
	}
}
