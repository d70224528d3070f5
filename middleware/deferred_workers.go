package middleware

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// WorkersConfig tunes [NewWorkers]. The zero value is right for most servers.
type WorkersConfig struct {
	// Max is how many jobs run at once in this process. A handler that does not end
	// when its context does keeps its place. Default: 4.
	Max int
	// MaxQueued is how many jobs may wait; beyond it a start is SYSTEM with the code
	// "busy". Default: 100.
	MaxQueued int
	// MaxQueuedPerCaller is how many of those may be of one caller in one tenant and
	// company, so that nobody fills the queue for everybody; beyond it a start is
	// refused in the same way. Default: a quarter of MaxQueued, rounded up.
	MaxQueuedPerCaller int
	// Lease is how long a worker may go without a sign of life before its job counts
	// as lost. It is renewed every third of that. Default: 30 seconds.
	Lease time.Duration
	// Poll is how often [Workers.Run] looks for jobs of other processes, and how
	// long to wait for jobs that cannot be reached. Default: 2 seconds.
	Poll time.Duration
	// LeaveQueued makes Drain leave what is queued to other processes or to the next
	// one, instead of running it. It is for jobs that outlive this process. Default:
	// false.
	LeaveQueued bool
	// Observers are told of every run: an event with the name of the tool that
	// [Deferred] was given. Default: nobody is told.
	Observers []Observer
}

// Workers run jobs, apart from the calls that start them. They are safe for
// concurrent use. There is no goroutine while there is nothing to run.
type Workers struct {
	cfg  WorkersConfig
	jobs Jobs
	life context.Context //nolint:containedctx // that of the runs, which no call's is
	kill context.CancelCauseFunc

	mu       sync.Mutex
	tools    map[string]*deferred
	live     map[string]*jobRun
	running  int
	again    bool // somebody came while all were busy
	draining bool
	idle     chan struct{} // closed when draining and nothing runs
}

// quarter is what one caller may take of what all share, unless it is said otherwise.
func quarter(n int) int { return (n + 3) / 4 }

// errDrained is why a run ends before its time.
var errDrained = errors.New("portavoz/middleware: the workers were drained")

// NewWorkers returns workers for jobs. Give them tools with [Deferred], and call
// [Workers.Drain] at shutdown. It panics if jobs is nil or cfg has a negative field.
func NewWorkers(jobs Jobs, cfg WorkersConfig) *Workers {
	if jobs == nil || cfg.Max < 0 || cfg.MaxQueued < 0 || cfg.MaxQueuedPerCaller < 0 || cfg.Lease < 0 || cfg.Poll < 0 {
		panic("portavoz/middleware: NewWorkers: jobs is nil or a field is negative")
	}
	cfg.Max = cmp.Or(cfg.Max, 4)
	cfg.MaxQueued = cmp.Or(cfg.MaxQueued, 100)
	cfg.MaxQueuedPerCaller = cmp.Or(cfg.MaxQueuedPerCaller, quarter(cfg.MaxQueued))
	cfg.Lease = cmp.Or(cfg.Lease, 30*time.Second)
	cfg.Poll = cmp.Or(cfg.Poll, 2*time.Second)
	cfg.Observers = slices.Clone(cfg.Observers)
	w := &Workers{cfg: cfg, jobs: jobs, tools: map[string]*deferred{}, live: map[string]*jobRun{}, idle: make(chan struct{})}
	w.life, w.kill = context.WithCancelCause(context.Background())
	return w
}

// Run looks for jobs that other processes left, until ctx ends: those that were
// queued when a process ended, and those whose worker died and that may be run again.
// It is for jobs that processes share; call it in a goroutine of its own, after all
// tools were given.
func (w *Workers) Run(ctx context.Context) {
	ticker := time.NewTicker(w.cfg.Poll)
	defer ticker.Stop()
	for {
		w.wake()
		select {
		case <-ctx.Done():
			return
		case <-w.life.Done():
			return
		case <-ticker.C:
		}
	}
}

// Drain refuses new jobs and waits until those that run have ended, and those that
// are queued have been run (see [WorkersConfig.LeaveQueued]), or until ctx ends. Just
// before that it ends the runs: such a job is lost, or run again elsewhere if it may
// be. Call it after http.Server.Shutdown. A second call waits as well.
func (w *Workers) Drain(ctx context.Context) error {
	w.mu.Lock()
	if !w.draining {
		w.draining = true
		w.close()
	}
	w.mu.Unlock()
	soft, cancel := ctx, context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok {
		soft, cancel = context.WithTimeout(ctx, time.Until(end)-jobGrace)
	}
	defer cancel()
	select {
	case <-w.idle:
		w.kill(errDrained)
		return nil
	case <-soft.Done():
	}
	w.kill(errDrained)
	select {
	case <-w.idle:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// close says so if nothing runs any more. The lock is held.
func (w *Workers) close() {
	if w.draining && w.running == 0 {
		select {
		case <-w.idle:
		default:
			close(w.idle)
		}
	}
}

// accepts reports whether new jobs are taken.
func (w *Workers) accepts() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.draining
}

// wake sees to it that somebody looks for a job.
func (w *Workers) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.takes() || len(w.tools) == 0:
	case w.running >= w.cfg.Max:
		w.again = true
	default:
		w.running++
		go w.work()
	}
}

// takes reports whether jobs are still begun. The lock is held.
func (w *Workers) takes() bool {
	return w.life.Err() == nil && (!w.draining || !w.cfg.LeaveQueued)
}

// work runs jobs until there are none.
func (w *Workers) work() {
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running--
		w.close()
	}()
	for token := rand.Text(); ; {
		job, tool, err := w.take(token)
		switch {
		case err != nil: // it may have been taken: the same claim gets it
			if !sleep(w.life, w.cfg.Poll) {
				return
			}
			continue
		case tool != nil:
			w.execute(job, tool)
		case w.rests():
			return
		}
		token = rand.Text()
	}
}

// rests reports whether there is nothing to do: nobody came since the last look.
func (w *Workers) rests() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	again := w.again && w.takes()
	w.again = false
	return !again
}

// take finds a job, and the tool that it is of; nil if there is none.
func (w *Workers) take(token string) (taken takenJob, tool *deferred, err error) {
	w.mu.Lock()
	names, takes := slices.Sorted(maps.Keys(w.tools)), w.takes()
	w.mu.Unlock()
	if !takes {
		return takenJob{}, nil, nil
	}
	ctx, cancel := context.WithTimeout(w.life, jobsTimeout)
	defer cancel()
	defer rescueJobs(&err)
	job, found, err := w.jobs.Take(ctx, JobClaim{Token: token, Tools: names, Lease: w.cfg.Lease})
	if err != nil || !found {
		return takenJob{}, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return takenJob{job, token}, w.tools[job.Tool], nil
}

// takenJob is a job and by which token it is this worker's.
type takenJob struct {
	Job

	token string
}

// Bounds of what the workers wait for.
const (
	jobsTimeout = 2 * time.Second // of one question to the jobs
	jobGrace    = time.Second     // for a handler to return when its context has ended
	endFor      = time.Hour       // how long the end of a job is told to jobs that do not take it
)

// rescueJobs makes an error of a panic in a user's jobs.
func rescueJobs(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("portavoz/middleware: the jobs panicked: %v", v)
	}
}
