package storetest

import (
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// record is what the model knows of an operation. Its zero value is free.
type record struct {
	state       state
	fingerprint idempotency.Digest
	token       string // of who owns it, or abandoned or completed it
	result      []byte // nil if there is none
	lease       moment // when it ends
	expires     moment
}

type state uint8

const (
	free state = iota
	owned
	abandoned
	completed
)

// moment is an instant of the store's clock. All that is known of it is that it
// lies in this span.
type moment struct{ from, to time.Time }

func (m moment) plus(d time.Duration) moment { return moment{m.from.Add(d), m.to.Add(d)} }

// later is the later one of two.
func (m moment) later(o moment) moment {
	if o.from.After(m.from) {
		m.from = o.from
	}
	if o.to.After(m.to) {
		m.to = o.to
	}
	return m
}

// mayBePast and mustBePast compare with the moment at which the store decides.
func (m moment) mayBePast(now moment) bool  { return !now.to.Add(clockGrain).Before(m.from) }
func (m moment) mustBePast(now moment) bool { return !now.from.Add(-clockGrain).Before(m.to) }

// mayBe reports whether two moments may be the same.
func (m moment) mayBe(o moment) bool {
	return !m.to.Add(clockGrain).Before(o.from) && !m.from.Add(-clockGrain).After(o.to)
}

// call is an operation on the store: a claim, or a settlement with the claim's
// token and times.
type call struct {
	method string
	claim  idempotency.Claim
	result []byte
}

// reply is what came of it. The error is nil or ErrNotOwner.
type reply struct {
	answer idempotency.Answer
	err    error
}

// world is one of the states in which a record may be at a moment.
type world struct {
	record
	lapsed bool // the lease has ended
}

// worlds are all of them: more than one if the moment is close to the end of
// the lease or of the record.
func (r record) worlds(now moment) []world {
	if r.state == free {
		return []world{{record: r}}
	}
	var all []world
	if !r.expires.mustBePast(now) {
		if !r.lease.mustBePast(now) {
			all = append(all, world{record: r})
		}
		if r.lease.mayBePast(now) {
			all = append(all, world{record: r, lapsed: true})
		}
	}
	if r.expires.mayBePast(now) {
		all = append(all, world{})
	}
	return all
}

// apply is the contract: what a call answers, and what the record is afterwards.
func (w world) apply(c call, now moment) (reply, record) {
	if c.method == "Claim" {
		return w.claim(c.claim, now)
	}
	r := w.record
	owns := r.state == owned && r.token == c.claim.Token
	again := r.token == c.claim.Token &&
		(r.state == completed && c.method == "Complete" || r.state == abandoned && c.method == "Abandon")
	switch {
	case again:
		return reply{}, r
	case !owns:
		return reply{err: idempotency.ErrNotOwner}, r
	}
	switch c.method {
	case "Complete":
		r.state, r.result, r.expires = completed, c.result, now.plus(c.claim.TTL)
	case "Release":
		r = record{}
	case "Abandon":
		r.state = abandoned
	case "Extend":
		r.lease = now.plus(c.claim.Lease)
		r.expires = r.expires.later(r.lease)
	}
	return reply{}, r
}

func (w world) claim(c idempotency.Claim, now moment) (reply, record) {
	is := func(s idempotency.Status) reply { return reply{answer: idempotency.Answer{Status: s}} }
	r := w.record
	unowned := r.state == abandoned || r.state == owned && w.lapsed
	switch {
	case r.state != free && r.fingerprint != c.Fingerprint:
		return is(idempotency.Conflict), r
	case r.state == completed:
		a := idempotency.Answer{Status: idempotency.Completed, Result: r.result, Dropped: r.result == nil}
		return reply{answer: a}, r
	case r.state == free, r.state == owned && r.token == c.Token, unowned && c.Takeover:
		return is(idempotency.Acquired), record{
			state: owned, fingerprint: c.Fingerprint, token: c.Token,
			lease: now.plus(c.Lease), expires: now.plus(max(c.Lease, c.TTL)),
		}
	case unowned:
		return is(idempotency.Abandoned), r
	default:
		return is(idempotency.InProgress), r
	}
}

// explains reports whether the world, in which the call should have had the
// reply want, explains the one that it had.
func (k *kit) explains(w world, want, got reply, now moment) bool {
	if want.err != nil || got.err != nil {
		return errors.Is(got.err, want.err)
	}
	if want.answer.Status != got.answer.Status || malformed(got.answer) != "" {
		return false
	}
	switch got.answer.Status {
	case idempotency.Completed:
		left := got.answer.TTLLeft
		return k.differs(got.answer, w.result) == "" && (left == 0 || now.plus(left).mayBe(w.expires))
	case idempotency.InProgress:
		return now.plus(got.answer.LeaseLeft).mayBe(w.lease)
	default:
		return true
	}
}
