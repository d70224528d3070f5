package sqldesk

import (
	"context"
	"database/sql"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// The column state of an approval. Whether it has expired, the clock says.
const (
	pending = 1 + iota
	granted
	refused
	used
)

var approvalStates = [...]middleware.ApprovalState{
	pending: middleware.ApprovalPending, granted: middleware.ApprovalGranted,
	refused: middleware.ApprovalRefused, used: middleware.ApprovalUsed,
}

const approvalColumns = `id, state, operation, tool, reason, arguments, caller, tenant, conversation, request,` +
	` requested_at, expires_at, decided_by, decided_at, note, {now}`

// approvalStatements are what is said of approvals. The current one of a subject has
// it in its row; of those that came before it, the column is NULL.
type approvalStatements struct {
	byID, bySubject, count       string
	insert, use, replace, decide string
	list                         map[middleware.ApprovalState]string
}

func newApprovalStatements(say func(template string) string) approvalStatements {
	where := map[middleware.ApprovalState]string{
		middleware.ApprovalPending: `state = 1 AND expires_at > {now}`,
		middleware.ApprovalGranted: `state = 2 AND expires_at > {now}`,
		middleware.ApprovalRefused: `state = 3`,
		middleware.ApprovalUsed:    `state = 4`,
		middleware.ApprovalExpired: `state IN (1, 2) AND expires_at <= {now}`,
	}
	list := make(map[middleware.ApprovalState]string, len(where))
	for state, condition := range where {
		list[state] = say(`SELECT {approval} FROM {approvals} WHERE ` + condition +
			` AND (tenant = ? OR ? = 1) ORDER BY requested_at, id LIMIT ?`)
	}
	return approvalStatements{
		byID:      say(`SELECT {approval} FROM {approvals} WHERE id = ?`),
		bySubject: say(`SELECT {approval} FROM {approvals} WHERE subject = ?`),
		count:     say(`SELECT COUNT(*), COUNT(CASE WHEN caller = ? AND tenant = ? THEN 1 END) FROM {approvals} WHERE state = 1 AND expires_at > {now}`),
		insert: say(`INSERT INTO {approvals} (id, subject, state, operation, tool, reason, arguments, caller, tenant,` +
			` conversation, request, ttl_ms, requested_at, expires_at, decided_by, decided_at, note)` +
			` VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, {began}, {began} + ?, ?, 0, ?){unless}`),
		use:     say(`UPDATE {approvals} SET state = 4, operation = ? WHERE id = ? AND state = 2 AND expires_at > {now}`),
		replace: say(`UPDATE {approvals} SET subject = NULL WHERE id = ? AND (expires_at <= {now} OR state = 4 AND operation <> ?)`),
		decide: say(`UPDATE {approvals} SET state = ?, decided_by = ?, decided_at = {now}, note = ?,` +
			` expires_at = {now} + ttl_ms WHERE id = ? AND state = 1 AND expires_at > {now}`),
		list: list,
	}
}

// approvals implements [middleware.Approvals].
type approvals struct {
	*Desk

	on asker
}

var _ middleware.Approvals = approvals{}

// each takes a step, again if it failed.
func (a approvals) each(ctx context.Context, step func(approvals) error) error {
	return a.repeat(ctx, func(on asker) error { return step(approvals{a.Desk, on}) })
}

// approvalRow is a row, and whether it had expired when it was read.
type approvalRow struct {
	middleware.Approval

	operation string
	expired   bool
}

// show is the approval as it is now.
func (r *approvalRow) show() middleware.Approval {
	if r == nil {
		return middleware.Approval{}
	}
	a := r.Approval
	if r.expired && (a.State == middleware.ApprovalPending || a.State == middleware.ApprovalGranted) {
		a.State = middleware.ApprovalExpired
	}
	return a
}

// scan reads a row.
func scan(row interface{ Scan(dest ...any) error }) (*approvalRow, error) {
	var (
		r                                              approvalRow
		id, operation, tool, reason, arguments, caller []byte
		tenant, conversation, request, decidedBy, note []byte
		state                                          int
		requestedAt, expiresAt, decidedAt, now         int64
	)
	err := row.Scan(&id, &state, &operation, &tool, &reason, &arguments, &caller, &tenant, &conversation, &request,
		&requestedAt, &expiresAt, &decidedBy, &decidedAt, &note, &now)
	switch {
	case err != nil:
		return nil, err
	case state < pending || state > used:
		return nil, errors.New("portavoz/sqldesk: the row of an approval cannot be read")
	}
	r.operation, r.expired = string(operation), expiresAt <= now
	r.Approval = middleware.Approval{
		ID: string(id), State: approvalStates[state], Tool: string(tool), Reason: string(reason), Arguments: arguments,
		Caller: string(caller), Tenant: string(tenant), ConversationID: string(conversation), RequestID: string(request),
		RequestedAt: at(requestedAt), ExpiresAt: at(expiresAt),
		DecidedBy: string(decidedBy), DecidedAt: at(decidedAt), Note: string(note),
	}
	return &r, nil
}

// find reads one row; nil if there is none.
func (a approvals) find(ctx context.Context, query string, arg []byte) (*approvalRow, error) {
	r, err := scan(a.on.QueryRowContext(ctx, query, arg))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

func (a approvals) Ask(ctx context.Context, r middleware.ApprovalRequest) (found middleware.Approval, err error) {
	err = a.each(ctx, func(a approvals) error {
		found, err = a.ask(ctx, r)
		return err
	})
	return found, err
}

func (a approvals) ask(ctx context.Context, r middleware.ApprovalRequest) (middleware.Approval, error) {
	for range maxRaces {
		held, err := a.find(ctx, a.approval.bySubject, r.Subject[:])
		switch {
		case err != nil:
			return middleware.Approval{}, err
		case held == nil:
			if held, err = a.insert(ctx, r); err != nil || held != nil {
				return held.show(), err
			}
		case held.expired, held.State == middleware.ApprovalUsed && held.operation != r.Operation:
			if _, err := exec(ctx, a.on, a.approval.replace, blob(held.ID), blob(r.Operation)); err != nil {
				return middleware.Approval{}, err
			}
		case held.State == middleware.ApprovalGranted:
			// Whoever comes next may replace it at once: the answer is not looked up.
			spent, err := exec(ctx, a.on, a.approval.use, blob(r.Operation), blob(held.ID))
			if err != nil {
				return middleware.Approval{}, err
			}
			if spent {
				held.State = middleware.ApprovalUsed
				return held.Approval, nil
			}
		default:
			return held.Approval, nil
		}
	}
	return middleware.Approval{}, errRaces
}

// insert makes an approval that is pending; nil if somebody else has.
func (a approvals) insert(ctx context.Context, r middleware.ApprovalRequest) (*approvalRow, error) {
	switch waiting, own, err := count(ctx, a.on, a.approval.count, blob(r.Caller), blob(r.Tenant)); {
	case err != nil:
		return nil, err
	case waiting >= a.maxPending, own >= a.maxPendingPerCaller:
		return nil, middleware.ErrApprovalsFull
	}
	ttl := millis(r.TTL)
	inserted, err := exec(ctx, a.on, a.approval.insert, blob(r.ID), r.Subject[:], blob(""), blob(r.Tool), blob(r.Reason), blob(string(r.Arguments)),
		blob(r.Caller), blob(r.Tenant), blob(r.ConversationID), blob(r.RequestID), ttl, ttl, blob(""), blob(""))
	if err != nil || !inserted {
		return nil, err
	}
	held, err := a.find(ctx, a.approval.byID, blob(r.ID))
	if held != nil {
		held.expired = false // it was just made
	}
	return held, err
}

// theirs reads an approval that is theirs.
func (a approvals) theirs(ctx context.Context, who middleware.Approver, id string) (*approvalRow, error) {
	held, err := a.find(ctx, a.approval.byID, blob(id))
	if err == nil && (held == nil || !who.AllTenants && who.Tenant != held.Tenant) {
		err = middleware.ErrNoApproval
	}
	return held, err
}

func (a approvals) Get(ctx context.Context, who middleware.Approver, id string) (found middleware.Approval, err error) {
	err = a.each(ctx, func(a approvals) error {
		held, err := a.theirs(ctx, who, id)
		if err == nil {
			found = held.show()
		}
		return err
	})
	return found, err
}

func (a approvals) List(ctx context.Context, who middleware.Approver, state middleware.ApprovalState, limit int) (found []middleware.Approval, err error) {
	err = a.each(ctx, func(a approvals) error {
		found, err = a.list(ctx, who, a.approval.list[state], limit)
		return err
	})
	return found, err
}

func (a approvals) list(ctx context.Context, who middleware.Approver, query string, limit int) ([]middleware.Approval, error) {
	found := []middleware.Approval{}
	if query == "" || limit <= 0 {
		return found, nil
	}
	every := 0
	if who.AllTenants {
		every = 1
	}
	rows, err := a.on.QueryContext(ctx, query, blob(who.Tenant), every, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says it
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, r.show())
	}
	return found, rows.Err()
}

func (a approvals) Decide(ctx context.Context, who middleware.Approver, id string, d middleware.Decision) (found middleware.Approval, err error) {
	err = a.each(ctx, func(a approvals) error {
		found, err = a.decide(ctx, who, id, d)
		return err
	})
	return found, err
}

func (a approvals) decide(ctx context.Context, who middleware.Approver, id string, d middleware.Decision) (middleware.Approval, error) {
	if _, err := a.theirs(ctx, who, id); err != nil { // a tenant does not change
		return middleware.Approval{}, err
	}
	state := refused
	if d.Grant {
		state = granted
	}
	if _, err := exec(ctx, a.on, a.approval.decide, state, blob(who.Name), blob(d.Note), blob(id)); err != nil {
		return middleware.Approval{}, err
	}
	held, err := a.theirs(ctx, who, id)
	if err != nil {
		return middleware.Approval{}, err
	}
	now := held.show()
	switch {
	case now.State == middleware.ApprovalExpired:
		return now, middleware.ErrApprovalExpired
	case held.DecidedBy != who.Name || (held.State != middleware.ApprovalRefused) != d.Grant:
		return now, middleware.ErrApprovalDecided
	}
	return now, nil
}
