package middleware

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/portavoz/portavoz/errors"
)

// Bounds of [ApprovalsHandler].
const (
	maxDecisionBody = 4 << 10
	maxApproverName = 255
	maxNote         = 500 // characters
	maxListed       = 100
)

// ApprovalsHandler lists approvals and takes decisions, as JSON:
//
//	GET  /approvals             {"approvals":[...]}: the pending ones, the oldest first, 100 at most;
//	                            ?state=granted and so on for others
//	GET  /approvals/{id}        one
//	POST /approvals/{id}        {"decision":"grant"} or {"decision":"refuse"}, with a "note" of 500
//	                            characters at most if there is something to say; answers the approval
//
// Put it behind your own authentication and never beside the endpoint of the tools: who
// reaches it decides, and reads arguments. Who says who sends a request; false is 403, and so
// is a name that is empty or longer than 255 bytes. A panic in it goes on to the server, before
// anything is read. An approval of another tenant is answered like one that was never there:
//
//	400 invalid_body, invalid_state    403 forbidden            404 not_found
//	409 already_decided                410 expired              415 not_json
//	413 body_too_large                 503 unavailable
//
// 409 and 410 bring the approval as it is. A browser's requests from other sites are
// refused (see [http.CrossOriginProtection]). To mount it below a prefix, use
// [http.StripPrefix].
//
// It panics if store or who is nil.
func ApprovalsHandler(store Approvals, who func(*http.Request) (Approver, bool)) http.Handler {
	if store == nil || who == nil {
		panic("portavoz/middleware: ApprovalsHandler needs approvals and a function that says who decides")
	}
	d := &desk{store: store, who: who}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /approvals", d.as(d.list))
	mux.HandleFunc("GET /approvals/{id}", d.as(d.get))
	mux.HandleFunc("POST /approvals/{id}", d.as(d.decide))
	return http.NewCrossOriginProtection().Handler(mux)
}

// desk is where people decide.
type desk struct {
	store Approvals
	who   func(*http.Request) (Approver, bool)
}

// approvalAnswer is the body of every answer.
type approvalAnswer struct {
	Error     string      `json:"error,omitempty"`
	Approval  *Approval   `json:"approval,omitempty"`
	Approvals *[]Approval `json:"approvals,omitempty"`
}

// as finds out who sends the request, and answers what is wrong.
func (d *desk) as(serve func(http.ResponseWriter, *http.Request, Approver) (approvalAnswer, int)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, ok := d.who(r)
		if !ok || who.Name == "" || len(who.Name) > maxApproverName {
			sendApproval(w, r, approvalAnswer{Error: "forbidden"}, http.StatusForbidden)
			return
		}
		answer, code := serve(w, r, who)
		sendApproval(w, r, answer, code)
	}
}

func (d *desk) list(_ http.ResponseWriter, r *http.Request, who Approver) (approvalAnswer, int) {
	state := ApprovalPending
	if given := r.URL.Query().Get("state"); given != "" {
		state = ApprovalState(given)
	}
	switch state {
	case ApprovalPending, ApprovalGranted, ApprovalRefused, ApprovalUsed, ApprovalExpired:
	default:
		return approvalAnswer{Error: "invalid_state"}, http.StatusBadRequest
	}
	found, err := d.store.List(r.Context(), who, state, maxListed)
	if err != nil {
		return problemOf(Approval{}, err)
	}
	return approvalAnswer{Approvals: &found}, http.StatusOK
}

func (d *desk) get(_ http.ResponseWriter, r *http.Request, who Approver) (approvalAnswer, int) {
	return problemOf(d.store.Get(r.Context(), who, r.PathValue("id")))
}

func (d *desk) decide(w http.ResponseWriter, r *http.Request, who Approver) (approvalAnswer, int) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return approvalAnswer{Error: "not_json"}, http.StatusUnsupportedMediaType
	}
	var body struct {
		Decision string `json:"decision"`
		Note     string `json:"note"`
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxDecisionBody))
	dec.DisallowUnknownFields()
	err := dec.Decode(&body)
	if err == nil {
		if _, end := dec.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("something follows the object")
		}
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return approvalAnswer{Error: "body_too_large"}, http.StatusRequestEntityTooLarge
	}
	if err != nil || body.Decision != "grant" && body.Decision != "refuse" || utf8.RuneCountInString(body.Note) > maxNote {
		return approvalAnswer{Error: "invalid_body"}, http.StatusBadRequest
	}
	note := strings.ReplaceAll(body.Note, "\x00", "") // which PostgreSQL does not store
	return problemOf(d.store.Decide(r.Context(), who, r.PathValue("id"), Decision{Grant: body.Decision == "grant", Note: note}))
}

// problemOf is the answer to what the store says. The text of its errors stays here.
func problemOf(a Approval, err error) (approvalAnswer, int) {
	switch {
	case err == nil:
		return approvalAnswer{Approval: &a}, http.StatusOK
	case errors.Is(err, ErrNoApproval):
		return approvalAnswer{Error: "not_found"}, http.StatusNotFound
	case errors.Is(err, ErrApprovalDecided):
		return approvalAnswer{Error: "already_decided", Approval: &a}, http.StatusConflict
	case errors.Is(err, ErrApprovalExpired):
		return approvalAnswer{Error: "expired", Approval: &a}, http.StatusGone
	default:
		return approvalAnswer{Error: "unavailable"}, http.StatusServiceUnavailable
	}
}

func sendApproval(w http.ResponseWriter, r *http.Request, answer approvalAnswer, code int) {
	body, err := json.Marshal(answer)
	if err != nil { // a store made arguments that are not JSON
		body, code = []byte(`{"error":"unavailable"}`), http.StatusServiceUnavailable
	}
	body = append(body, '\n')
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the reader may be gone; nothing is left to do
	}
}
