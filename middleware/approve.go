package middleware

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// ApprovePolicy says whether a person has to agree before this call runs, and why:
// the tool, an amount, the caller. The reason is for the person who decides; the
// client does not get it. Caller and metadata are in [RecordFrom]. It is called on
// the call's path, by several goroutines at once, and must not change what it is
// given; what it cannot read, it should send to a person, and an amount that is missing
// too: a handler that reads the arguments into a struct takes "Monto" for "monto", so
// that a policy had better read them in the same way, or the schema close the object.
// RequireInt of mcp-go makes 100000 of 100000.9 and a negative number of 1e300, and
// RequireFloat takes the text "NaN", which is more than nothing: ask whether an amount
// is at most the threshold, and send the others to a person.
// A panic in it is a failure of the call, which does not run.
type ApprovePolicy func(ctx context.Context, req mcp.CallToolRequest) (reason string, needed bool)

// ApproveConfig tunes [Approve]. The zero value is right for most servers.
type ApproveConfig struct {
	// TTL is how long an approval may be decided after it was asked for, used after
	// it was granted, and how long a refusal stands. Default: 24 hours.
	TTL time.Duration
	// MaxArguments is the longest that the arguments of a call may be, in bytes, of
	// which a person has to read every one. A longer call is VALIDATION with the
	// code "invalid_arguments". Default: 16 KiB.
	MaxArguments int
	// Messages replaces the sentence of a pending result, the one for
	// [errors.CodeApprovalPending]. Those of failures are for [Errors] to say.
	// Default: [errors.DefaultMessages].
	Messages errors.Messages
	// Question is the nextQuestion of a pending result, which an agent may ask the
	// person that it talks to; that person's yes is not the one that is waited for.
	// Default: "¿Desea esperar esa autorización?"
	Question string
}

// Approve holds a write back until a person agrees. Where the policy asks for it,
// the call runs nothing and answers that an approval is pending; [ApprovalsHandler],
// or code of yours over the same [Approvals], lists what is pending, and grants or
// refuses it. The same call, made again, then runs:
//
//	the policy asks for it  status "pending_confirmation" and an approvalId
//	it is still pending     the same, with the same id
//	it was granted          runs, once
//	it was refused          PERMISSION with the code "approval_refused"
//	it has expired          a new approval is asked for
//
// The same call is one of the same caller, tenant, conversation and tool with equal
// arguments, compared as JSON values (see [idempotency.Fingerprint]); a changed
// argument needs an approval of its own, and so does another round of a call that
// asked for input. Arguments that have two readings are VALIDATION with the code
// "invalid_arguments", before the policy is asked: an object with two members of one
// name, or of names that differ in case only, since a handler that reads them into a
// struct may see what neither the policy nor the person has seen.
//
// # Once
//
// A pending result is not kept under an idempotency key, so the call may come again
// with the key that it had, or under a new one. A grant is spent by the first
// operation that arrives. That one may come back, if it failed and proved that
// nothing happened; [Idempotency], outside, sees to it that it succeeds once. Any
// other call asks for a new approval, also one without a key whose grant was spent
// by a run that failed. So it is as well where Approve stands without Idempotency,
// and for tools whose keys are forgotten before the TTL is over (see [KeepFor]).
//
// It belongs inside of [LoopGuard], which counts calls that find the approval
// pending: an agent that asks every few seconds is told to stop, and may ask again
// later.
//
// # What the client gets
//
// The pending result is a success, {"status":"pending_confirmation","approvalId":
// "apr_...","nextQuestion":"..."}, with a sentence. The outputSchema of the tool has to allow for it, see
// [OrPending]; where it does not, the answer is BLOCKER with the code
// "approval_pending" and the same data in the details.
//
// Tools declared read-only pass by. If the approvals cannot be asked, nothing runs:
// SYSTEM with the code "approval_store". Nor does it if there is no room for another
// approval, or the caller has as many as one may have: SYSTEM with the code "busy".
//
// It panics if policy or store is nil, or cfg has a negative field.
func Approve(policy ApprovePolicy, store Approvals, cfg ApproveConfig) server.ToolHandlerMiddleware {
	var problems []error
	if policy == nil {
		problems = append(problems, errors.New("policy is nil"))
	}
	if store == nil {
		problems = append(problems, errors.New("store is nil"))
	}
	if cfg.TTL < 0 || cfg.MaxArguments < 0 {
		problems = append(problems, errors.New("a field is negative"))
	}
	if err := errors.Join(problems...); err != nil {
		panic("portavoz/middleware: Approve: " + err.Error())
	}
	cfg.TTL = cmp.Or(cfg.TTL, 24*time.Hour)
	cfg.MaxArguments = cmp.Or(cfg.MaxArguments, 16<<10)
	cfg.Question = cmp.Or(cfg.Question, "¿Desea esperar esa autorización?")
	a := &approver{cfg: cfg, policy: policy, store: store, outputs: newOutputs()}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return a.call(ctx, req, next)
		}
	}
}

// approver is an [ApproveConfig] at work.
type approver struct {
	cfg     ApproveConfig
	policy  ApprovePolicy
	store   Approvals
	outputs outputs
}

// approvalTimeout is how long the approvals may take to answer.
const approvalTimeout = 2 * time.Second

func (a *approver) call(ctx context.Context, req mcp.CallToolRequest, next server.ToolHandlerFunc) (*mcp.CallToolResult, error) {
	ctx, rec := begin(ctx, &req)
	if rec.ReadOnly(ctx) {
		return next(ctx, req)
	}
	if err := oneReading(&req); err != nil {
		return nil, rec.refuse(err)
	}
	reason, needed, err := a.decides(ctx, req)
	if err != nil {
		return nil, rec.refuse(err)
	}
	if !needed {
		return next(ctx, req)
	}
	asked, err := a.request(ctx, rec, &req)
	if err != nil {
		return nil, rec.refuse(err)
	}
	asked.Reason = strings.ToValidUTF8(reason, "\uFFFD")
	found, err := a.ask(ctx, asked)
	switch {
	case err == nil && found.State == ApprovalPending:
		rec.mark(OutcomePending)
		return a.pending(ctx, rec, found)
	case err == nil && found.State == ApprovalUsed:
		return next(context.WithValue(ctx, approvalKey{}, &found), req)
	case err == nil && found.State == ApprovalRefused:
		return nil, rec.refuse(errors.Permission("", errors.WithCode(errors.CodeApprovalRefused)))
	case errors.Is(err, ErrApprovalsFull):
		return nil, rec.refuse(errBusy(err))
	}
	return nil, rec.refuse(errors.System("", errors.WithCode(errors.CodeApprovalStore), errors.WithRetryable(),
		errors.WithCause(err), errors.WithEffect(errors.EffectNone)))
}

// decides asks the policy; one that panics has let nothing run.
func (a *approver) decides(ctx context.Context, req mcp.CallToolRequest) (reason string, needed bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.NoEffect(panicked(v))
		}
	}()
	reason, needed = a.policy(ctx, req)
	return reason, needed, nil
}

// ask asks the store; one that panics or ends the goroutine has failed.
func (a *approver) ask(ctx context.Context, asked ApprovalRequest) (found Approval, err error) {
	ctx, cancel := context.WithTimeout(ctx, approvalTimeout)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the approvals panicked: %v", v)
		}
	}()
	return a.store.Ask(ctx, asked)
}

// request is what a person has to agree to.
func (a *approver) request(ctx context.Context, rec *Record, req *mcp.CallToolRequest) (ApprovalRequest, error) {
	fingerprint, err := rec.fingerprint(req)
	if err != nil {
		return ApprovalRequest{}, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err))
	}
	arguments, err := legible(rawArguments(req), a.cfg.MaxArguments)
	if err != nil {
		return ApprovalRequest{}, errors.Validation("", errors.WithCode(errors.CodeInvalidArguments), errors.WithCause(err))
	}
	parts := []string{
		"approval/1", rec.caller.Name, rec.caller.Tenant, rec.meta.CompanyID, rec.meta.ConversationID,
		rec.tool, string(fingerprint[:]),
	}
	if isFurtherRound(req) { // what it brings was not there when somebody agreed
		inputs, _ := json.Marshal(req.Params.InputResponses) // it came as JSON
		parts = append(parts, string(inputs), req.Params.RequestState)
	}
	return ApprovalRequest{
		ID:             "apr_" + rand.Text(),
		Subject:        idempotency.NewDigest(parts...),
		Operation:      operationOf(ctx, rec, a.cfg.TTL),
		Tool:           rec.tool,
		Caller:         rec.caller.Name,
		Tenant:         cmp.Or(rec.caller.Tenant, rec.meta.CompanyID),
		ConversationID: rec.meta.ConversationID,
		RequestID:      rec.meta.RequestID,
		Arguments:      arguments,
		TTL:            a.cfg.TTL,
	}, nil
}

// operationOf names what would spend a grant. An operation under a key is the same
// at each attempt. A call without one, and one that a handler makes within an
// operation that it may make twice, are themselves alone.
// A key that is forgotten while the approval is still used would find it, and run a
// second time.
func operationOf(ctx context.Context, rec *Record, ttl time.Duration) string {
	if key := idempotency.EffectKey(ctx, "approval"); key != "" && !rec.inner && idempotency.KeptFor(ctx) >= ttl {
		return key
	}
	return rand.Text()
}

type approvalKey struct{}

// ApprovalFrom returns the approval under which the call in ctx runs, for a record of
// who agreed, and whether there is one.
func ApprovalFrom(ctx context.Context) (Approval, bool) {
	if a, ok := ctx.Value(approvalKey{}).(*Approval); ok {
		return *a, true
	}
	return Approval{}, false
}
