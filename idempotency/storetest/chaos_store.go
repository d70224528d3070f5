package storetest

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

func chaosOperation(key int) idempotency.Operation {
	return idempotency.Operation{
		Scope: []string{"gateway", "comp_1"}, Name: "pagar_factura", Key: strconv.Itoa(key),
		Fingerprint: idempotency.NewDigest("arguments"),
	}
}

func newEngine(t *testing.T, store idempotency.Store, cfg idempotency.Config) *idempotency.Engine {
	t.Helper()
	engine, err := idempotency.New(store, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

var errAway = errors.New("the store is away")

// disturbed stands between one engine and the store.
type disturbed struct {
	store  idempotency.Store
	chaos  *chaos
	engine uint64
}

var _ idempotency.Store = (*disturbed)(nil)

// ask puts a question to the store, unless it does not get there, and returns the
// store's answer, unless it gets lost.
func (s *disturbed) ask(ctx context.Context, extends bool, question func() error) error {
	if err := s.chaos.disturb(ctx, s.engine, 0, extends); err != nil {
		return err
	}
	err := question()
	if lost := s.chaos.disturb(ctx, s.engine, 1, extends); lost != nil {
		return lost
	}
	return err
}

func (s *disturbed) Claim(ctx context.Context, c idempotency.Claim) (answer idempotency.Answer, err error) {
	err = s.ask(ctx, false, func() (err error) {
		answer, err = s.store.Claim(ctx, c)
		return err
	})
	if err != nil {
		answer = idempotency.Answer{}
	}
	return answer, err
}

func (s *disturbed) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	return s.ask(ctx, false, func() error { return s.store.Complete(ctx, key, token, result, ttl) })
}

func (s *disturbed) Release(ctx context.Context, key idempotency.Digest, token string) error {
	return s.ask(ctx, false, func() error { return s.store.Release(ctx, key, token) })
}

func (s *disturbed) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	return s.ask(ctx, false, func() error { return s.store.Abandon(ctx, key, token) })
}

func (s *disturbed) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	return s.ask(ctx, true, func() error { return s.store.Extend(ctx, key, token, lease) })
}

// disturb is what stands between an engine and the store: it is slow, refuses,
// says nothing, or loses the answer, and at times it is away altogether.
func (c *chaos) disturb(ctx context.Context, engine, when uint64, extends bool) error {
	if c.healed.Load() {
		return nil
	}
	r := c.dice(3, c.questions.Add(1), when)
	away := c.dice(4, engine, uint64(time.Now().Unix())).IntN(10) == 0
	likely := 3
	if extends {
		likely = 20
	}
	switch n := r.IntN(100); {
	case away && n < 90, n < likely:
		return errAway
	case n < likely+1:
		<-ctx.Done()
		return ctx.Err()
	case n < likely+6:
		<-time.After(time.Duration(r.IntN(30)) * time.Millisecond)
	}
	return nil
}
