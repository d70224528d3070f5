package call

import (
	"context"
	"crypto/rand"
	"sync"
)

// Request is what the transport learned from the body of a JSON-RPC request,
// read once.
type Request struct {
	// Method is the JSON-RPC method, such as "tools/call".
	Method string
	// Name is params.name, or params.uri for resources.
	Name string
	// Version is the protocol version stated in params._meta, or "".
	Version string
	// RequestID is the request id that the client sent in params._meta, or ""
	// when it sent none; see [Meta.RequestID].
	RequestID string
	// Client is the name that the client's software gives itself: clientInfo.name of
	// an initialize, or of params._meta; "" where it says none. A session that knows
	// its client may complete it. Nothing proves it.
	Client string
	// ID is the JSON-RPC id as it was written, nil for a notification. It is
	// not changed after it was noted.
	ID []byte
}

// Outcome is how a tool call ended, as the tool middlewares saw it.
type Outcome struct {
	// Tool is the name of the tool that ran, or was refused.
	Tool string
	// RequestID is the id that the call's log line carries.
	RequestID string
	// Outcome is a word such as "ok" or "refused".
	Outcome string
	// ErrorType is one of the six error types, or "".
	ErrorType string
}

// Invalid is what is wrong with the arguments of a tool call that was refused
// because they break the tool's input schema.
type Invalid struct {
	// Field is the path of the first argument at fault, with dots; "" where the
	// arguments are wrong as a whole.
	Field string
	// Message is the sentence for the person that the result holds.
	Message string
}

// Exchange is the note that the two halves pass each other during one HTTP
// exchange: the transport writes what it read and who sent it, the tool
// middlewares write how the call ended. It is safe for concurrent use.
type Exchange struct {
	mu         sync.Mutex
	request    Request
	caller     Caller
	identified bool
	refusal    string
	outcome    Outcome
	reached    bool
	invalid    *Invalid
	asksFor    bool // the client wants invalid arguments as an error of the protocol
}

type exchangeKey struct{}

// WithExchange returns a context that carries an [Exchange], and the exchange:
// the one already there, or a new one.
func WithExchange(ctx context.Context) (context.Context, *Exchange) {
	if x := ExchangeFrom(ctx); x != nil {
		return ctx, x
	}
	x := new(Exchange)
	return context.WithValue(ctx, exchangeKey{}, x), x
}

// ExchangeFrom returns the exchange, or nil. A nil exchange accepts every call
// of its methods and remembers nothing.
func ExchangeFrom(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

// SetRequest notes what the body said.
func (x *Exchange) SetRequest(r Request) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.request = r
}

// Request returns what the body said, or the zero Request.
func (x *Exchange) Request() Request {
	if x == nil {
		return Request{}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.request
}

// SetCaller notes who presented a valid credential. A context value reaches
// only what runs inside the part that checked it; the log runs outside.
func (x *Exchange) SetCaller(c Caller) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.caller, x.identified = c, true
}

// Caller returns who presented a valid credential, and whether anybody did.
func (x *Exchange) Caller() (Caller, bool) {
	if x == nil {
		return Caller{}, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.caller, x.identified
}

// SetRefusal notes why the transport answered the request itself, in one word
// for the log such as "body_too_large". The first note stays: it is the cause.
func (x *Exchange) SetRefusal(reason string) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.refusal == "" {
		x.refusal = reason
	}
}

// Refusal returns why the transport answered itself, or "" when it did not.
func (x *Exchange) Refusal() string {
	if x == nil {
		return ""
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.refusal
}

// SetOutcome notes how the tool call ended; the last note wins.
func (x *Exchange) SetOutcome(o Outcome) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.outcome, x.reached = o, true
}

// Outcome returns how the tool call ended, and whether a tool middleware was
// reached at all: an unknown tool, a refused header or a missing credential
// never gets that far.
func (x *Exchange) Outcome() (Outcome, bool) {
	if x == nil {
		return Outcome{}, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.outcome, x.reached
}

// SetInvalid notes that the call was refused for its arguments. Some clients want
// to be told by the protocol (JSON-RPC error -32602), which is for the transport to
// do.
func (x *Exchange) SetInvalid(i Invalid) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.invalid = &i
}

// Invalid returns what is wrong with the arguments, and whether the call was
// refused for that.
func (x *Exchange) Invalid() (Invalid, bool) {
	if x == nil {
		return Invalid{}, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.invalid == nil {
		return Invalid{}, false
	}
	return *x.invalid, true
}

// AskInvalid notes that the client wants to be told about invalid arguments by the
// protocol. Without this note the answer is the result that a tool middleware made.
func (x *Exchange) AskInvalid() {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asksFor = true
}

// AsksInvalid reports whether AskInvalid was called.
func (x *Exchange) AsksInvalid() bool {
	if x == nil {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.asksFor
}

// NewRequestID makes a request id for a call that came without one: "req_" and
// 26 letters and digits, at least 128 random bits.
func NewRequestID() string { return "req_" + rand.Text() }
