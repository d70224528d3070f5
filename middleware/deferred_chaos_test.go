package middleware_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// badJobs loses questions and answers, each with a probability, and asserts that a
// job that has ended stays as it is.
type badJobs struct {
	middleware.Jobs

	t     *testing.T
	mu    sync.Mutex
	dice  *rand.Rand
	lossy float64
	ended map[string]middleware.JobState
}

// oneJob is room for one.
var oneJob = middleware.JobLimits{Queued: 1, PerOwner: 1}

var errLost = errors.New("the connection was lost")

// through asks the jobs, unless the question or the answer is lost.
func (b *badJobs) through(ask func() error) error {
	b.mu.Lock()
	before, after := b.dice.Float64() < b.lossy, b.dice.Float64() < b.lossy
	b.mu.Unlock()
	if before {
		return errLost
	}
	if err := ask(); err != nil || !after {
		return err
	}
	return errLost
}

func (b *badJobs) Add(ctx context.Context, j middleware.Job, limits middleware.JobLimits) (added middleware.Job, err error) {
	err = b.through(func() (err error) { added, err = b.Jobs.Add(ctx, j, limits); return err })
	return added, err
}

func (b *badJobs) Take(ctx context.Context, c middleware.JobClaim) (j middleware.Job, found bool, err error) {
	err = b.through(func() (err error) { j, found, err = b.Jobs.Take(ctx, c); return err })
	return j, found, err
}

func (b *badJobs) Renew(ctx context.Context, id, token string, lease time.Duration, percent int, progress string) (cancelled bool, err error) {
	err = b.through(func() (err error) {
		cancelled, err = b.Jobs.Renew(ctx, id, token, lease, percent, progress)
		return err
	})
	return cancelled, err
}

func (b *badJobs) End(ctx context.Context, id, token string, state middleware.JobState, result []byte) error {
	return b.through(func() error { return b.Jobs.End(ctx, id, token, state, result) })
}

func (b *badJobs) Get(ctx context.Context, owner idempotency.Digest, id string) (middleware.Job, error) {
	j, err := b.Jobs.Get(ctx, owner, id)
	if err == nil {
		b.look(j)
	}
	return j, err
}

func (b *badJobs) Cancel(ctx context.Context, owner idempotency.Digest, id string) (j middleware.Job, err error) {
	err = b.through(func() (err error) { j, err = b.Jobs.Cancel(ctx, owner, id); return err })
	if err == nil {
		b.look(j)
	}
	return j, err
}

// look holds a job to what it was seen as.
func (b *badJobs) look(j middleware.Job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if before, ok := b.ended[j.ID]; ok && before != j.State {
		b.t.Errorf("job %s was %s and is %s", j.ID, before, j.State)
	}
	if j.State.Ended() {
		b.ended[j.ID] = j.State
	}
}

// Whatever happens, a job that was accepted ends in exactly one way, runs once unless
// it may run again, and no goroutine is left: the bubble would not end.
func TestDeferredChaos(t *testing.T) {
	t.Parallel()
	rounds := 40
	if os.Getenv("PORTAVOZ_LONG") != "" {
		rounds = 2000
	}
	for seed := range rounds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { checkChaos(t, uint64(seed)) })
		})
	}
}

func checkChaos(t *testing.T, seed uint64) {
	t.Helper()
	dice := rand.New(rand.NewPCG(seed, 1))
	jobs := &badJobs{
		Jobs: middleware.NewJobs(middleware.JobsConfig{}), t: t, ended: map[string]middleware.JobState{},
		dice: rand.New(rand.NewPCG(seed, 2)), lossy: float64(seed%4) / 10,
	}
	rerun := seed%3 == 0
	var mu sync.Mutex
	begun := map[string]int{} // by arguments
	running, most := 0, 1+dice.IntN(3)
	nap := func(n int) time.Duration { return time.Duration(dice.IntN(n)) * time.Second }
	naps := make([]time.Duration, 64)
	for i := range naps {
		naps[i] = nap(90)
	}
	work := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		mes := req.GetString("mes", "")
		mu.Lock()
		begun[mes]++
		if running++; running > 2*most {
			t.Errorf("%d jobs run at once in two processes, want %d in each at most", running, most)
		}
		kind := naps[len(begun)%len(naps)]
		mu.Unlock()
		defer func() {
			mu.Lock()
			running--
			mu.Unlock()
		}()
		middleware.Progress(ctx, int(kind/time.Second), "a medias")
		switch kind % 7 {
		case 0:
			time.Sleep(kind) // heeds nothing
		case 1:
			panic("roto")
		default:
			select {
			case <-time.After(kind):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return reported(ctx, req)
	}
	configs := middleware.WorkersConfig{Max: most, MaxQueued: 4, MaxQueuedPerCaller: 4, Lease: 9 * time.Second}
	deferred := middleware.DeferredConfig{Deadline: time.Minute, Wait: 2 * time.Minute, Keep: 24 * time.Hour, Rerun: rerun}
	offices := []office{officeOver(jobs, work, configs, deferred), officeOver(jobs, work, configs, deferred)}
	looking, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, o := range offices {
		wg.Go(func() { o.workers.Run(looking) })
	}

	accepted := map[string]bool{}
	for i := range 60 {
		o := offices[dice.IntN(2)]
		arguments := fmt.Sprintf(`{"mes":"%d"}`, i/2)
		_, id := o.say(t.Context(), t, calling("iniciar_reporte", arguments, fmt.Sprint("k", i/2)))
		if id != "" {
			accepted[id] = true
		}
		time.Sleep(nap(12))
		for id := range accepted {
			if dice.IntN(20) == 0 {
				o.say(t.Context(), t, calling("cancelar_reporte", fmt.Sprintf(`{"jobId":%q}`, id), ""))
			}
			if dice.IntN(3) == 0 {
				o.ask(t.Context(), t, id)
			}
		}
		if i == 40 { // one process is stopped in the middle
			ctx, cancel := context.WithTimeout(t.Context(), nap(30)+time.Second)
			_ = offices[1].workers.Drain(ctx)
			cancel()
			offices[1] = offices[0]
		}
	}
	time.Sleep(10 * time.Minute)
	stop()
	wg.Wait()
	offices[0].drain(t)
	if len(accepted) < 5 {
		t.Errorf("only %d jobs were accepted", len(accepted))
	}
	for id := range accepted {
		if job, err := jobs.Get(t.Context(), ownerOfTest, id); err != nil || !job.State.Ended() {
			t.Errorf("job %s is %s, %v; want it to have ended", id, job.State, err)
		}
	}
	for mes, n := range begun {
		if limit := map[bool]int{true: 3, false: 1}[rerun]; n > limit {
			t.Errorf("the job of %s was begun %d times, want %d at most", mes, n, limit)
		}
	}
}

// A worker that dies leaves its job lost, or to the next one; what it says later
// changes nothing.
func TestDeferredWorkerDies(t *testing.T) {
	t.Parallel()
	for _, rerun := range []bool{false, true} {
		t.Run(fmt.Sprint("rerun ", rerun), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var runs atomic.Int64
				o := newOffice(counted(&runs, reported), middleware.WorkersConfig{Lease: time.Minute}, middleware.DeferredConfig{Rerun: rerun, Wait: time.Hour})
				attempts := map[bool]int{true: 3, false: 1}[rerun]
				added, err := o.jobs.Add(t.Context(), middleware.Job{
					ID: "J", Owner: ownerOfTest, Tool: "iniciar_reporte", Call: []byte(`{"arguments":{"mes":"2026-09"}}`),
					Wait: time.Hour, Keep: time.Hour, Attempts: attempts,
				}, oneJob)
				if err != nil || added.State != middleware.JobQueued {
					t.Fatal(added.State, err)
				}
				claim := middleware.JobClaim{Token: "muerto", Tools: []string{"iniciar_reporte"}, Lease: time.Minute}
				for range 2 { // the answer to the first one was lost
					if job, found, err := o.jobs.Take(t.Context(), claim); err != nil || !found || job.Begun != 1 {
						t.Fatal(job.Begun, found, err)
					}
				}
				time.Sleep(time.Minute - 1)
				if got := o.state(t, "J").State; got != middleware.JobRunning {
					t.Errorf("within the lease it is %s", got)
				}
				time.Sleep(time.Nanosecond)
				running, stop := context.WithTimeout(t.Context(), 10*time.Second)
				defer stop()
				o.workers.Run(running)
				o.drain(t)
				want := map[bool]middleware.JobState{true: middleware.JobDone, false: middleware.JobLost}[rerun]
				if got := o.state(t, "J").State; got != want || (runs.Load() == 1) != rerun {
					t.Errorf("it is %s after %d runs, want %s", got, runs.Load(), want)
				}
				if err := o.jobs.End(t.Context(), "J", "muerto", middleware.JobFailed, nil); !errors.Is(err, middleware.ErrNotWorker) {
					t.Errorf("the dead one said how it ended: %v", err)
				}
				if _, err := o.jobs.Renew(t.Context(), "J", "muerto", time.Hour, 1, ""); !errors.Is(err, middleware.ErrNotWorker) {
					t.Errorf("the dead one renewed its lease: %v", err)
				}
				if !rerun {
					if got, want := o.ask(t.Context(), t, "J"), failure("UNKNOWN", "No fue posible confirmar si esa solicitud llegó a terminar.", `{"code":"job_lost"}`); got != want {
						t.Errorf("got  %s\nwant %s", got, want)
					}
				}
			})
		})
	}
}

// Two workers of one job: only the one that took it last is heard.
func TestJobsFence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		jobs := middleware.NewJobs(middleware.JobsConfig{})
		if _, err := jobs.Add(t.Context(), middleware.Job{ID: "J", Tool: "x", Wait: time.Hour, Keep: time.Hour, Attempts: 2}, oneJob); err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{"a", "b"} {
			if _, found, err := jobs.Take(t.Context(), middleware.JobClaim{Token: token, Tools: []string{"x"}, Lease: time.Second}); !found || err != nil {
				t.Fatal(token, found, err)
			}
			time.Sleep(time.Second)
		}
		if err := jobs.End(t.Context(), "J", "a", middleware.JobFailed, nil); !errors.Is(err, middleware.ErrNotWorker) {
			t.Errorf("the first one ended it: %v", err)
		}
		if _, err := jobs.Renew(t.Context(), "J", "a", time.Hour, 0, ""); !errors.Is(err, middleware.ErrNotWorker) {
			t.Errorf("the first one renewed it: %v", err)
		}
		for range 2 { // late, but nobody has looked
			if err := jobs.End(t.Context(), "J", "b", middleware.JobDone, []byte("r")); err != nil {
				t.Errorf("the second one: %v", err)
			}
		}
		if job, err := jobs.Get(t.Context(), idempotency.Digest{}, "J"); err != nil || job.State != middleware.JobDone || string(job.Result) != "r" || job.Begun != 2 {
			t.Errorf("got %+v, %v", job, err)
		}
	})
}
