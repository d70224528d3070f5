package whaapy

import (
	"reflect"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
)

// CodeNeedsMoreInfo is the code of [NeedsMoreInfo].
const CodeNeedsMoreInfo = "needs_more_info"

// NeedsMoreInfo is the failure of a handler that cannot go on before the person has
// said more. The question is one short sentence that the agent can ask; field names
// the argument that is missing, or is "". It is VALIDATION, and proves that nothing
// happened; options change the rest:
//
//	return nil, whaapy.NeedsMoreInfo("¿Me da su número de servicio?", "servicio",
//		errors.WithCode("missing_customer_identity"))
//
// To the Whaapy agent it is needs_more_info with nextQuestion, to every other client a
// failure whose sentence is the question.
func NeedsMoreInfo(question, field string, opts ...errors.Option) *errors.Error {
	e := errors.Validation(question, errors.WithCode(CodeNeedsMoreInfo), errors.WithField(field), errors.WithNextQuestion(question))
	for _, opt := range opts {
		opt(e)
	}
	return e
}

// Pending is the result of a handler that has found candidates, or something to do, and
// goes on once the person has confirmed it. Candidates is a slice. No client takes it
// for done, and it is not kept under an idempotency key. Its data are
//
//	{"status":"pending_confirmation","candidates":[...],"nextQuestion":"..."}
//
// so that a tool with an outputSchema has to allow for them. The question is another
// one if it is given.
func Pending(candidates any, question ...string) *mcp.CallToolResult {
	ask := askToChoose
	if list := reflect.ValueOf(candidates); list.Kind() == reflect.Slice && list.Len() == 1 {
		ask = askIfThatIsAll
	}
	if len(question) > 0 && question[0] != "" {
		ask = question[0]
	}
	return mcp.NewToolResultStructured(struct {
		Status       Status `json:"status"`
		Candidates   any    `json:"candidates"`
		NextQuestion string `json:"nextQuestion"`
	}{PendingConfirmation, candidates, ask}, ask)
}

// Queued is the result of a write that has been accepted and is not done yet. Text is
// for the person. Another tool reads the state of the job. It is kept under an
// idempotency key, so that a repeated call does not queue it twice.
func Queued(jobID string, queuedAt time.Time, text string) *mcp.CallToolResult {
	return mcp.NewToolResultStructured(struct {
		Status Status `json:"status"`
		Evidence
	}{InQueue, Evidence{JobID: jobID, QueuedAt: queuedAt}}, text)
}

// Evidence are the members by which a write proves what it has done, under the names
// that Whaapy knows. Embed it in the result of a handler, and fill what applies:
//
//	return mcp.NewToolResultStructured(struct {
//		whaapy.Evidence
//		Asunto string `json:"asunto"`
//	}{whaapy.Evidence{TicketID: "4482", Status: "created"}, "Sin señal"}, "Quedó abierto el caso.")
//
// What is empty is left out. [Config.Evidence] says what a tool must not leave out.
type Evidence struct {
	TicketID  string `json:"ticketId,omitempty"`
	TicketURL string `json:"ticketUrl,omitempty"`
	Status    string `json:"status,omitempty"`

	PaymentID         string   `json:"paymentId,omitempty"`
	ReceiptID         string   `json:"receiptId,omitempty"`
	MatchedInvoiceIDs []string `json:"matchedInvoiceIds,omitempty"`

	EventID    string    `json:"eventId,omitempty"`
	StartAt    time.Time `json:"startAt,omitzero"`
	CalendarID string    `json:"calendarId,omitempty"`

	RecordID      string   `json:"recordId,omitempty"`
	UpdatedFields []string `json:"updatedFields,omitempty"`

	JobID    string    `json:"jobId,omitempty"`
	QueuedAt time.Time `json:"queuedAt,omitzero"`
}
