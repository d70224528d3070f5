package middleware

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/voice"
)

// maxJobID is longer than any that is given out.
const maxJobID = 64

// jobData is what the tools say of a job.
type jobData struct {
	Status   string          `json:"status"`
	JobID    string          `json:"jobId"`
	QueuedAt string          `json:"queuedAt"`
	Percent  *int            `json:"percent,omitempty"`
	Progress string          `json:"progress,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
}

// start queues a job.
func (d *deferred) start(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, rec := begin(ctx, &req)
	job, err := d.newJob(rec, &req)
	if err != nil {
		return nil, rec.refuse(err)
	}
	if !d.workers.accepts() {
		return nil, rec.refuse(errJobStore(errDrained))
	}
	err = d.ask(ctx, func(ctx context.Context) (err error) {
		job, err = d.workers.jobs.Add(ctx, job, JobLimits{Queued: d.workers.cfg.MaxQueued, PerOwner: d.workers.cfg.MaxQueuedPerCaller})
		return err
	})
	switch {
	case errors.Is(err, ErrJobsFull):
		return nil, rec.refuse(errBusy(err))
	case errors.Is(err, ErrJobConflict):
		return nil, rec.refuse(errors.Validation("", errors.WithCode(errors.CodeKeyReused), errors.WithCause(err)))
	case err != nil && rec.meta.IdempotencyKey == "": // it may have been queued all the same
		return nil, errors.System("", errors.WithCode(errors.CodeJobStore), errors.WithCause(err), errors.WithEffect(errors.EffectUnknown))
	case err != nil: // and then the next start finds it
		return nil, rec.refuse(errJobStore(err))
	}
	d.workers.wake()
	return d.result(rec, jobData{Status: string(JobQueued), JobID: job.ID, QueuedAt: d.at(rec, job.QueuedAt)}, d.cfg.Say.Started)
}

// newJob is the job that a call starts.
func (d *deferred) newJob(rec *Record, req *mcp.CallToolRequest) (Job, error) {
	if rec.meta.KeyError != nil {
		return Job{}, errors.Validation("", errors.WithCode(errors.CodeInvalidKey), errors.WithCause(rec.meta.KeyError))
	}
	fingerprint, err := rec.fingerprint(req)
	if err != nil {
		return Job{}, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err))
	}
	meta := rec.meta
	meta.IdempotencyKey = ""
	raw, err := json.Marshal(jobCall{Arguments: rawArguments(req), Meta: meta, Caller: rec.caller})
	if err == nil && len(raw) > maxJobCall {
		err = errors.New("the arguments are too long to be kept")
	}
	if err != nil {
		return Job{}, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err))
	}
	id := rand.Text()
	operation := []string{"job/1", id}
	if rec.meta.IdempotencyKey != "" {
		operation = []string{
			"job/1", rec.caller.Name, rec.caller.Tenant, rec.meta.CompanyID, rec.meta.ConversationID,
			d.startName(), rec.meta.IdempotencyKey,
		}
	}
	attempts := 1
	if d.cfg.Rerun {
		attempts = maxAttempts
	}
	return Job{
		ID: id, Key: idempotency.NewDigest(operation...), Fingerprint: fingerprint, Owner: ownerOf(rec),
		Tool: d.startName(), Call: raw, Wait: d.cfg.Wait, Keep: d.cfg.Keep, Attempts: attempts,
	}, nil
}

// ownerOf names who may ask for what the call starts.
func ownerOf(rec *Record) idempotency.Digest {
	return idempotency.NewDigest("job owner/1", rec.caller.Name, rec.caller.Tenant, rec.meta.CompanyID)
}

// handle runs the handler for a stored call.
func (d *deferred) handle(ctx context.Context, stored []byte) (*mcp.CallToolResult, error) {
	var c jobCall
	if err := json.Unmarshal(stored, &c); err != nil {
		return nil, errors.System("", errors.WithCause(err), errors.WithEffect(errors.EffectNone))
	}
	ctx = call.WithMeta(call.WithCaller(ctx, c.Caller), c.Meta)
	ctx = WithDefinition(ctx, d.startName(), &d.definition)
	var req mcp.CallToolRequest
	req.Params.Name = d.definition.Name
	if len(c.Arguments) > 0 {
		req.Params.RawArguments = c.Arguments
		if err := json.Unmarshal(c.Arguments, &req.Params.Arguments); err != nil {
			return nil, errors.System("", errors.WithCause(err), errors.WithEffect(errors.EffectNone))
		}
	}
	return d.handler(ctx, req)
}

// read says how far a job is.
func (d *deferred) read(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, rec := begin(ctx, &req)
	job, err := d.find(ctx, rec, &req, d.workers.jobs.Get)
	if err != nil {
		return nil, err
	}
	return d.show(rec, job)
}

// cancel ends a job.
func (d *deferred) cancel(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, rec := begin(ctx, &req)
	before, err := d.find(ctx, rec, &req, d.workers.jobs.Get)
	if err != nil {
		return nil, rec.refuse(err)
	}
	if before.State.Ended() {
		return nil, rec.refuse(errJobEnded(before.State))
	}
	job, err := d.find(ctx, rec, &req, d.workers.jobs.Cancel)
	switch {
	case err != nil:
		return nil, err
	case job.State.Ended() && job.State != JobCancelled: // just now
		return nil, rec.refuse(errJobEnded(job.State))
	}
	d.workers.interrupt(job.ID)
	return d.show(rec, job)
}

// interrupt ends the run of a job, if it is in this process.
func (w *Workers) interrupt(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.live[id]; r != nil {
		r.cancel(errJobCancelled)
	}
}

// find asks for the job that the call names. What is not this caller's, or another
// tool's, is not there.
func (d *deferred) find(ctx context.Context, rec *Record, req *mcp.CallToolRequest,
	ask func(context.Context, idempotency.Digest, string) (Job, error),
) (job Job, err error) {
	var args struct {
		JobID string `json:"jobId"`
	}
	if raw := rawArguments(req); len(raw) > 0 && json.Unmarshal(raw, &args) != nil || args.JobID == "" || len(args.JobID) > maxJobID {
		return Job{}, errNoSuchJob()
	}
	err = d.ask(ctx, func(ctx context.Context) (err error) {
		job, err = ask(ctx, ownerOf(rec), args.JobID)
		return err
	})
	switch {
	case errors.Is(err, ErrNoJob), err == nil && job.Tool != d.startName():
		return Job{}, errNoSuchJob()
	case err != nil:
		return Job{}, errJobStore(err)
	}
	return job, nil
}

// ask asks the jobs one question.
func (d *deferred) ask(ctx context.Context, question func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, jobsTimeout)
	defer cancel()
	defer rescueJobs(&err)
	return question(ctx)
}

func errNoSuchJob() *errors.Error {
	return errors.NotFound("", errors.WithCode(errors.CodeJobNotFound), errors.WithField(jobIDName))
}

func errJobStore(cause error) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeJobStore), errors.WithRetryable(),
		errors.WithCause(cause), errors.WithEffect(errors.EffectNone))
}

// errBusy refuses what there is no room for.
func errBusy(cause error) *errors.Error {
	return errors.System("", errors.WithCode(errors.CodeBusy), errors.WithRetryAfter(time.Minute),
		errors.WithCause(cause), errors.WithEffect(errors.EffectNone))
}

func errJobEnded(state JobState) *errors.Error {
	return errors.Validation("", errors.WithCode(errors.CodeJobEnded), errors.WithDetails(map[string]any{"status": string(state)}))
}

// show is what is said of a job.
func (d *deferred) show(rec *Record, job Job) (*mcp.CallToolResult, error) {
	data := jobData{Status: string(job.State), JobID: job.ID, QueuedAt: d.at(rec, job.QueuedAt)}
	switch job.State {
	case JobQueued:
		return d.result(rec, data, d.cfg.Say.Queued)
	case JobRunning:
		if job.Percent >= 0 {
			data.Percent, data.Progress = &job.Percent, job.Progress
		}
		if job.Cancelled {
			data.Status = "cancelling"
			return d.result(rec, data, d.cfg.Say.Cancelling)
		}
		return d.result(rec, data, sayProgress(rec, d.cfg.Say.Running, job))
	case JobCancelled:
		return d.result(rec, data, d.cfg.Say.Cancelled)
	case JobDone:
		return d.done(rec, data, job.Result)
	case JobFailed:
		return nil, failureOfJob(job.Result)
	case JobLost:
	}
	if job.Begun == 0 {
		return nil, errors.System("", errors.WithCode(errors.CodeJobNotStarted), errors.WithEffect(errors.EffectNone))
	}
	return nil, errors.Unknown("", errors.WithCode(errors.CodeJobLost))
}

// done is the handler's result within the job.
func (d *deferred) done(rec *Record, data jobData, kept []byte) (*mcp.CallToolResult, error) {
	inner, err := decodeResult(kept)
	if err != nil {
		return nil, withheld(err)
	}
	data.Result = inner.RawStructuredContent
	res, err := d.result(rec, data, d.cfg.Say.Done)
	if err != nil {
		return nil, err
	}
	if text, ok := plainText(inner); !ok && len(inner.Content) > 0 || ok && text != "" && !isJSONText(text) {
		res.Content = inner.Content
	}
	return res, nil
}

// failureOfJob is the failure that was kept. A sentence of the default table gives way
// to that of the server's own.
func failureOfJob(kept []byte) *errors.Error {
	failure, err := errors.Parse(kept)
	if err != nil {
		return errors.Unknown("", errors.WithCause(err))
	}
	blank := *failure
	blank.UserMessage = ""
	if errors.Messages(nil).For(&blank) == failure.UserMessage {
		failure.UserMessage = ""
	}
	return failure
}

// result is a success of these tools.
func (d *deferred) result(rec *Record, data jobData, text string) (*mcp.CallToolResult, error) {
	raw, err := marshalPlain(data)
	if err != nil {
		return nil, badResult(err)
	}
	rec.setSound(raw)
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}, RawStructuredContent: raw}, nil
}

// at is a time in the zone of the call.
func (d *deferred) at(rec *Record, t time.Time) string {
	if zone, err := d.zones.Zone(rec.meta.Timezone); err == nil && rec.meta.Timezone != "" {
		t = t.In(zone)
	} else {
		t = t.UTC()
	}
	return t.Format(time.RFC3339)
}

// sayProgress is the sentence for a job that runs: in words where it is heard.
func sayProgress(rec *Record, running string, job Job) string {
	if job.Percent < 0 {
		return running
	}
	percent := strconv.Itoa(job.Percent)
	if said, err := voice.Percent(percent); err == nil && rec.meta.Channel == call.Voice {
		percent = said
	} else {
		percent += "\u00a0%" // with a space (RAE, Ortografía, "porcentaje")
	}
	text := running + " Avance: " + percent + "."
	if job.Progress != "" {
		text += " " + sentence(capital(job.Progress))
	}
	return text
}

// marshalPlain is json.Marshal without escaping <, > and &, so that a result stays as
// the handler wrote it.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
