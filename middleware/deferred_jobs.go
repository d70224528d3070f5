package middleware

import (
	"context"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// JobState is how far a job is.
type JobState string

// The states. A job is queued, then running, and ends in exactly one of the other
// four. One that is run again after its worker died is running still.
const (
	JobQueued    JobState = "queued"
	JobRunning   JobState = "running"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
	// JobLost: nobody will say how it ended. Its worker died or, if it never
	// started, no worker came for it in time.
	JobLost JobState = "lost"
)

// Ended reports whether the state is final.
func (s JobState) Ended() bool { return s != JobQueued && s != JobRunning }

// Job is a call that runs apart from the one that started it.
type Job struct {
	// ID is the name by which it is asked for. It cannot be guessed.
	ID string
	// Key is the digest of the operation that started it: one key, one job.
	Key idempotency.Digest
	// Fingerprint is the digest of the arguments; a key belongs to one.
	Fingerprint idempotency.Digest
	// Owner is the digest of caller and tenant. Nobody else learns of the job.
	Owner idempotency.Digest
	// Tool is the tool that started it.
	Tool string
	// Call is what it takes to run it. To a store, it is opaque.
	Call []byte

	// Wait is how long it may wait for a worker, also after one died.
	Wait time.Duration
	// Keep is how long it is remembered after it ended.
	Keep time.Duration
	// Attempts is how often it may be begun: once, or more if it is run again after
	// its worker died.
	Attempts int

	State     JobState
	Begun     int       // how often a worker has begun it
	Cancelled bool      // somebody asked for its end
	QueuedAt  time.Time // by the store's clock
	EndedAt   time.Time // zero until it has
	Percent   int       // 0 to 100; -1 if nothing was reported
	Progress  string    // what it is doing
	Result    []byte    // what End was given
}

// JobLimits bound how many jobs are queued.
type JobLimits struct {
	// Queued is how many may be, of all owners.
	Queued int
	// PerOwner is how many of those may be of one.
	PerOwner int
}

// JobClaim is a worker that has nothing to do.
type JobClaim struct {
	// Token names the worker's claim, in 64 bytes of ASCII at most, and is fresh.
	Token string
	// Tools are those whose jobs it can run; at least one.
	Tools []string
	// Lease is how long it may go without a sign of life.
	Lease time.Duration
}

// Jobs remembers jobs. Every method is one atomic step, is safe for concurrent use,
// and honours its context; a store that processes share decides by its own clock.
//
// A job goes from queued to running and then ends, once. The token that took it last
// moves it on; any other gets [ErrNotWorker] and changes nothing. A job ends as
// [JobLost] when it is looked at, by whatever method, and
//
//   - it has been queued for longer than Wait, or
//   - its lease has ended, and it may not be begun again or its end was asked for, or
//   - its lease has ended longer ago than Wait, and nobody has taken it.
//
// Until then its worker may still report. What has ended is forgotten after Keep, and
// its key is free then. Nothing else is forgotten.
type Jobs interface {
	// Add queues the job, or returns the one that its Key has already: with
	// [ErrJobConflict] if that has another Fingerprint or Owner. It fails with
	// [ErrJobsFull] if one more would be beyond the limits, or there is no room.
	Add(ctx context.Context, j Job, limits JobLimits) (Job, error)
	// Take gives the claim the job that has waited longest: one that is queued, or
	// whose lease has ended while it may be begun again. False says that there is
	// none. The same claim made again gets the job that it has.
	Take(ctx context.Context, c JobClaim) (Job, bool, error)
	// Renew lets the lease run for that long from now, notes progress, and reports
	// whether the job's end was asked for.
	Renew(ctx context.Context, id, token string, lease time.Duration, percent int, progress string) (cancelled bool, err error)
	// End ends the job. Ending it twice with one token is not an error, and changes
	// nothing.
	End(ctx context.Context, id, token string, state JobState, result []byte) error
	// Get returns a job, or [ErrNoJob] if it is not there or not the owner's.
	Get(ctx context.Context, owner idempotency.Digest, id string) (Job, error)
	// Cancel ends a job that is queued, and asks for the end of one that runs. One
	// that has ended stays as it is. It returns what became of it; the errors are
	// those of Get.
	Cancel(ctx context.Context, owner idempotency.Digest, id string) (Job, error)
}

// The errors of [Jobs], for [errors.Is].
var (
	// ErrNoJob: there is no such job, or it is somebody else's.
	ErrNoJob = errors.New("portavoz/middleware: there is no such job")
	// ErrNotWorker: the job has ended, or another worker has taken it.
	ErrNotWorker = errors.New("portavoz/middleware: the job is not this worker's any more")
	// ErrJobConflict: the key has started a job with other arguments.
	ErrJobConflict = errors.New("portavoz/middleware: the key has started another job")
	// ErrJobsFull: no more jobs are taken.
	ErrJobsFull = errors.New("portavoz/middleware: there is no room for another job")
)
