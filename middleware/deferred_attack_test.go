package middleware_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// A handler that ends its goroutine has failed like one that panics, and its worker goes
// on to the next job.
func TestDeferredHandlerEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if runs.Add(1) == 1 {
				runtime.Goexit()
			}
			return reported(ctx, req)
		}, middleware.WorkersConfig{Max: 1}, middleware.DeferredConfig{})
		first, second := o.start(t.Context(), t, ""), o.start(t.Context(), t, "")
		o.drain(t)
		if got, want := o.ask(t.Context(), t, first), failure("SYSTEM", "Ocurrió un problema inesperado al atender la solicitud.", `{"code":"panic"}`); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got := o.ask(t.Context(), t, second); got != doneResult {
			t.Errorf("the next one: got  %s\nwant %s", got, doneResult)
		}
	})
}

// Progress that is told when the job has ended, by what the handler left behind, is not
// heard and keeps nobody.
func TestDeferredProgressAfterTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := make(chan struct{})
		o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			middleware.Progress(ctx, 90, "casi")
			go func() {
				defer close(told)
				time.Sleep(time.Minute)
				for n := range 100 {
					middleware.Progress(ctx, n, "tarde")
				}
			}()
			return reported(ctx, req)
		}, middleware.WorkersConfig{}, middleware.DeferredConfig{})
		id := o.start(t.Context(), t, "")
		<-told
		time.Sleep(time.Minute)
		if got := o.ask(t.Context(), t, id); got != doneResult {
			t.Errorf("got  %s\nwant %s", got, doneResult)
		}
		if job := o.state(t, id); job.Percent != -1 || job.Progress != "" {
			t.Errorf("it has ended at %d %%, %q", job.Percent, job.Progress)
		}
		o.drain(t)
	})
}

// Whoever asks twice for the end of a job that runs is told the same, and it ends once.
func TestDeferredCancelTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		var heard atomic.Int64
		o := newOffice(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			heard.Add(1)
			<-ended
			return nil, ctx.Err()
		}, middleware.WorkersConfig{}, middleware.DeferredConfig{})
		id := o.start(t.Context(), t, "")
		synctest.Wait()
		cancel := calling("cancelar_reporte", fmt.Sprintf(`{"jobId":%q}`, id), "")
		want := success("La cancelación quedó pedida, y falta que termine lo que está en curso.", `"status":"cancelling",`+queuedData)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 2 {
					if got, _ := o.say(t.Context(), t, cancel); got != want {
						t.Errorf("got  %s\nwant %s", got, want)
					}
				}
			})
		}
		all.Wait()
		close(ended)
		o.drain(t)
		if got := o.state(t, id).State; got != middleware.JobCancelled || heard.Load() != 1 {
			t.Errorf("it is %s after %d runs, want cancelled after one", got, heard.Load())
		}
	})
}

// Many starts at once under one key, on two servers over the same jobs, are one job.
func TestDeferredStartsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		jobs := middleware.NewJobs(middleware.JobsConfig{})
		offices := [2]office{}
		for i := range offices {
			offices[i] = officeOver(jobs, counted(&runs, reported), middleware.WorkersConfig{}, middleware.DeferredConfig{})
		}
		ids := make([]string, 40)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() { ids[i] = offices[i%2].start(t.Context(), t, fmt.Sprint("k", i%4/2)) })
		}
		all.Wait()
		for _, o := range offices {
			o.drain(t)
		}
		for i, id := range ids {
			if same := ids[i%4/2*2]; id != same {
				t.Errorf("start %d gave %s, want %s", i, id, same)
			}
		}
		if ids[0] == ids[2] || runs.Load() != 2 {
			t.Errorf("two keys gave %s and %s, and %d runs", ids[0], ids[2], runs.Load())
		}
	})
}

// A job can be asked for until, and not at, the end of its time; it waits for a worker
// until, and not at, the end of that.
func TestDeferredAtTheEdge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice(reported, middleware.WorkersConfig{}, middleware.DeferredConfig{Keep: time.Hour})
		id := o.start(t.Context(), t, "k")
		o.drain(t)
		time.Sleep(time.Hour - 1)
		if got := o.ask(t.Context(), t, id); got != doneResult {
			t.Errorf("before the end: got  %s\nwant %s", got, doneResult)
		}
		time.Sleep(time.Nanosecond)
		if got := o.ask(t.Context(), t, id); got != noSuchJob {
			t.Errorf("at the end: got  %s\nwant %s", got, noSuchJob)
		}
		if got, _ := o.say(t.Context(), t, calling("cancelar_reporte", fmt.Sprintf(`{"jobId":%q}`, id), "")); got != noSuchJob {
			t.Errorf("cancelled at the end: got  %s\nwant %s", got, noSuchJob)
		}

		for wait, want := range map[time.Duration]middleware.JobState{time.Minute - 1: middleware.JobRunning, time.Minute: middleware.JobLost} {
			jobs := middleware.NewJobs(middleware.JobsConfig{})
			if _, err := jobs.Add(t.Context(), middleware.Job{ID: "J", Tool: "x", Wait: time.Minute, Keep: time.Hour, Attempts: 1}, oneJob); err != nil {
				t.Fatal(err)
			}
			time.Sleep(wait)
			_, found, err := jobs.Take(t.Context(), middleware.JobClaim{Token: "w", Tools: []string{"x"}, Lease: time.Minute})
			if job, errGet := jobs.Get(t.Context(), middleware.Job{}.Owner, "J"); job.State != want || found != (want == middleware.JobRunning) || err != nil || errGet != nil {
				t.Errorf("after %s it is %s, taken %t, %v, %v; want %s", wait, job.State, found, err, errGet, want)
			}
		}
	})
}

// A handler that succeeds within a second after its deadline has succeeded; one that
// does so later has not.
func TestDeferredAroundTheDeadline(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]string{
		-time.Nanosecond:       doneResult,
		time.Second - 1:        doneResult,
		time.Second + 1:        failure("SYSTEM", "La respuesta tardó más de lo esperado.", `{"code":"timeout"}`),
		30 * time.Minute:       failure("SYSTEM", "La respuesta tardó más de lo esperado.", `{"code":"timeout"}`),
		500 * time.Millisecond: doneResult,
	} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := newOffice(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					time.Sleep(10*time.Minute + after)
					return reported(ctx, req)
				}, middleware.WorkersConfig{}, middleware.DeferredConfig{})
				id := o.start(t.Context(), t, "")
				o.drain(t)
				if got := o.ask(t.Context(), t, id); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		})
	}
}
