package middleware

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware/call"
)

// jobCall is what it takes to run a job, as the store keeps it.
type jobCall struct {
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Meta      call.Meta       `json:"meta"`
	Caller    call.Caller     `json:"caller"`
}

// The longest call and the longest result that are kept, in bytes.
const (
	maxJobCall   = 256 << 10
	maxJobResult = 256 << 10
)

// maxProgress is the longest text of a progress, in UTF-16 code units.
const maxProgress = 200

// jobRun is one run of a job in this process.
type jobRun struct {
	workers *Workers
	job     takenJob
	cancel  context.CancelCauseFunc
	done    chan struct{} // closed when the handler has returned
	moved   chan struct{} // there is progress to tell

	res *mcp.CallToolResult // what it returned
	err error

	mu       sync.Mutex
	percent  int
	progress string
}

type jobKey struct{}

// jobFrom returns the run of the job that ctx belongs to, or nil.
func jobFrom(ctx context.Context) *jobRun {
	r, _ := ctx.Value(jobKey{}).(*jobRun)
	return r
}

// Progress says how far the job is that runs in ctx, for whoever asks: percent is cut
// to 0 to 100, and text is one short sentence for the person, or "". It returns at
// once, may be called as often as one likes, and does nothing outside of a job.
func Progress(ctx context.Context, percent int, text string) {
	r := jobFrom(ctx)
	if r == nil {
		return
	}
	text = cleanMessage(text, maxProgress)
	r.mu.Lock()
	r.percent, r.progress = min(max(percent, 0), 100), text
	r.mu.Unlock()
	select {
	case r.moved <- struct{}{}:
	default:
	}
}

// effectKey is that of a step of the job: the same whenever it is begun.
func (r *jobRun) effectKey(step string) string {
	sum := idempotency.NewDigest("job effect", r.job.ID, step)
	return hex.EncodeToString(sum[:])
}

// Why a run ends before its time.
var (
	errJobCancelled = errors.New("portavoz/middleware: somebody asked for the end of the job")
	errJobTaken     = errors.New("portavoz/middleware: the job is not this worker's any more")
	errJobDeadline  = errors.New("portavoz/middleware: the job took longer than its deadline")
)

// execute runs a job to its end, and returns when both the handler has returned and
// the jobs know.
func (w *Workers) execute(job takenJob, tool *deferred) {
	ctx, cancel := context.WithCancelCause(w.life)
	defer cancel(nil)
	r := &jobRun{
		workers: w, job: job, cancel: cancel, percent: job.Percent, progress: job.Progress,
		done: make(chan struct{}), moved: make(chan struct{}, 1),
	}
	ctx = context.WithValue(ctx, jobKey{}, r)
	ctx, stop := context.WithTimeoutCause(ctx, tool.cfg.Deadline, errJobDeadline)
	defer stop()
	w.mu.Lock()
	w.live[job.ID] = r
	w.mu.Unlock()
	go r.run(ctx, tool)
	cause := r.watch(ctx)
	w.mu.Lock()
	if w.live[job.ID] == r { // it may have been begun again
		delete(w.live, job.ID)
	}
	w.mu.Unlock()
	r.end(cause)
	<-r.done
}

// run calls the handler.
func (r *jobRun) run(ctx context.Context, tool *deferred) {
	returned := false
	defer func() {
		if !returned {
			r.res, r.err = nil, panicked(&PanicError{Value: recover(), Stack: debug.Stack()})
		}
		close(r.done)
	}()
	r.res, r.err = tool.handle(ctx, r.job.Call)
	returned = true
}

// watch renews the lease and tells progress until the handler has returned, or had
// to. It returns why it had to, nil if it has.
func (r *jobRun) watch(ctx context.Context) error {
	every := max(r.workers.cfg.Lease/3, time.Millisecond)
	told := time.Now()
	timer := time.NewTimer(every)
	defer timer.Stop()
	failing := 0
	for {
		select {
		case <-r.done:
			return context.Cause(ctx)
		case <-ctx.Done():
			r.linger()
			return context.Cause(ctx)
		case <-r.moved:
			timer.Reset(max(0, min(every, progressEvery)-time.Since(told)))
			continue
		case <-timer.C:
		}
		told = time.Now()
		switch cancelled, err := r.renew(ctx); {
		case errors.Is(err, ErrNotWorker):
			r.cancel(errJobTaken)
		case err == nil && cancelled:
			r.cancel(errJobCancelled)
		case err == nil:
			failing = 0
		default:
			if failing++; failing >= 2 && r.job.Attempts > 1 {
				r.cancel(errJobTaken) // another worker may take it from now on
			}
		}
		timer.Reset(every)
	}
}

// linger gives a handler whose context has ended the time to return.
func (r *jobRun) linger() {
	grace := time.NewTimer(jobGrace)
	defer grace.Stop()
	select {
	case <-r.done:
	case <-grace.C:
	}
}

// progressEvery is how often progress is told at most.
const progressEvery = time.Second

func (r *jobRun) renew(ctx context.Context) (cancelled bool, err error) {
	r.mu.Lock()
	percent, progress := r.percent, r.progress
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, min(jobsTimeout, r.workers.cfg.Lease/6))
	defer cancel()
	defer rescueJobs(&err)
	return r.workers.jobs.Renew(ctx, r.job.ID, r.job.token, r.workers.cfg.Lease, percent, progress)
}

// end tells the jobs how the run ended, as often as they need to hear it.
func (r *jobRun) end(cause error) {
	state, result, tell := r.outcome(cause)
	if !tell {
		return
	}
	for began, wait := time.Now(), 50*time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		err := r.tell(state, result)
		if err == nil || errors.Is(err, ErrNotWorker) || time.Since(began) > endFor || !sleep(r.workers.life, wait) {
			return
		}
	}
}

func (r *jobRun) tell(state JobState, result []byte) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), jobsTimeout)
	defer cancel()
	defer rescueJobs(&err)
	return r.workers.jobs.End(ctx, r.job.ID, r.job.token, state, result)
}

// outcome is how the job ended. A handler that succeeded has, whatever was asked of
// it meanwhile.
func (r *jobRun) outcome(cause error) (state JobState, result []byte, tell bool) {
	select {
	case <-r.done:
	default: // it has not returned, and nobody waits for it any more
		if errors.Is(cause, errJobCancelled) {
			return JobLost, nil, true // what it does from now on is not called off
		}
		return r.interrupted(cause, errors.System("", errors.WithCode(errors.CodeTimeout)))
	}
	failure := failureOf(r.res, r.err)
	if failure == nil {
		result, failure = keptJob(r.res)
	}
	if failure == nil {
		return JobDone, result, true
	}
	return r.interrupted(cause, failure)
}

// interrupted is the end of a run that failed, for its cause if it had to end. One that
// cannot say what it has done says so, whatever was asked of it.
func (r *jobRun) interrupted(cause error, failure *errors.Error) (JobState, []byte, bool) {
	switch {
	case errors.Is(cause, errJobCancelled) && failure.Type != errors.TypeUnknown && failure.Code != errors.CodePanic:
		return JobCancelled, nil, true
	case errors.Is(cause, errJobTaken):
		return "", nil, false
	case errors.Is(cause, errDrained):
		return JobLost, nil, r.job.Begun >= r.job.Attempts // else another worker begins it again
	case errors.Is(cause, errJobDeadline):
		failure = errors.System("", errors.WithCode(errors.CodeTimeout), errors.WithEffect(errors.EffectUnknown))
	}
	raw, err := json.Marshal(failure)
	if err != nil { // errors.Error leaves out what cannot be encoded
		raw = nil
	}
	return JobFailed, raw, true
}

// keptJob is a result as it is kept, or why it is not.
func keptJob(res *mcp.CallToolResult) ([]byte, *errors.Error) {
	switch {
	case res == nil:
		return nil, errors.System("", errors.WithCode(errors.CodeNoResult))
	case res.NeedsInput():
		return nil, errors.System("", errors.WithCode(errors.CodeInputRequired))
	}
	sealed, err := sealSound(nil, res)
	if err != nil {
		return nil, withheld(err)
	}
	kept := encodeResult(sealed)
	if len(kept) > maxJobResult {
		return nil, withheld(errors.New("the result is too long to be kept"))
	}
	return kept, nil
}
