package middleware

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// ApprovalsConfig bounds [NewApprovals].
type ApprovalsConfig struct {
	// Max is how many approvals are remembered at once, whatever their state; beyond
	// it no more can be asked for. Default: 10,000.
	Max int
	// MaxPerCaller is how many of those may be of one caller in one tenant, so that
	// nobody takes the room of everybody. Default: a quarter of Max, rounded up.
	MaxPerCaller int
}

// NewApprovals returns approvals in memory. A restart forgets them, what was granted
// included, and every process has its own. It panics if a field is negative.
func NewApprovals(cfg ApprovalsConfig) Approvals {
	if cfg.Max < 0 || cfg.MaxPerCaller < 0 {
		panic("portavoz/middleware: NewApprovals: a field is negative")
	}
	cfg.Max = cmp.Or(cfg.Max, 10_000)
	cfg.MaxPerCaller = cmp.Or(cfg.MaxPerCaller, quarter(cfg.Max))
	return &memoryApprovals{
		cfg: cfg, byID: map[string]*heldApproval{}, current: map[idempotency.Digest]*heldApproval{}, held: map[asker]int{},
	}
}

type memoryApprovals struct {
	cfg ApprovalsConfig

	mu      sync.Mutex
	byID    map[string]*heldApproval
	current map[idempotency.Digest]*heldApproval // the last one of each subject
	order   []*heldApproval                      // as they were asked for
	held    map[asker]int                        // how many of those are whose
}

var _ Approvals = (*memoryApprovals)(nil)

// heldApproval is an approval as it was written last; state says what it is now.
type heldApproval struct {
	Approval

	subject   idempotency.Digest
	operation string
	ttl       time.Duration
}

func (h *heldApproval) state(now time.Time) ApprovalState {
	if !now.Before(h.ExpiresAt) {
		return ApprovalExpired
	}
	return h.State
}

// show is a copy that says what it is now.
func (h *heldApproval) show(now time.Time) Approval {
	a := h.Approval
	if a.State == ApprovalPending || a.State == ApprovalGranted {
		a.State = h.state(now)
	}
	return a
}

func (m *memoryApprovals) Ask(ctx context.Context, r ApprovalRequest) (Approval, error) {
	if err := ctx.Err(); err != nil {
		return Approval{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if held := m.current[r.Subject]; held != nil {
		switch state := held.state(now); {
		case state == ApprovalGranted:
			held.State, held.operation = ApprovalUsed, r.Operation
			return held.Approval, nil
		case state == ApprovalPending, state == ApprovalRefused,
			state == ApprovalUsed && held.operation == r.Operation:
			return held.Approval, nil
		}
	}
	if !m.makeRoom(r, now) {
		return Approval{}, ErrApprovalsFull
	}
	held := &heldApproval{
		Approval: Approval{
			ID: r.ID, State: ApprovalPending, Tool: r.Tool, Reason: r.Reason, Arguments: r.Arguments,
			Caller: r.Caller, Tenant: r.Tenant, ConversationID: r.ConversationID, RequestID: r.RequestID,
			RequestedAt: now, ExpiresAt: now.Add(r.TTL),
		},
		subject: r.Subject, ttl: r.TTL,
	}
	m.byID[r.ID], m.current[r.Subject], m.order = held, held, append(m.order, held)
	m.held[held.asker()]++
	return held.Approval, nil
}

// asker is whose share an approval takes.
type asker struct{ caller, tenant string }

func (h *heldApproval) asker() asker { return asker{h.Caller, h.Tenant} }

// makeRoom reports whether there is room for one more. Those that have expired go
// when it is needed, and not before, so that who comes late is told.
func (m *memoryApprovals) makeRoom(r ApprovalRequest, now time.Time) bool {
	room := func() bool {
		return len(m.order) < m.cfg.Max && m.held[asker{r.Caller, r.Tenant}] < m.cfg.MaxPerCaller
	}
	if room() {
		return true
	}
	left := m.order[:0]
	for _, held := range m.order {
		if now.Before(held.ExpiresAt) {
			left = append(left, held)
			continue
		}
		delete(m.byID, held.ID)
		if m.held[held.asker()]--; m.held[held.asker()] == 0 {
			delete(m.held, held.asker())
		}
		if m.current[held.subject] == held {
			delete(m.current, held.subject)
		}
	}
	clear(m.order[len(left):])
	m.order = left
	return room()
}

func (m *memoryApprovals) Get(_ context.Context, who Approver, id string) (Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := m.byID[id]
	if held == nil || !who.mayDecide(held.Tenant) {
		return Approval{}, ErrNoApproval
	}
	return held.show(time.Now()), nil
}

func (m *memoryApprovals) List(_ context.Context, who Approver, state ApprovalState, limit int) ([]Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, found := time.Now(), []Approval{}
	for _, held := range m.order {
		if len(found) >= limit {
			break
		}
		if a := held.show(now); a.State == state && who.mayDecide(a.Tenant) {
			found = append(found, a)
		}
	}
	return found, nil
}

func (m *memoryApprovals) Decide(ctx context.Context, who Approver, id string, d Decision) (Approval, error) {
	if err := ctx.Err(); err != nil {
		return Approval{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	held, now := m.byID[id], time.Now()
	if held == nil || !who.mayDecide(held.Tenant) {
		return Approval{}, ErrNoApproval
	}
	switch held.show(now).State {
	case ApprovalPending:
	case ApprovalExpired:
		return held.show(now), ErrApprovalExpired
	default:
		if held.DecidedBy != who.Name || (held.State != ApprovalRefused) != d.Grant {
			return held.Approval, ErrApprovalDecided
		}
		return held.Approval, nil
	}
	held.State = ApprovalRefused
	if d.Grant {
		held.State = ApprovalGranted
	}
	held.DecidedBy, held.DecidedAt, held.Note, held.ExpiresAt = who.Name, now, d.Note, now.Add(held.ttl)
	return held.Approval, nil
}
