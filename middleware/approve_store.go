package middleware

import (
	"context"
	"encoding/json"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// ApprovalState is how far an approval is.
type ApprovalState string

// The states. The first three end with time: what expires as pending or granted is
// expired, and what expires as refused or used is forgotten.
const (
	ApprovalPending ApprovalState = "pending"
	ApprovalGranted ApprovalState = "granted" // and not used yet
	ApprovalRefused ApprovalState = "refused"
	ApprovalUsed    ApprovalState = "used" // granted, and an operation runs under it, or has run
	ApprovalExpired ApprovalState = "expired"
)

// Approval is one call that a person has to agree to. Its JSON is for those who
// decide; it holds the arguments of the call.
type Approval struct {
	ID             string          `json:"id"`
	State          ApprovalState   `json:"state"`
	Tool           string          `json:"tool"`
	Reason         string          `json:"reason"`    // why the policy wants it
	Arguments      json.RawMessage `json:"arguments"` // members in the order of their names
	Caller         string          `json:"caller"`    // the principal that asked
	Tenant         string          `json:"tenant"`    // the one its credential proves, else the one it named
	ConversationID string          `json:"conversationId"`
	RequestID      string          `json:"requestId"` // of the call that asked first
	RequestedAt    time.Time       `json:"requestedAt"`
	// ExpiresAt is until when it may be decided or, once it is granted, be used.
	ExpiresAt time.Time `json:"expiresAt"`
	DecidedBy string    `json:"decidedBy,omitempty"`
	DecidedAt time.Time `json:"decidedAt,omitzero"`
	Note      string    `json:"note,omitempty"` // of the person who decided
}

// ApprovalRequest is a call that asks whether it may run.
type ApprovalRequest struct {
	// ID is the name of the approval to make, if there is none. It is fresh, and
	// cannot be guessed.
	ID string
	// Subject is the digest of all that one approval is for: who asks, the tool, the
	// arguments.
	Subject idempotency.Digest
	// Operation names what spends the grant, in 64 bytes of ASCII at most. It is the
	// same at each attempt of one operation, and never the same for two.
	Operation string

	Tool, Reason, Caller, Tenant, ConversationID, RequestID string

	Arguments json.RawMessage
	// TTL is how long the approval may be pending, and then be granted.
	TTL time.Duration
}

// Approver is a person who decides, as the server's own authentication knows them.
type Approver struct {
	// Name is who it is, for the record. It is not empty.
	Name string
	// Tenant is the one whose approvals they see, and decide. Those of a server
	// without tenants have an empty one.
	Tenant string
	// AllTenants lets them see and decide those of every tenant.
	AllTenants bool
}

// mayDecide reports whether the approval is theirs to see.
func (a Approver) mayDecide(tenant string) bool { return a.AllTenants || a.Tenant == tenant }

// Decision is what a person says.
type Decision struct {
	// Grant says yes.
	Grant bool
	// Note is why, for the record.
	Note string
}

// Approvals remembers what waits for a person, and what became of it. Every method
// is one atomic step, is safe for concurrent use, and honours its context. A store
// that processes share decides by its own clock. What was granted or refused is not
// forgotten before it expires; that something expired may be told for a while, and
// is then forgotten. What they return is the caller's own, but for Arguments, which
// nobody changes.
type Approvals interface {
	// Ask finds the approval for the subject that has not expired, or makes one that
	// is pending. A granted one becomes used by the operation; one that is used by
	// this operation is returned as it is, as long as no other has asked since, and
	// one that another has used counts as none. So a call may run if, and only if,
	// the state is [ApprovalUsed]. It fails
	// with [ErrApprovalsFull] where there is no room for another one.
	Ask(ctx context.Context, r ApprovalRequest) (Approval, error)
	// Get returns an approval, or [ErrNoApproval] if it is not there or not theirs.
	Get(ctx context.Context, who Approver, id string) (Approval, error)
	// List returns those in this state that are theirs, the oldest first, limit at
	// most.
	List(ctx context.Context, who Approver, state ApprovalState, limit int) ([]Approval, error)
	// Decide grants or refuses what is pending, and returns it. Its time then begins
	// anew. What is decided already stays as it is: [ErrApprovalDecided], unless the
	// same person says the same again. [ErrApprovalExpired] came too late, and
	// [ErrNoApproval] is not there or not theirs.
	Decide(ctx context.Context, who Approver, id string, d Decision) (Approval, error)
}

// The errors of [Approvals], for [errors.Is].
var (
	// ErrNoApproval: there is no such approval, or it is another tenant's.
	ErrNoApproval = errors.New("portavoz/middleware: there is no such approval")
	// ErrApprovalDecided: somebody has decided otherwise, or somebody else has decided.
	ErrApprovalDecided = errors.New("portavoz/middleware: the approval is decided already")
	// ErrApprovalExpired: nobody decided in time.
	ErrApprovalExpired = errors.New("portavoz/middleware: the approval has expired")
	// ErrApprovalsFull: there is no room for another one.
	ErrApprovalsFull = errors.New("portavoz/middleware: there is no room for another approval")
)
