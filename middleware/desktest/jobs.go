package desktest

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware"
)

// bench is the jobs of one rule.
type bench struct {
	*testing.T

	jobs middleware.Jobs
	wait func(time.Duration)
	tool string // whose jobs are this rule's alone
}

// Jobs holds jobs to their interface.
func Jobs(t *testing.T, jobs func(*testing.T) middleware.Jobs, wait func(time.Duration)) {
	t.Helper()
	for _, rule := range []struct {
		name  string
		check func(*bench)
	}{
		{"a job goes from queued to done", (*bench).life},
		{"a key has one job", (*bench).oneKey},
		{"the queue is bounded", (*bench).full},
		{"the oldest is taken first", (*bench).order},
		{"a job is taken once", (*bench).race},
		{"the same claim gets the same job", (*bench).sameClaim},
		{"a dead worker's job is lost", (*bench).lost},
		{"a late report is heard if nobody looked", (*bench).late},
		{"a dead worker's job is begun again if it may be", (*bench).again},
		{"what nobody takes is lost", (*bench).notTaken},
		{"a job in the queue is cancelled", (*bench).cancelQueued},
		{"a job that runs is asked to end", (*bench).cancelRunning},
		{"a job is its owner's", (*bench).owner},
		{"what has ended is forgotten", (*bench).forget},
		{"a context that has ended", (*bench).context},
	} {
		t.Run(rule.name, func(t *testing.T) {
			rule.check(&bench{T: t, jobs: jobs(t), wait: wait, tool: "t_" + rand.Text()})
		})
	}
}

// room is more than a rule needs.
var room = middleware.JobLimits{Queued: 1000, PerOwner: 1000}

// add queues a job like the one that is given.
func (b *bench) add(edit func(*middleware.Job)) middleware.Job {
	b.Helper()
	job := middleware.Job{
		ID: rand.Text(), Key: digest(), Fingerprint: digest(), Owner: digest(), Tool: b.tool,
		Call: []byte("{\x00\xff}"), Wait: long, Keep: long, Attempts: 1,
	}
	if edit != nil {
		edit(&job)
	}
	added, err := b.jobs.Add(b.Context(), job, room)
	if err != nil || added.State != middleware.JobQueued || added.QueuedAt.IsZero() || added.Percent != -1 {
		b.Fatalf("Add: %+v, %v", added, err)
	}
	return added
}

// take takes a job of this rule.
func (b *bench) take(token string, lease time.Duration) (middleware.Job, bool) {
	b.Helper()
	job, found, err := b.jobs.Take(b.Context(), middleware.JobClaim{Token: b.tool + token, Tools: []string{"otra", b.tool}, Lease: lease})
	if err != nil {
		b.Fatal(err)
	}
	return job, found
}

// is asserts the state of a job.
func (b *bench) is(job middleware.Job, state middleware.JobState) middleware.Job {
	b.Helper()
	got, err := b.jobs.Get(b.Context(), job.Owner, job.ID)
	if err != nil || got.State != state {
		b.Errorf("it is %q, %v; want %s", got.State, err, state)
	}
	return got
}

func (b *bench) life() {
	job := b.add(nil)
	b.is(job, middleware.JobQueued)
	taken, found := b.take("w", long)
	if !found || taken.ID != job.ID || taken.Begun != 1 || taken.Owner != job.Owner || taken.Key != job.Key ||
		!bytes.Equal(taken.Call, job.Call) || taken.Wait != long || taken.Keep != long || taken.Attempts != 1 {
		b.Fatalf("took %+v, %t", taken, found)
	}
	if _, err := b.jobs.Renew(b.Context(), job.ID, b.tool+"w", long, 40, "a medias ñ"); err != nil {
		b.Error(err)
	}
	if got := b.is(job, middleware.JobRunning); got.Percent != 40 || got.Progress != "a medias ñ" || !got.EndedAt.IsZero() {
		b.Errorf("it runs as %+v", got)
	}
	result := bytes.Repeat([]byte("r\x00"), 100_000)
	for range 2 {
		want(b.T, "End", b.jobs.End(b.Context(), job.ID, b.tool+"w", middleware.JobDone, result), nil)
	}
	if got := b.is(job, middleware.JobDone); !bytes.Equal(got.Result, result) || got.EndedAt.IsZero() {
		b.Errorf("it ended with %d bytes at %s", len(got.Result), got.EndedAt)
	}
	want(b.T, "another end", b.jobs.End(b.Context(), job.ID, b.tool+"w", middleware.JobFailed, nil), middleware.ErrNotWorker)
	_, err := b.jobs.Renew(b.Context(), job.ID, b.tool+"w", long, 1, "")
	want(b.T, "Renew after the end", err, middleware.ErrNotWorker)
	if _, found := b.take("w2", long); found {
		b.Error("it was taken after its end")
	}
}

func (b *bench) oneKey() {
	job := b.add(nil)
	again := job
	again.ID = rand.Text()
	if got, err := b.jobs.Add(b.Context(), again, room); err != nil || got.ID != job.ID {
		b.Errorf("the same key gave %s, %v; want %s", got.ID, err, job.ID)
	}
	other := again
	other.Fingerprint = digest()
	_, err := b.jobs.Add(b.Context(), other, room)
	want(b.T, "other arguments", err, middleware.ErrJobConflict)
	other = again
	other.Owner = digest()
	_, err = b.jobs.Add(b.Context(), other, room)
	want(b.T, "another owner", err, middleware.ErrJobConflict)

	key, fingerprint, owner := digest(), digest(), digest()
	ids := make([]string, 8)
	atOnce(len(ids), func(i int) {
		got, err := b.jobs.Add(b.Context(), middleware.Job{
			ID: rand.Text(), Key: key, Fingerprint: fingerprint, Owner: owner, Tool: b.tool, Wait: long, Keep: long, Attempts: 1,
		}, room)
		if err != nil {
			b.Error(err)
		}
		ids[i] = got.ID
	})
	if ids[0] == "" || strings.Count(strings.Join(ids, " "), ids[0]) != len(ids) {
		b.Errorf("one key, at once, gave %v", ids)
	}
}

func (b *bench) full() {
	job := b.add(nil)
	full := job
	full.ID, full.Key = rand.Text(), digest()
	other := full
	other.ID, other.Key, other.Owner = rand.Text(), digest(), digest()
	none, share := middleware.JobLimits{Queued: 1, PerOwner: 1000}, middleware.JobLimits{Queued: 1000, PerOwner: 1}
	_, err := b.jobs.Add(b.Context(), other, none)
	want(b.T, "one more", err, middleware.ErrJobsFull)
	_, err = b.jobs.Add(b.Context(), full, share)
	want(b.T, "one more of the owner", err, middleware.ErrJobsFull)
	for _, limits := range []middleware.JobLimits{none, share} {
		if got, err := b.jobs.Add(b.Context(), job, limits); err != nil || got.ID != job.ID {
			b.Errorf("the one that is there: %s, %v", got.ID, err)
		}
	}
	if got, err := b.jobs.Add(b.Context(), other, share); err != nil || got.ID != other.ID {
		b.Errorf("one of another owner: %s, %v", got.ID, err)
	}
	if taken, _ := b.take("w", long); taken.ID != job.ID && taken.ID != other.ID {
		b.Errorf("took %s", taken.ID)
	} else if taken.ID == other.ID { // both were queued at once
		b.take("w2", long)
	}
	if got, err := b.jobs.Add(b.Context(), full, share); err != nil || got.ID != full.ID {
		b.Errorf("one of the owner whose first one runs: %s, %v", got.ID, err)
	}
}

func (b *bench) order() {
	first := b.add(nil)
	b.wait(later)
	second := b.add(nil)
	for i, job := range []middleware.Job{first, second} {
		if got, _ := b.take("w"+string(rune('0'+i)), long); got.ID != job.ID {
			b.Errorf("took %s as number %d, want %s", got.ID, i, job.ID)
		}
	}
}

func (b *bench) race() {
	for range 4 {
		b.add(nil)
	}
	var taken atomic.Int64
	atOnce(12, func(int) {
		_, found, err := b.jobs.Take(b.Context(), middleware.JobClaim{Token: rand.Text(), Tools: []string{b.tool}, Lease: long})
		if err != nil {
			b.Error(err)
		}
		if found {
			taken.Add(1)
		}
	})
	if taken.Load() != 4 {
		b.Errorf("4 jobs were taken %d times", taken.Load())
	}
}

func (b *bench) sameClaim() {
	b.add(nil)
	b.add(nil)
	first, _ := b.take("w", long)
	again, found := b.take("w", long)
	if !found || again.ID != first.ID || again.Begun != 1 {
		b.Errorf("took %s and then %s, begun %d times", first.ID, again.ID, again.Begun)
	}
}

func (b *bench) lost() {
	job := b.add(nil)
	b.take("w", short)
	b.wait(later)
	b.is(job, middleware.JobLost)
	want(b.T, "its worker", b.jobs.End(b.Context(), job.ID, b.tool+"w", middleware.JobDone, nil), middleware.ErrNotWorker)
	if got := b.is(job, middleware.JobLost); got.Begun != 1 {
		b.Errorf("it was begun %d times", got.Begun)
	}
}

func (b *bench) late() {
	job := b.add(nil)
	b.take("w", short)
	b.wait(later)
	want(b.T, "its worker", b.jobs.End(b.Context(), job.ID, b.tool+"w", middleware.JobDone, nil), nil)
	b.is(job, middleware.JobDone)
}

func (b *bench) again() {
	job := b.add(func(j *middleware.Job) { j.Attempts = 2 })
	b.take("a", short)
	b.wait(later)
	b.is(job, middleware.JobRunning)
	if got, found := b.take("b", short); !found || got.ID != job.ID || got.Begun != 2 {
		b.Errorf("took %s, begun %d times, %t", got.ID, got.Begun, found)
	}
	want(b.T, "the first worker", b.jobs.End(b.Context(), job.ID, b.tool+"a", middleware.JobDone, nil), middleware.ErrNotWorker)
	_, err := b.jobs.Renew(b.Context(), job.ID, b.tool+"a", long, 1, "")
	want(b.T, "the first worker", err, middleware.ErrNotWorker)
	b.wait(later)
	if _, found := b.take("c", long); found {
		b.Error("it was begun three times")
	}
	b.is(job, middleware.JobLost)
}

func (b *bench) notTaken() {
	job := b.add(func(j *middleware.Job) { j.Wait = short })
	b.wait(later)
	if _, found := b.take("w", long); found {
		b.Error("it was taken after its wait")
	}
	if got := b.is(job, middleware.JobLost); got.Begun != 0 {
		b.Errorf("it was begun %d times", got.Begun)
	}
	orphan := b.add(func(j *middleware.Job) { j.Attempts, j.Wait = 2, short })
	b.take("w", short)
	b.wait(later)
	if _, found := b.take("w2", long); found {
		b.Error("an orphan was taken after its wait")
	}
	b.is(orphan, middleware.JobLost)
}

func (b *bench) cancelQueued() {
	job := b.add(nil)
	for range 2 {
		if got, err := b.jobs.Cancel(b.Context(), job.Owner, job.ID); err != nil || got.State != middleware.JobCancelled {
			b.Errorf("it is %s, %v", got.State, err)
		}
	}
	if _, found := b.take("w", long); found {
		b.Error("it was taken")
	}
}

func (b *bench) cancelRunning() {
	job := b.add(nil)
	b.take("w", long)
	if got, err := b.jobs.Cancel(b.Context(), job.Owner, job.ID); err != nil || got.State != middleware.JobRunning || !got.Cancelled {
		b.Errorf("it is %s, cancelled %t, %v", got.State, got.Cancelled, err)
	}
	if asked, err := b.jobs.Renew(b.Context(), job.ID, b.tool+"w", long, -1, ""); err != nil || !asked {
		b.Errorf("its worker learns %t, %v", asked, err)
	}
	want(b.T, "End", b.jobs.End(b.Context(), job.ID, b.tool+"w", middleware.JobDone, nil), nil)
	if got, err := b.jobs.Cancel(b.Context(), job.Owner, job.ID); err != nil || got.State != middleware.JobDone {
		b.Errorf("after its end it is %s, %v", got.State, err)
	}
	dead := b.add(func(j *middleware.Job) { j.Attempts = 3 })
	b.take("w2", short)
	if _, err := b.jobs.Cancel(b.Context(), dead.Owner, dead.ID); err != nil {
		b.Error(err)
	}
	b.wait(later)
	if _, found := b.take("w3", long); found {
		b.Error("one whose end was asked for was begun again")
	}
	b.is(dead, middleware.JobLost)
}

func (b *bench) owner() {
	job := b.add(nil)
	_, err := b.jobs.Get(b.Context(), digest(), job.ID)
	want(b.T, "Get by another", err, middleware.ErrNoJob)
	_, err = b.jobs.Cancel(b.Context(), digest(), job.ID)
	want(b.T, "Cancel by another", err, middleware.ErrNoJob)
	_, err = b.jobs.Get(b.Context(), job.Owner, rand.Text())
	want(b.T, "Get of none", err, middleware.ErrNoJob)
	_, err = b.jobs.Get(b.Context(), job.Owner, strings.ToLower(job.ID))
	want(b.T, "Get in lower case", err, middleware.ErrNoJob)
	want(b.T, "End of none", b.jobs.End(b.Context(), rand.Text(), "w", middleware.JobDone, nil), middleware.ErrNotWorker)
	b.is(job, middleware.JobQueued)
}

func (b *bench) forget() {
	job := b.add(func(j *middleware.Job) { j.Keep = short })
	b.take("w", long)
	want(b.T, "End", b.jobs.End(b.Context(), job.ID, b.tool+"w", middleware.JobDone, nil), nil)
	b.wait(later)
	_, err := b.jobs.Get(b.Context(), job.Owner, job.ID)
	want(b.T, "Get", err, middleware.ErrNoJob)
	again := job
	again.ID, again.Fingerprint = rand.Text(), digest()
	if got, err := b.jobs.Add(b.Context(), again, room); err != nil || got.ID != again.ID {
		b.Errorf("its key gave %s, %v", got.ID, err)
	}
}

func (b *bench) context() {
	ctx, cancel := context.WithCancel(b.Context())
	cancel()
	job := b.add(nil)
	other := job
	other.Key, other.ID = digest(), rand.Text()
	_, err := b.jobs.Add(ctx, other, room)
	want(b.T, "Add", err, context.Canceled)
	_, _, err = b.jobs.Take(ctx, middleware.JobClaim{Token: "w", Tools: []string{b.tool}, Lease: long})
	want(b.T, "Take", err, context.Canceled)
	_, err = b.jobs.Get(ctx, job.Owner, job.ID)
	want(b.T, "Get", err, context.Canceled)
	_, err = b.jobs.Cancel(ctx, job.Owner, job.ID)
	want(b.T, "Cancel", err, context.Canceled)
	b.is(job, middleware.JobQueued)
}
