package sqldesk

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// The column state of a job. Those from done on are final.
const (
	queued = 1 + iota
	running
	done
	failed
	cancelled
	lostState
)

var jobStates = [...]middleware.JobState{
	queued: middleware.JobQueued, running: middleware.JobRunning, done: middleware.JobDone,
	failed: middleware.JobFailed, cancelled: middleware.JobCancelled, lostState: middleware.JobLost,
}

const (
	// lost is true of a job that nobody will end, see [middleware.Jobs].
	lost = `(state = 1 AND queued_at + wait_ms <= {now} OR state = 2 AND lease_until <= {now}` +
		` AND (begun >= attempts OR cancelled = 1 OR lease_until + wait_ms <= {now}))`
	// takeable is true of one that waits for a worker.
	takeable = `(state = 1 AND queued_at + wait_ms > {now} OR state = 2 AND lease_until <= {now}` +
		` AND begun < attempts AND cancelled = 0 AND lease_until + wait_ms > {now})`
	jobColumns = `id, job_key, fingerprint, owner, tool, work, wait_ms, keep_ms, attempts, state, begun, cancelled,` +
		` token, queued_at, ended_at, percent, progress, result,` +
		` CASE WHEN {lost} THEN 1 ELSE 0 END, CASE WHEN state > 2 AND ended_at + keep_ms <= {now} THEN 1 ELSE 0 END`
)

// jobStatements are what is said of jobs.
type jobStatements struct {
	byID, byKey, byToken        string
	insert, queued, settle      string
	forget, waiting, take       string
	renew, end, unqueue, cancel string
}

func newJobStatements(say func(template string) string) jobStatements {
	return jobStatements{
		byID:    say(`SELECT {job} FROM {jobs} WHERE id = ?`),
		byKey:   say(`SELECT {job} FROM {jobs} WHERE job_key = ?`),
		byToken: say(`SELECT {job} FROM {jobs} WHERE token = ? AND state = 2`),
		insert: say(`INSERT INTO {jobs} (id, job_key, fingerprint, owner, tool, work, wait_ms, keep_ms, attempts,` +
			` state, begun, cancelled, token, queued_at, lease_until, ended_at, percent, progress)` +
			` VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, 0, ?, {now}, 0, 0, -1, ?){unless}`),
		queued:  say(`SELECT COUNT(*), COUNT(CASE WHEN owner = ? THEN 1 END) FROM {jobs} WHERE state = 1 AND queued_at + wait_ms > {now}`),
		settle:  say(`UPDATE {jobs} SET state = 6, ended_at = {now} WHERE id = ? AND {lost}`),
		forget:  say(`DELETE FROM {jobs} WHERE id = ? AND state > 2 AND ended_at + keep_ms <= {now}`),
		waiting: `SELECT id, state, begun FROM {jobs} WHERE {takeable} AND tool IN (?) ORDER BY queued_at, id LIMIT 8`,
		take: say(`UPDATE {jobs} SET state = 2, begun = begun + 1, token = ?, lease_until = {now} + ?` +
			` WHERE id = ? AND state = ? AND begun = ? AND {takeable}`),
		renew:   say(`UPDATE {jobs} SET lease_until = {now} + ?, percent = ?, progress = ? WHERE id = ? AND token = ? AND state = 2`),
		end:     say(`UPDATE {jobs} SET state = ?, result = ?, ended_at = {now} WHERE id = ? AND token = ? AND state = 2`),
		unqueue: say(`UPDATE {jobs} SET state = 5, ended_at = {now} WHERE id = ? AND state = 1`),
		cancel:  say(`UPDATE {jobs} SET cancelled = 1 WHERE id = ? AND state = 2`),
	}
}

// jobs implements [middleware.Jobs].
type jobs struct {
	*Desk

	on asker
}

var _ middleware.Jobs = jobs{}

// each takes a step, again if it failed.
func (j jobs) each(ctx context.Context, step func(jobs) error) error {
	return j.repeat(ctx, func(on asker) error { return step(jobs{j.Desk, on}) })
}

// jobRow is a row, and what the database said of it when it was read.
type jobRow struct {
	middleware.Job

	token           string
	lost, forgotten bool
}

// find reads one row; nil if there is none.
func (j jobs) find(ctx context.Context, query string, arg []byte) (*jobRow, error) {
	var (
		r                                    jobRow
		id, key, fingerprint, owner          []byte
		tool, token, progress                []byte
		wait, keep, queuedAt, endedAt        int64
		state, cancelled, isLost, isForgoten int
	)
	err := j.on.QueryRowContext(ctx, query, arg).Scan(&id, &key, &fingerprint, &owner, &tool, &r.Call, &wait, &keep, &r.Attempts,
		&state, &r.Begun, &cancelled, &token, &queuedAt, &endedAt, &r.Percent, &progress, &r.Result, &isLost, &isForgoten)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case state < queued || state > lostState:
		return nil, errors.New("portavoz/sqldesk: the row of a job cannot be read")
	}
	copy(r.Key[:], key)
	copy(r.Fingerprint[:], fingerprint)
	copy(r.Owner[:], owner)
	r.ID, r.Tool, r.token, r.Progress = string(id), string(tool), string(token), string(progress)
	r.Wait, r.Keep = time.Duration(wait)*time.Millisecond, time.Duration(keep)*time.Millisecond
	r.State, r.Cancelled = jobStates[state], cancelled == 1
	r.QueuedAt, r.EndedAt = at(queuedAt), at(endedAt)
	r.lost, r.forgotten = isLost == 1, isForgoten == 1
	return &r, nil
}

func (j jobs) Add(ctx context.Context, job middleware.Job, limits middleware.JobLimits) (added middleware.Job, err error) {
	err = j.each(ctx, func(j jobs) error {
		added, err = j.add(ctx, job, limits)
		return err
	})
	return added, err
}

func (j jobs) add(ctx context.Context, job middleware.Job, limits middleware.JobLimits) (middleware.Job, error) {
	for range maxRaces {
		held, err := j.find(ctx, j.Desk.jobs.byKey, job.Key[:])
		switch {
		case err != nil:
			return middleware.Job{}, err
		case held != nil && held.forgotten:
			if _, err := exec(ctx, j.on, j.Desk.jobs.forget, blob(held.ID)); err != nil {
				return middleware.Job{}, err
			}
		case held != nil && (held.Fingerprint != job.Fingerprint || held.Owner != job.Owner):
			return middleware.Job{}, middleware.ErrJobConflict
		case held != nil:
			return held.Job, nil
		}
		waiting, own, err := count(ctx, j.on, j.Desk.jobs.queued, job.Owner[:])
		if err != nil {
			return middleware.Job{}, err
		}
		if waiting >= limits.Queued || own >= limits.PerOwner {
			return middleware.Job{}, middleware.ErrJobsFull
		}
		// Whoever comes first inserts; all then find the row.
		if _, err := exec(ctx, j.on, j.Desk.jobs.insert, blob(job.ID), job.Key[:], job.Fingerprint[:], job.Owner[:], blob(job.Tool),
			blob(string(job.Call)), millis(job.Wait), millis(job.Keep), job.Attempts, blob(""), blob("")); err != nil {
			return middleware.Job{}, err
		}
	}
	return middleware.Job{}, errRaces
}

func (j jobs) Take(ctx context.Context, c middleware.JobClaim) (taken middleware.Job, found bool, err error) {
	err = j.each(ctx, func(j jobs) error {
		taken, found, err = j.take(ctx, c)
		return err
	})
	return taken, found, err
}

func (j jobs) take(ctx context.Context, c middleware.JobClaim) (middleware.Job, bool, error) {
	for range maxRaces {
		mine, err := j.find(ctx, j.Desk.jobs.byToken, blob(c.Token))
		if err != nil || mine != nil {
			return mine.job(), mine != nil, err
		}
		waiting, err := j.waiting(ctx, c.Tools)
		if err != nil || len(waiting) == 0 {
			return middleware.Job{}, false, err
		}
		for _, w := range waiting {
			taken, err := exec(ctx, j.on, j.Desk.jobs.take, blob(c.Token), millis(c.Lease), w.id, w.state, w.begun)
			if err != nil {
				return middleware.Job{}, false, err
			}
			if taken {
				break
			}
		}
	}
	return middleware.Job{}, false, errRaces
}

// candidate is a job that waits, as it was found.
type candidate struct {
	id           []byte
	state, begun int
}

// waiting returns some that have waited longest.
func (j jobs) waiting(ctx context.Context, tools []string) ([]candidate, error) {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(tools)), ", ")
	query := j.say(strings.Replace(j.Desk.jobs.waiting, "(?)", "("+marks+")", 1))
	args := make([]any, len(tools))
	for i, tool := range tools {
		args[i] = blob(tool)
	}
	rows, err := j.on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says it
	var found []candidate
	for rows.Next() {
		var c candidate
		if err := rows.Scan(&c.id, &c.state, &c.begun); err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, rows.Err()
}

// job is the row's, or none.
func (r *jobRow) job() middleware.Job {
	if r == nil {
		return middleware.Job{}
	}
	return r.Job
}

func (j jobs) Renew(ctx context.Context, id, token string, lease time.Duration, percent int, progress string) (asked bool, err error) {
	err = j.each(ctx, func(j jobs) error {
		if _, err := exec(ctx, j.on, j.Desk.jobs.renew, millis(lease), percent, blob(progress), blob(id), blob(token)); err != nil {
			return err
		}
		held, err := j.find(ctx, j.Desk.jobs.byID, blob(id))
		if err != nil {
			return err
		}
		if held == nil || held.token != token || held.State != middleware.JobRunning {
			return middleware.ErrNotWorker
		}
		asked = held.Cancelled
		return nil
	})
	return asked, err
}

func (j jobs) End(ctx context.Context, id, token string, state middleware.JobState, result []byte) error {
	number := slices.Index(jobStates[:], state)
	if number <= running {
		return errors.New("portavoz/sqldesk: a job ends in a final state")
	}
	return j.each(ctx, func(j jobs) error {
		ended, err := exec(ctx, j.on, j.Desk.jobs.end, number, result, blob(id), blob(token))
		if err != nil || ended {
			return err
		}
		held, err := j.find(ctx, j.Desk.jobs.byID, blob(id))
		if err != nil {
			return err
		}
		if held == nil || held.token != token || held.State != state {
			return middleware.ErrNotWorker
		}
		return nil
	})
}

func (j jobs) Get(ctx context.Context, owner idempotency.Digest, id string) (job middleware.Job, err error) {
	err = j.each(ctx, func(j jobs) error {
		job, err = j.get(ctx, owner, id)
		return err
	})
	return job, err
}

// get reads a job of its owner. It is settled if it is lost, so that no worker can
// say otherwise any more.
func (j jobs) get(ctx context.Context, owner idempotency.Digest, id string) (middleware.Job, error) {
	for range maxRaces {
		held, err := j.find(ctx, j.Desk.jobs.byID, blob(id))
		switch {
		case err != nil:
			return middleware.Job{}, err
		case held == nil || held.forgotten || held.Owner != owner:
			return middleware.Job{}, middleware.ErrNoJob
		case !held.lost:
			return held.Job, nil
		}
		if _, err := exec(ctx, j.on, j.Desk.jobs.settle, blob(id)); err != nil {
			return middleware.Job{}, err
		}
	}
	return middleware.Job{}, errRaces
}

func (j jobs) Cancel(ctx context.Context, owner idempotency.Digest, id string) (job middleware.Job, err error) {
	err = j.each(ctx, func(j jobs) error {
		if job, err = j.get(ctx, owner, id); err != nil || job.State.Ended() {
			return err
		}
		// One of the two, whatever it is by now.
		for _, statement := range [...]string{j.Desk.jobs.unqueue, j.Desk.jobs.cancel} {
			if _, err := exec(ctx, j.on, statement, blob(id)); err != nil {
				return err
			}
		}
		job, err = j.get(ctx, owner, id)
		return err
	})
	return job, err
}
