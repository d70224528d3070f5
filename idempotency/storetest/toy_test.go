package storetest_test

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// toy is a Store that keeps the contract, as short as can be, unless it is given
// one of the flaws.
type toy struct {
	flaw    string
	mu      sync.Mutex
	records map[idempotency.Digest]*toyRecord
}

type toyRecord struct {
	state          string // owned, abandoned or completed
	fingerprint    idempotency.Digest
	token          string
	result         []byte
	lease, expires time.Time
}

func newToy(flaw string) *toy {
	return &toy{flaw: flaw, records: map[idempotency.Digest]*toyRecord{}}
}

func (s *toy) has(flaw string) bool { return s.flaw == flaw }

// find returns the record of a key, or nil.
func (s *toy) find(key idempotency.Digest) *toyRecord {
	r := s.records[s.trim(key, "cut key")]
	switch {
	case r == nil, time.Now().Before(r.expires), s.has("never expires"):
		return r
	default:
		return nil
	}
}

// trim forgets the last byte of a digest.
func (s *toy) trim(d idempotency.Digest, flaw string) idempotency.Digest {
	if s.has(flaw) {
		d[31] = 0
	}
	return d
}

func (s *toy) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	if ctx.Err() != nil && !s.has("ignores the context of Claim") {
		if s.has("claims under an ended context, for nobody") {
			c.Token = "nobody"
			_, _ = s.Claim(context.WithoutCancel(ctx), c)
		}
		return idempotency.Answer{}, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Fingerprint = s.trim(c.Fingerprint, "cut fingerprint")
	r := s.find(c.Key)
	unowned := r != nil && (r.state == "abandoned" || r.state == "owned" && !time.Now().Before(r.lease))
	if r == nil && s.has("gets, then sets") || unowned && s.has("gets, then takes over") {
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
	}
	switch {
	case r == nil,
		unowned && s.has("lease frees"),
		r.state == "owned" && s.has("takes over what runs") && c.Takeover,
		r.state == "completed" && s.has("takes over what is completed") && c.Takeover:
		return s.acquire(c, nil), nil
	case r.fingerprint != c.Fingerprint && !s.has("no conflict when "+r.state) && !(c.Takeover && s.has("no conflict for a takeover")):
		return idempotency.Answer{Status: idempotency.Conflict}, nil
	case r.state == "completed":
		return s.completed(r), nil
	case s.owns(r, c.Token) && !s.has("does not know its own claim"),
		r.state == "abandoned" && r.token == c.Token && s.has("acquires again what its owner abandoned"):
		if s.has("does not renew its own claim") {
			return idempotency.Answer{Status: idempotency.Acquired}, nil
		}
		return s.acquire(c, nil), nil
	case unowned && c.Takeover:
		return s.acquire(c, r), nil
	case unowned:
		return idempotency.Answer{Status: idempotency.Abandoned}, nil
	case s.has("no lease left"):
		return idempotency.Answer{Status: idempotency.InProgress}, nil
	default:
		return idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: time.Until(r.lease)}, nil
	}
}

func (s *toy) acquire(c idempotency.Claim, before *toyRecord) idempotency.Answer {
	now := time.Now()
	r := &toyRecord{
		state: "owned", fingerprint: c.Fingerprint, token: c.Token,
		lease: now.Add(c.Lease), expires: now.Add(max(c.TTL, c.Lease)),
	}
	switch {
	case s.has("expires with its lease"):
		r.expires = r.lease
	case before != nil && s.has("takeover keeps the old lease"):
		r.lease = before.lease
	case before != nil && s.has("takeover keeps the old ttl"):
		r.expires = before.expires
	}
	s.records[s.trim(c.Key, "cut key")] = r
	return idempotency.Answer{Status: idempotency.Acquired}
}

func (s *toy) completed(r *toyRecord) idempotency.Answer {
	a := idempotency.Answer{
		Status: idempotency.Completed, Result: r.result, Dropped: r.result == nil, TTLLeft: time.Until(r.expires),
	}
	if s.has("wrong ttl left") {
		a.TTLLeft *= 3
	}
	if !s.has("shares what it returns") {
		a.Result = slices.Clone(r.result)
	}
	return a
}

func (s *toy) owns(r *toyRecord, token string) bool {
	switch {
	case r == nil || r.state != "owned":
		return false
	case s.has("token ignores case"):
		return strings.EqualFold(r.token, token)
	case s.has("token is trimmed"):
		return strings.TrimSpace(r.token) == strings.TrimSpace(token)
	case s.has("token is cut"):
		return r.token[:min(63, len(r.token))] == token[:min(63, len(token))]
	default:
		return r.token == token && !(s.has("lease ends ownership") && time.Now().After(r.lease))
	}
}

// settle runs a settlement if the token may, under the flaws of a method.
func (s *toy) settle(ctx context.Context, method string, key idempotency.Digest, token string, do func(r *toyRecord)) error {
	if ctx.Err() != nil && !s.has("ignores the context of "+method) {
		if s.has("says not owner under an ended context") {
			return errors.Join(idempotency.ErrNotOwner, ctx.Err())
		}
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.find(key)
	allowed := s.owns(r, token) ||
		r != nil && r.state == "owned" && s.has(method+" by anybody") ||
		r != nil && r.state == "abandoned" && r.token == token && s.has(method+" after Abandon") ||
		r != nil && r.state == "completed" && r.token == token && s.has(method+" after Complete")
	if !allowed {
		return idempotency.ErrNotOwner
	}
	do(r)
	return nil
}

func (s *toy) Complete(ctx context.Context, key idempotency.Digest, token string, result []byte, ttl time.Duration) error {
	again := func(r *toyRecord) {
		if s.has("overwrites the result") {
			r.result = bytes.Clone(result)
		}
		if s.has("prolongs the ttl") {
			r.expires = time.Now().Add(ttl)
		}
	}
	if !s.has("refuses a second completion") && s.repeated(ctx, key, token, "completed", again) {
		return nil
	}
	return s.settle(ctx, "Complete", key, token, func(r *toyRecord) {
		r.state, r.result = "completed", s.kept(result)
		if !s.has("keeps the ttl of the claim") {
			r.expires = time.Now().Add(ttl)
		}
	})
}

// kept is what is stored of a result.
func (s *toy) kept(result []byte) []byte {
	switch {
	case s.has("keeps nil as empty") && result == nil:
		return []byte{}
	case s.has("keeps empty as nil") && len(result) == 0:
		return nil
	case s.has("keeps text") && result != nil:
		return []byte(strings.ToValidUTF8(string(result), "?"))
	case s.has("ends at NUL") && result != nil:
		before, _, _ := bytes.Cut(result, []byte{0})
		return bytes.Clone(before)
	case s.has("drops large results") && len(result) > 64<<10:
		return nil
	case s.has("cuts oversized results") && len(result) > 1<<20:
		return bytes.Clone(result[:1<<20])
	case s.has("shares what it is given"):
		return result
	default:
		return bytes.Clone(result)
	}
}

func (s *toy) Release(ctx context.Context, key idempotency.Digest, token string) error {
	return s.settle(ctx, "Release", key, token, func(r *toyRecord) {
		if s.has("release only abandons") {
			r.state = "abandoned"
			return
		}
		delete(s.records, s.trim(key, "cut key"))
	})
}

func (s *toy) Abandon(ctx context.Context, key idempotency.Digest, token string) error {
	if !s.has("refuses a second abandonment") && s.repeated(ctx, key, token, "abandoned", func(*toyRecord) {}) {
		return nil
	}
	return s.settle(ctx, "Abandon", key, token, func(r *toyRecord) {
		if !s.has("abandons when the lease ends") {
			r.state = "abandoned"
		}
	})
}

func (s *toy) Extend(ctx context.Context, key idempotency.Digest, token string, lease time.Duration) error {
	return s.settle(ctx, "Extend", key, token, func(r *toyRecord) {
		end := time.Now().Add(lease)
		if s.has("extends nothing") || s.has("never shortens a lease") && end.Before(r.lease) {
			return
		}
		r.state, r.lease = "owned", end
		if end.After(r.expires) && !s.has("expires under its lease") || s.has("lives as long as its lease") {
			r.expires = end
		}
	})
}

// repeated runs do if the token has already brought the record to that state.
func (s *toy) repeated(ctx context.Context, key idempotency.Digest, token, state string, do func(r *toyRecord)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.find(key)
	if ctx.Err() != nil || r == nil || r.state != state || r.token != token {
		return false
	}
	do(r)
	return true
}
