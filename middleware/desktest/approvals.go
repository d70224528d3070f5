package desktest

import (
	"crypto/rand"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware"
)

// counter is the approvals of one rule.
type counter struct {
	*testing.T

	approvals middleware.Approvals
	wait      func(time.Duration)
	who       middleware.Approver // of a tenant that is this rule's alone
}

// Approvals holds approvals to their interface.
func Approvals(t *testing.T, approvals func(*testing.T) middleware.Approvals, wait func(time.Duration)) {
	t.Helper()
	for _, rule := range []struct {
		name  string
		check func(*counter)
	}{
		{"a grant is used once", (*counter).once},
		{"a refusal stands", (*counter).refused},
		{"a decision is made once", (*counter).decided},
		{"what expires is asked for anew", (*counter).expired},
		{"an approval is its tenant's", (*counter).tenants},
		{"they are listed by their states", (*counter).listed},
		{"many ask, many decide, one runs", (*counter).race},
		{"granted and refused at once, one decision stands", (*counter).dispute},
	} {
		t.Run(rule.name, func(t *testing.T) {
			rule.check(&counter{T: t, approvals: approvals(t), wait: wait, who: middleware.Approver{Name: "ana", Tenant: rand.Text()}})
		})
	}
}

// request is one that nobody has asked for.
func (c *counter) request(ttl time.Duration) middleware.ApprovalRequest {
	return middleware.ApprovalRequest{
		ID: "apr_" + rand.Text(), Subject: digest(), Operation: rand.Text(), Tool: "pagar_factura", Reason: "por el monto ñ", Caller: "asixto",
		Tenant: c.who.Tenant, ConversationID: "cnv", RequestID: "req", Arguments: []byte(`{"monto":9007199254740993}`), TTL: ttl,
	}
}

// ask asks, and asserts what is found.
func (c *counter) ask(r middleware.ApprovalRequest, id string, state middleware.ApprovalState) middleware.Approval {
	c.Helper()
	got, err := c.approvals.Ask(c.Context(), r)
	if err != nil || got.State != state || got.ID != id {
		c.Errorf("Ask: got %s, %s, %v; want %s, %s", got.ID, got.State, err, id, state)
	}
	return got
}

func (c *counter) decide(id string, grant bool) middleware.Approval {
	c.Helper()
	got, err := c.approvals.Decide(c.Context(), c.who, id, middleware.Decision{Grant: grant, Note: "sí"})
	if err != nil {
		c.Errorf("Decide: %v", err)
	}
	return got
}

// fresh is the same call with the name of another approval and operation.
func fresh(r middleware.ApprovalRequest) middleware.ApprovalRequest {
	r.ID, r.Operation = "apr_"+rand.Text(), rand.Text()
	return r
}

func (c *counter) once() {
	first := c.request(long)
	got := c.ask(first, first.ID, middleware.ApprovalPending)
	if got.Tool != first.Tool || got.Reason != first.Reason || string(got.Arguments) != string(first.Arguments) || got.Caller != first.Caller ||
		got.Tenant != first.Tenant || got.ConversationID != "cnv" || got.RequestID != "req" || got.ExpiresAt.Sub(got.RequestedAt) != long ||
		got.DecidedBy != "" || !got.DecidedAt.IsZero() {
		c.Errorf("asked for %+v", got)
	}
	second, third := fresh(first), fresh(first)
	c.ask(second, first.ID, middleware.ApprovalPending)
	if got := c.decide(first.ID, true); got.State != middleware.ApprovalGranted || got.DecidedBy != "ana" || got.Note != "sí" || got.DecidedAt.IsZero() {
		c.Errorf("granted %+v", got)
	}
	for range 2 {
		c.ask(second, first.ID, middleware.ApprovalUsed)
	}
	c.ask(third, third.ID, middleware.ApprovalPending)
	c.ask(second, third.ID, middleware.ApprovalPending)
	if got, err := c.approvals.Get(c.Context(), c.who, first.ID); err != nil || got.State != middleware.ApprovalUsed {
		c.Errorf("the first one is %s, %v", got.State, err)
	}
}

func (c *counter) refused() {
	r := c.request(long)
	c.ask(r, r.ID, middleware.ApprovalPending)
	c.decide(r.ID, false)
	c.ask(fresh(r), r.ID, middleware.ApprovalRefused)
	other := c.request(long)
	c.ask(other, other.ID, middleware.ApprovalPending)
}

func (c *counter) decided() {
	for _, grant := range []bool{true, false} {
		r := c.request(long)
		c.ask(r, r.ID, middleware.ApprovalPending)
		first := c.decide(r.ID, grant)
		c.wait(later)
		if again := c.decide(r.ID, grant); !again.ExpiresAt.Equal(first.ExpiresAt) || !again.DecidedAt.Equal(first.DecidedAt) {
			c.Errorf("the same again moved it from %s to %s", first.ExpiresAt, again.ExpiresAt)
		}
		_, err := c.approvals.Decide(c.Context(), c.who, r.ID, middleware.Decision{Grant: !grant})
		want(c.T, "the opposite", err, middleware.ErrApprovalDecided)
		luis := c.who
		luis.Name = "luis"
		got, err := c.approvals.Decide(c.Context(), luis, r.ID, middleware.Decision{Grant: grant})
		want(c.T, "somebody else", err, middleware.ErrApprovalDecided)
		if got.DecidedBy != "ana" {
			c.Errorf("it says that %q decided", got.DecidedBy)
		}
	}
}

func (c *counter) expired() {
	r := c.request(later)
	c.ask(r, r.ID, middleware.ApprovalPending)
	c.wait(2 * later)
	got, err := c.approvals.Decide(c.Context(), c.who, r.ID, middleware.Decision{Grant: true})
	want(c.T, "a decision too late", err, middleware.ErrApprovalExpired)
	if got.State != middleware.ApprovalExpired {
		c.Errorf("it is %s", got.State)
	}
	again := fresh(r)
	again.TTL = long
	c.ask(again, again.ID, middleware.ApprovalPending)

	unused := c.granted(later)
	c.wait(unused.TTL + later)
	next := fresh(unused)
	c.ask(next, next.ID, middleware.ApprovalPending)
}

// granted is a request that was granted within its time. A machine with much to do gets
// more of it.
func (c *counter) granted(ttl time.Duration) middleware.ApprovalRequest {
	c.Helper()
	for ; ttl < long; ttl *= 2 {
		r := c.request(ttl)
		c.ask(r, r.ID, middleware.ApprovalPending)
		_, err := c.approvals.Decide(c.Context(), c.who, r.ID, middleware.Decision{Grant: true})
		if err == nil {
			return r
		}
		want(c.T, "Decide", err, middleware.ErrApprovalExpired)
	}
	c.Fatal("there is no time in which an approval can be granted")
	return middleware.ApprovalRequest{}
}

func (c *counter) tenants() {
	r := c.request(long)
	c.ask(r, r.ID, middleware.ApprovalPending)
	for _, who := range []middleware.Approver{{Name: "eva", Tenant: "otra"}, {Name: "eva"}, {Name: "eva", Tenant: strings.ToLower(c.who.Tenant)}} {
		_, err := c.approvals.Get(c.Context(), who, r.ID)
		want(c.T, "Get by another tenant", err, middleware.ErrNoApproval)
		_, err = c.approvals.Decide(c.Context(), who, r.ID, middleware.Decision{Grant: true})
		want(c.T, "Decide by another tenant", err, middleware.ErrNoApproval)
		if found, err := c.approvals.List(c.Context(), who, middleware.ApprovalPending, 100); err != nil || strings.Contains(names(found), r.ID) {
			c.Errorf("List by another tenant: %v, %v", names(found), err)
		}
	}
	_, err := c.approvals.Get(c.Context(), c.who, strings.ToLower(r.ID))
	want(c.T, "another id", err, middleware.ErrNoApproval)
	all := middleware.Approver{Name: "eva", AllTenants: true}
	if got, err := c.approvals.Get(c.Context(), all, r.ID); err != nil || got.State != middleware.ApprovalPending {
		c.Errorf("of all tenants: %s, %v", got.State, err)
	}
	if _, err := c.approvals.Decide(c.Context(), all, r.ID, middleware.Decision{Grant: true}); err != nil {
		c.Error(err)
	}
}

func names(list []middleware.Approval) string {
	var b strings.Builder
	for _, a := range list {
		b.WriteString(a.ID + " ")
	}
	return b.String()
}

func (c *counter) listed() {
	made := map[middleware.ApprovalState]string{}
	for _, state := range []middleware.ApprovalState{
		middleware.ApprovalPending, middleware.ApprovalGranted, middleware.ApprovalRefused, middleware.ApprovalUsed, middleware.ApprovalExpired,
	} {
		r := c.request(long)
		if state == middleware.ApprovalExpired {
			r.TTL = short
		}
		c.ask(r, r.ID, middleware.ApprovalPending)
		if state != middleware.ApprovalPending && state != middleware.ApprovalExpired {
			c.decide(r.ID, state != middleware.ApprovalRefused)
		}
		if state == middleware.ApprovalUsed {
			c.ask(r, r.ID, state)
		}
		made[state] = r.ID + " "
	}
	c.wait(later)
	for state, id := range made {
		if found, err := c.approvals.List(c.Context(), c.who, state, 100); err != nil || names(found) != id || found[0].State != state {
			c.Errorf("%s: got %v, %v; want %s", state, names(found), err, id)
		}
	}
	second := c.request(long)
	c.ask(second, second.ID, middleware.ApprovalPending)
	if found, err := c.approvals.List(c.Context(), c.who, middleware.ApprovalPending, 100); err != nil || names(found) != made[middleware.ApprovalPending]+second.ID+" " {
		c.Errorf("got %s, %v; want the oldest first", names(found), err)
	}
	if found, err := c.approvals.List(c.Context(), c.who, middleware.ApprovalPending, 1); err != nil || names(found) != made[middleware.ApprovalPending] {
		c.Errorf("got %s, %v; want one", names(found), err)
	}
}

func (c *counter) race() {
	r := c.request(long)
	ids := make([]string, 8)
	atOnce(len(ids), func(i int) {
		got, err := c.approvals.Ask(c.Context(), fresh(r))
		if err != nil || got.State != middleware.ApprovalPending {
			c.Errorf("%s, %v", got.State, err)
		}
		ids[i] = got.ID
	})
	if strings.Count(strings.Join(ids, " "), ids[0]) != len(ids) {
		c.Fatalf("one call, at once, gave %v", ids)
	}
	var decided, ran atomic.Int64
	atOnce(8, func(i int) {
		who := c.who
		who.Name += string(rune('0' + i))
		if _, err := c.approvals.Decide(c.Context(), who, ids[0], middleware.Decision{Grant: true}); err == nil {
			decided.Add(1)
		}
	})
	atOnce(8, func(int) {
		got, err := c.approvals.Ask(c.Context(), fresh(r))
		if err != nil {
			c.Error(err)
		}
		if got.State == middleware.ApprovalUsed {
			ran.Add(1)
		}
	})
	if decided.Load() != 1 || ran.Load() != 1 {
		c.Errorf("it was decided %d times and ran %d times, want once each", decided.Load(), ran.Load())
	}
}

func (c *counter) dispute() {
	r := c.request(long)
	c.ask(r, r.ID, middleware.ApprovalPending)
	var decided, yes atomic.Int64
	atOnce(8, func(i int) {
		who, grant := c.who, i%2 == 0
		who.Name += string(rune('0' + i))
		got, err := c.approvals.Decide(c.Context(), who, r.ID, middleware.Decision{Grant: grant})
		switch {
		case err == nil:
			decided.Add(1)
			if grant {
				yes.Add(1)
			}
		default:
			want(c.T, "Decide", err, middleware.ErrApprovalDecided)
		}
		if got.DecidedBy == "" || (err == nil) != (got.DecidedBy == who.Name) {
			c.Errorf("%s is told, with %v, that %q decided", who.Name, err, got.DecidedBy)
		}
	})
	state := middleware.ApprovalRefused
	if yes.Load() == 1 {
		state = middleware.ApprovalUsed
	}
	if decided.Load() != 1 {
		c.Errorf("it was decided %d times, want once", decided.Load())
	}
	c.ask(fresh(r), r.ID, state)
}
