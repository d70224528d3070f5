package storetest

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// game is a program that is played: a few operations, and parties that want them.
type game struct {
	*kit
	operations [3]operation
	log        []entry
}

// entry is a step as it is printed when a later one goes wrong.
type entry struct {
	key  idempotency.Digest // the zero one if it is none's
	text string
}

// operation is one key, and what the model knows of it.
type operation struct {
	key       idempotency.Digest
	arguments [2]idempotency.Digest
	parties   [3]party
	record    record
}

// party claims an operation with one token, until an attempt to run has been
// made with it. It settles with the last one, that it may well have lost.
type party struct {
	token string
	ran   bool
}

func newGame(k *kit) *game {
	g := &game{kit: k}
	for i := range g.operations {
		o := &g.operations[i]
		o.key = newClaim().Key
		for j := range o.arguments {
			o.arguments[j] = newClaim().Fingerprint
		}
		for j := range o.parties {
			o.parties[j].token = rand.Text()
		}
	}
	return g
}

// step plays three bytes, and says what is wrong with the store's answer.
func (g *game) step(what, who, how byte) (problem string) {
	o := &g.operations[int(who)%len(g.operations)]
	p := &o.parties[int(who)/len(g.operations)%len(o.parties)]
	choice := int(how)
	halves := func(units ...int) time.Duration { return time.Duration(units[choice%len(units)]) * g.unit / 2 }

	c := call{claim: idempotency.Claim{
		Key: o.key, Fingerprint: o.arguments[0], Token: p.token, Lease: halves(3, 9), TTL: halves(25, 13, 25),
	}}
	switch what % 10 {
	case 0:
		g.log = append(g.log, entry{text: fmt.Sprintf("%v pass", halves(2, 4, 6, 8))})
		g.pass(halves(2, 4, 6, 8))
		return ""
	case 1, 2, 3, 4:
		c.method = "Claim"
		c.claim.Token = p.claims(o.record)
		c.claim.Takeover = choice/4%2 == 0
		if choice/8%8 == 0 {
			c.claim.Fingerprint = o.arguments[1]
		}
	case 5, 6:
		c.method = "Complete"
		c.claim.TTL = halves(5, 13)
		if choice%5 != 0 {
			c.result = results[choice/2%len(results)].result
		}
	case 7:
		c.method = "Release"
	case 8:
		c.method = "Abandon"
	default:
		c.method = "Extend"
		c.claim.Lease = halves(3, 9, 19)
	}
	got, problem := g.make(c, &o.record)
	p.ran = p.ran || got.answer.Status == idempotency.Acquired
	return problem
}

// claims is the token for a claim: a fresh one, unless an earlier claim may just
// be sent again.
func (p *party) claims(r record) string {
	if owns := r.state == owned && r.token == p.token; p.ran && !owns {
		*p = party{token: rand.Text()}
	}
	return p.token
}

// make calls the store and the model, and says how they differ.
func (g *game) make(c call, r *record) (got reply, problem string) {
	now := moment{from: time.Now()}
	got = g.call(c)
	now.to = time.Now()
	g.log = append(g.log, entry{c.claim.Key, fmt.Sprintf("%s: %s", c, got)})
	if got.err != nil && !errors.Is(got.err, idempotency.ErrNotOwner) {
		return got, g.history(c.claim.Key) + "which is an unexpected error"
	}
	var wanted []string
	for _, w := range r.worlds(now) {
		want, after := w.apply(c, now)
		if g.explains(w, want, got, now) {
			*r = after
			return got, ""
		}
		wanted = append(wanted, want.String())
	}
	return got, fmt.Sprintf("%swant %s; before, it was %s", g.history(c.claim.Key), strings.Join(wanted, ", or "), *r)
}

// history is what happened to a key of late.
func (g *game) history(key idempotency.Digest) string {
	const most = 20
	var lines []string
	for _, e := range slices.Backward(g.log) {
		if e.key == key || e.key == (idempotency.Digest{}) {
			lines = append(lines, e.text+"\n")
		}
		if len(lines) == most {
			break
		}
	}
	slices.Reverse(lines)
	return strings.Join(lines, "")
}

func (k *kit) call(c call) (r reply) {
	ctx, cl := k.Context(), c.claim
	switch c.method {
	case "Claim":
		r.answer, r.err = k.store.Claim(ctx, cl)
	case "Complete":
		r.err = k.store.Complete(ctx, cl.Key, cl.Token, c.result, cl.TTL)
	case "Release":
		r.err = k.store.Release(ctx, cl.Key, cl.Token)
	case "Abandon":
		r.err = k.store.Abandon(ctx, cl.Key, cl.Token)
	case "Extend":
		r.err = k.store.Extend(ctx, cl.Key, cl.Token, cl.Lease)
	}
	return r
}

func (c call) String() string {
	s := fmt.Sprintf("%s of %x by %.4s", c.method, c.claim.Key[:2], c.claim.Token)
	switch c.method {
	case "Claim":
		s += fmt.Sprintf(" with arguments %x, lease %v, ttl %v, takeover %t",
			c.claim.Fingerprint[:2], c.claim.Lease, c.claim.TTL, c.claim.Takeover)
	case "Complete":
		s += fmt.Sprintf(" with %s, ttl %v", excerpt(c.result), c.claim.TTL)
	case "Extend":
		s += fmt.Sprintf(" by %v", c.claim.Lease)
	}
	return s
}

func (r reply) String() string {
	switch {
	case r.err != nil:
		return r.err.Error()
	case r.answer.Status == 0:
		return "ok"
	default:
		return describe(r.answer)
	}
}

func (r record) String() string {
	name := [...]string{free: "free", owned: "owned", abandoned: "abandoned", completed: "completed"}[r.state]
	return fmt.Sprintf("%s with arguments %x, token %.4s, lease until %v, life until %v, result %s",
		name, r.fingerprint[:2], r.token, r.lease.to, r.expires.to, excerpt(r.result))
}
