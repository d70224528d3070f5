package middleware

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/portavoz/portavoz/idempotency"
)

// JobsConfig bounds [NewJobs].
type JobsConfig struct {
	// Max is how many jobs are remembered at once, those that have ended included;
	// beyond it none is taken. Each has its arguments and its result, which may have
	// 256 KiB. Default: 1,000.
	Max int
	// MaxPerCaller is how many of those may be of one caller in one tenant and company.
	// Default: a quarter of Max, rounded up.
	MaxPerCaller int
}

// NewJobs returns jobs in memory. A restart forgets them, those that are queued
// included, and every process has its own. It panics if a field is negative.
func NewJobs(cfg JobsConfig) Jobs {
	if cfg.Max < 0 || cfg.MaxPerCaller < 0 {
		panic("portavoz/middleware: NewJobs: a field is negative")
	}
	cfg.Max = cmp.Or(cfg.Max, 1000)
	cfg.MaxPerCaller = cmp.Or(cfg.MaxPerCaller, quarter(cfg.Max))
	return &memoryJobs{cfg: cfg, byID: map[string]*heldJob{}, byKey: map[idempotency.Digest]*heldJob{}}
}

type memoryJobs struct {
	cfg JobsConfig

	mu    sync.Mutex
	byID  map[string]*heldJob
	byKey map[idempotency.Digest]*heldJob
	order []*heldJob // as they were queued
}

var _ Jobs = (*memoryJobs)(nil)

type heldJob struct {
	Job

	token string
	lease time.Time // until when
}

// settle ends the job if nobody else will.
func (h *heldJob) settle(now time.Time) {
	lost := false
	switch h.State {
	case JobQueued:
		lost = !now.Before(h.QueuedAt.Add(h.Wait))
	case JobRunning:
		lost = !now.Before(h.lease) && (!h.mayBegin() || !now.Before(h.lease.Add(h.Wait)))
	case JobDone, JobFailed, JobCancelled, JobLost:
	}
	if lost {
		h.end(JobLost, nil, now)
	}
}

func (h *heldJob) mayBegin() bool { return h.Begun < h.Attempts && !h.Cancelled }

func (h *heldJob) end(state JobState, result []byte, now time.Time) {
	h.State, h.Result, h.EndedAt = state, result, now
}

func (h *heldJob) forgotten(now time.Time) bool {
	return h.State.Ended() && !now.Before(h.EndedAt.Add(h.Keep))
}

func (m *memoryJobs) Add(ctx context.Context, j Job, limits JobLimits) (Job, error) {
	if err := ctx.Err(); err != nil {
		return Job{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.sweep(now)
	if held := m.byKey[j.Key]; held != nil {
		if held.Fingerprint != j.Fingerprint || held.Owner != j.Owner {
			return Job{}, ErrJobConflict
		}
		return held.Job, nil
	}
	if !m.room(j.Owner, limits) {
		return Job{}, ErrJobsFull
	}
	j.State, j.QueuedAt, j.Percent = JobQueued, now, -1
	held := &heldJob{Job: j}
	m.byID[j.ID], m.byKey[j.Key], m.order = held, held, append(m.order, held)
	return j, nil
}

// room reports whether there is room for another job of the owner.
func (m *memoryJobs) room(owner idempotency.Digest, limits JobLimits) bool {
	var queued, own, queuedOwn int
	for _, h := range m.order {
		waits, theirs := h.State == JobQueued, h.Owner == owner
		if waits {
			queued++
		}
		if theirs {
			own++
		}
		if waits && theirs {
			queuedOwn++
		}
	}
	return queued < limits.Queued && queuedOwn < limits.PerOwner && len(m.order) < m.cfg.Max && own < m.cfg.MaxPerCaller
}

// sweep settles all jobs, and drops those that are forgotten.
func (m *memoryJobs) sweep(now time.Time) {
	m.order = slices.DeleteFunc(m.order, func(h *heldJob) bool {
		h.settle(now)
		if !h.forgotten(now) {
			return false
		}
		delete(m.byID, h.ID)
		delete(m.byKey, h.Key)
		return true
	})
}

func (m *memoryJobs) Take(ctx context.Context, c JobClaim) (Job, bool, error) {
	if err := ctx.Err(); err != nil {
		return Job{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.sweep(now)
	for _, h := range m.order {
		if h.State == JobRunning && h.token == c.Token {
			return h.Job, true, nil
		}
	}
	for _, h := range m.order {
		free := h.State == JobQueued || h.State == JobRunning && !now.Before(h.lease)
		if !free || !slices.Contains(c.Tools, h.Tool) {
			continue
		}
		h.State, h.token, h.lease, h.Begun = JobRunning, c.Token, now.Add(c.Lease), h.Begun+1
		return h.Job, true, nil
	}
	return Job{}, false, nil
}

// of finds a job by its worker.
func (m *memoryJobs) of(id, token string) (*heldJob, error) {
	h := m.byID[id]
	if h == nil || h.token != token {
		return nil, ErrNotWorker
	}
	return h, nil
}

func (m *memoryJobs) Renew(ctx context.Context, id, token string, lease time.Duration, percent int, progress string) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	h, err := m.of(id, token)
	if err != nil {
		return false, err
	}
	if h.State != JobRunning {
		return false, ErrNotWorker
	}
	h.lease, h.Percent, h.Progress = now.Add(lease), percent, progress
	return h.Cancelled, nil
}

func (m *memoryJobs) End(ctx context.Context, id, token string, state JobState, result []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	h, err := m.of(id, token)
	switch {
	case err != nil:
		return err
	case h.State == state:
		return nil
	case h.State != JobRunning:
		return ErrNotWorker
	}
	h.end(state, result, time.Now())
	return nil
}

// find settles and returns a job of its owner.
func (m *memoryJobs) find(owner idempotency.Digest, id string, now time.Time) (*heldJob, error) {
	h := m.byID[id]
	if h == nil || h.Owner != owner {
		return nil, ErrNoJob
	}
	h.settle(now)
	if h.forgotten(now) {
		return nil, ErrNoJob
	}
	return h, nil
}

func (m *memoryJobs) Get(ctx context.Context, owner idempotency.Digest, id string) (Job, error) {
	if err := ctx.Err(); err != nil {
		return Job{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	h, err := m.find(owner, id, time.Now())
	if err != nil {
		return Job{}, err
	}
	return h.Job, nil
}

func (m *memoryJobs) Cancel(ctx context.Context, owner idempotency.Digest, id string) (Job, error) {
	if err := ctx.Err(); err != nil {
		return Job{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	h, err := m.find(owner, id, now)
	if err != nil {
		return Job{}, err
	}
	switch h.State {
	case JobQueued:
		h.end(JobCancelled, nil, now)
	case JobRunning:
		h.Cancelled = true
	case JobDone, JobFailed, JobCancelled, JobLost:
	}
	return h.Job, nil
}
