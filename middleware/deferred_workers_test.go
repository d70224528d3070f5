package middleware_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// slowJobs are asked for a job, find none, and answer late.
type slowJobs struct {
	middleware.Jobs

	looked, answer chan struct{}
}

func (s slowJobs) Take(ctx context.Context, c middleware.JobClaim) (middleware.Job, bool, error) {
	job, found, err := s.Jobs.Take(ctx, c)
	if !found {
		s.looked <- struct{}{}
		<-s.answer
	}
	return job, found, err
}

// A job that is queued while the only worker is told that there is none.
func TestDeferredWakesABusyWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		jobs := slowJobs{middleware.NewJobs(middleware.JobsConfig{}), make(chan struct{}), make(chan struct{})}
		o := officeOver(jobs, reported, middleware.WorkersConfig{Max: 1}, middleware.DeferredConfig{})
		o.start(t.Context(), t, "")
		<-jobs.looked // after the first one
		second := o.start(t.Context(), t, "")
		jobs.answer <- struct{}{}
		<-jobs.looked
		if got := o.state(t, second).State; got != middleware.JobDone {
			t.Errorf("the second job is %s, want done", got)
		}
		close(jobs.answer)
		o.drain(t)
	})
}

// A worker that cannot renew its lease stops before another one may begin the job.
func TestDeferredStopsWithinItsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		jobs := &badJobs{Jobs: middleware.NewJobs(middleware.JobsConfig{}), t: t, ended: map[string]middleware.JobState{}, dice: rand.New(rand.NewPCG(1, 1))}
		began := time.Now()
		var ran time.Duration
		o := officeOver(jobs, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if ran == 0 {
				jobs.mu.Lock()
				jobs.lossy = 1
				jobs.mu.Unlock()
				<-ctx.Done()
				ran = time.Since(began)
				jobs.mu.Lock()
				jobs.lossy = 0
				jobs.mu.Unlock()
			}
			return nil, ctx.Err()
		}, middleware.WorkersConfig{Lease: 30 * time.Second}, middleware.DeferredConfig{Rerun: true})
		o.start(t.Context(), t, "")
		o.drain(t)
		if ran < 20*time.Second || ran >= 30*time.Second {
			t.Errorf("it stopped after %s, want less than its lease of 30s", ran)
		}
	})
}

// A worker whose lease ends learns that its job is not its own any more.
func TestDeferredLosesItsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		jobs := &badJobs{Jobs: middleware.NewJobs(middleware.JobsConfig{}), t: t, ended: map[string]middleware.JobState{}, dice: rand.New(rand.NewPCG(1, 1))}
		ended := make(chan error, 1)
		o := officeOver(jobs, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		}, middleware.WorkersConfig{}, middleware.DeferredConfig{})
		id := o.start(t.Context(), t, "")
		synctest.Wait()
		setLossy := func(p float64) { jobs.mu.Lock(); jobs.lossy = p; jobs.mu.Unlock() }
		setLossy(1)
		time.Sleep(40 * time.Second)
		if got := o.state(t, id).State; got != middleware.JobLost {
			t.Errorf("it is %s, want lost", got)
		}
		setLossy(0)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		select {
		case err := <-ended:
			if err == nil {
				t.Error("the context of the run says nothing")
			}
		default:
			t.Error("the run goes on")
		}
		o.drain(t)
	})
}

func TestDeferredDrain(t *testing.T) {
	t.Parallel()
	heeds := func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-time.After(time.Minute):
			return reported(ctx, req)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	tests := []struct {
		name    string
		handler handler
		leave   bool
		rerun   bool
		limit   time.Duration
		want    [2]middleware.JobState // of one that runs and one in the queue
		fails   bool
	}{
		{"in time", heeds, false, false, 3 * time.Minute, [2]middleware.JobState{middleware.JobDone, middleware.JobDone}, false},
		{"time for one", heeds, false, false, 90 * time.Second, [2]middleware.JobState{middleware.JobDone, middleware.JobLost}, false},
		{"no time", heeds, false, false, 5 * time.Second, [2]middleware.JobState{middleware.JobLost, middleware.JobQueued}, false},
		{"leaving the queue", heeds, true, false, 3 * time.Minute, [2]middleware.JobState{middleware.JobDone, middleware.JobQueued}, false},
		{"no time, and another may begin it", heeds, true, true, 5 * time.Second, [2]middleware.JobState{middleware.JobRunning, middleware.JobQueued}, false},
		{"one that heeds nothing", func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			time.Sleep(time.Minute)
			return reported(ctx, req)
		}, false, false, 5 * time.Second, [2]middleware.JobState{middleware.JobLost, middleware.JobQueued}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(tt.handler, middleware.WorkersConfig{Max: 1, LeaveQueued: tt.leave}, middleware.DeferredConfig{Rerun: tt.rerun})
				ids := [2]string{o.start(t.Context(), t, ""), o.start(t.Context(), t, "")}
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
				defer cancel()
				if err := o.workers.Drain(ctx); (err != nil) != tt.fails {
					t.Errorf("Drain: %v", err)
				}
				synctest.Wait()
				for i, id := range ids {
					if got := o.state(t, id).State; got != tt.want[i] {
						t.Errorf("job %d is %s, want %s", i, got, tt.want[i])
					}
				}
				time.Sleep(2 * time.Hour)
				for i, id := range ids {
					if job := o.state(t, id); !job.State.Ended() {
						t.Errorf("job %d is %s two hours later", i, job.State)
					}
				}
			})
		})
	}
}

// Jobs that fail, panic or hang are a failure of the tools, and lose nothing.
func TestDeferredWithoutItsJobs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		jobs := &badJobs{Jobs: middleware.NewJobs(middleware.JobsConfig{}), t: t, ended: map[string]middleware.JobState{}, dice: rand.New(rand.NewPCG(1, 1)), lossy: 1}
		o := officeOver(jobs, reported, middleware.WorkersConfig{}, middleware.DeferredConfig{})
		away := failure("SYSTEM", "En este momento no es posible atender solicitudes que toman tiempo.", `{"code":"job_store","retryable":true}`)
		if got, _ := o.say(t.Context(), t, calling("iniciar_reporte", `{}`, "k")); got != away {
			t.Errorf("a start with a key: got  %s\nwant %s", got, away)
		}
		if got, _ := o.say(t.Context(), t, calling("iniciar_reporte", `{}`, "")); got != failure("SYSTEM",
			"En este momento no es posible atender solicitudes que toman tiempo.", `{"code":"job_store"}`) {
			t.Errorf("a start without a key: got  %s", got)
		}
		jobs.Jobs = nil // and now every question panics
		jobs.lossy = 0
		if got, _ := o.say(t.Context(), t, calling("iniciar_reporte", `{}`, "k")); got != away {
			t.Errorf("jobs that panic: got  %s\nwant %s", got, away)
		}
		if got := o.ask(t.Context(), t, "x"); got != away {
			t.Errorf("jobs that panic, asked: got  %s\nwant %s", got, away)
		}
		o.drain(t)
	})
}

// One caller in one tenant can fill neither the queue nor the memory of what has ended.
func TestDeferredSharesItsRoom(t *testing.T) {
	t.Parallel()
	busy := failure("SYSTEM", "Hay muchas solicitudes pendientes, y conviene intentarlo de nuevo en un minuto.",
		`{"code":"busy","retryable":true,"retry_after_seconds":60}`)
	tests := []struct {
		name    string
		jobs    middleware.JobsConfig
		workers middleware.WorkersConfig
		ended   bool // those before have
	}{
		{"the queue", middleware.JobsConfig{}, middleware.WorkersConfig{Max: 1, MaxQueued: 8}, false}, // a quarter
		{"the queue, as it is said", middleware.JobsConfig{}, middleware.WorkersConfig{Max: 1, MaxQueuedPerCaller: 2}, false},
		{"what has ended", middleware.JobsConfig{Max: 9}, middleware.WorkersConfig{}, true}, // a quarter, rounded up
		{"what has ended, as it is said", middleware.JobsConfig{MaxPerCaller: 3}, middleware.WorkersConfig{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				stop := make(chan struct{})
				if tt.ended {
					close(stop)
				}
				o := officeOver(middleware.NewJobs(tt.jobs), stubborn(stop, reported), tt.workers, middleware.DeferredConfig{Keep: time.Hour})
				as := func(name, tenant string) context.Context {
					return call.WithCaller(t.Context(), call.Caller{Name: name, Tenant: tenant})
				}
				first := ""
				for i := range 3 { // one runs and two wait, or all have ended
					id := o.start(as("uno", "a"), t, fmt.Sprint("k", i))
					first = cmp.Or(first, id)
					synctest.Wait()
				}
				refused := calling("iniciar_reporte", `{}`, "k")
				if got, _ := o.say(as("uno", "a"), t, refused); got != busy {
					t.Errorf("one more: got  %s\nwant %s", got, busy)
				}
				if again := o.start(as("uno", "a"), t, "k0"); again != first {
					t.Errorf("the first one again is %s, want %s", again, first)
				}
				o.start(as("uno", "b"), t, "k")
				o.start(as("dos", "a"), t, "k")
				if !tt.ended {
					close(stop)
				}
				synctest.Wait()
				time.Sleep(time.Hour) // and what has ended is forgotten
				if got, _ := o.say(as("uno", "a"), t, refused); !strings.Contains(got, `"status":"queued"`) {
					t.Errorf("an hour later: got  %s", got)
				}
				o.drain(t)
			})
		})
	}
}
