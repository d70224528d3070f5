package call

import (
	"cmp"
	"context"
	"strings"
	"unicode"
)

// Channel is the medium in which the person meets the agent.
type Channel string

// The channels a gateway names. Any other value reads as absent.
const (
	Chat  Channel = "chat"
	Voice Channel = "voice" // the answer is read aloud
)

// Meta is what a gateway says about a call beside its arguments, in
// params._meta. Every field may be empty; a value of the wrong type counts as
// absent and never fails a call.
type Meta struct {
	// IdempotencyKey is one per logical operation; a retry carries the same.
	// Empty when absent or unusable; see KeyError.
	IdempotencyKey string
	// KeyError is not nil when a key was sent that cannot be used: not a
	// string, blank, or longer than [MaxKeyBytes]. A write has to be refused
	// then, since its sender believes it to be safe to retry. A read ignores it.
	KeyError *KeyError
	// ConversationID names the conversation. Two conversations share nothing.
	ConversationID string
	// RequestID is the id that every log line of this call carries: the one
	// the gateway sent, or one that the tool middlewares made with
	// [NewRequestID]. [Keys.Read] makes none.
	RequestID string
	// Channel is Chat, Voice, or empty.
	Channel Channel
	// CompanyID names the tenant as the gateway sees it. It is what the client
	// says; [Caller.Tenant] is what its credential proves.
	CompanyID string
	// PriceListID names the price list in force.
	PriceListID string
	// Currency is an ISO 4217 code.
	Currency string
	// Timezone is an IANA zone such as "America/Bogota".
	Timezone string
}

// MaxKeyBytes is the longest idempotency key accepted, in bytes.
const MaxKeyBytes = 255

// maxIDBytes bounds every other value; a longer one counts as absent, so that
// a client cannot fill logs and maps with it.
const maxIDBytes = 255

// KeyError says why an idempotency key cannot be used.
type KeyError struct {
	// Reason is "not_a_string", "blank" or "too_long".
	Reason string
}

// Error implements error, for the log.
func (e *KeyError) Error() string { return "unusable idempotency key: " + e.Reason }

// Keys are the names under which a gateway sends its metadata in _meta. An
// empty name means the default named at its field.
type Keys struct {
	IdempotencyKey string // default "com.asixto/idempotencyKey"
	ConversationID string // default "com.asixto/conversationId"
	RequestID      string // default "com.asixto/requestId"
	Channel        string // default "com.asixto/channel"
	CompanyID      string // default "com.asixto/companyId"
	PriceListID    string // default "com.asixto/priceListId"
	Currency       string // default "com.asixto/currency"
	Timezone       string // default "com.asixto/timezone"
}

// WithPrefix returns the default names under another prefix:
// WithPrefix("com.example/") reads "com.example/idempotencyKey" and so on.
func WithPrefix(prefix string) Keys {
	return Keys{
		IdempotencyKey: prefix + "idempotencyKey",
		ConversationID: prefix + "conversationId",
		RequestID:      prefix + "requestId",
		Channel:        prefix + "channel",
		CompanyID:      prefix + "companyId",
		PriceListID:    prefix + "priceListId",
		Currency:       prefix + "currency",
		Timezone:       prefix + "timezone",
	}
}

// Read takes the metadata out of a decoded _meta object. A nil map reads as no
// metadata. Surrounding space is dropped; a value longer than 255 bytes, or
// with a character that cannot be seen (controls, line separators, direction
// marks), counts as absent, so that none can forge or disguise a log line. The
// idempotency key is kept byte for byte.
func (k Keys) Read(fields map[string]any) Meta {
	if len(fields) == 0 {
		return Meta{}
	}
	text := func(name, byDefault string) string {
		return cleanID(fields[cmp.Or(name, byDefault)])
	}
	m := Meta{
		ConversationID: text(k.ConversationID, "com.asixto/conversationId"),
		RequestID:      text(k.RequestID, "com.asixto/requestId"),
		CompanyID:      text(k.CompanyID, "com.asixto/companyId"),
		PriceListID:    text(k.PriceListID, "com.asixto/priceListId"),
		Currency:       text(k.Currency, "com.asixto/currency"),
		Timezone:       text(k.Timezone, "com.asixto/timezone"),
	}
	switch c := Channel(text(k.Channel, "com.asixto/channel")); c {
	case Chat, Voice:
		m.Channel = c
	}
	m.IdempotencyKey, m.KeyError = readKey(fields[cmp.Or(k.IdempotencyKey, "com.asixto/idempotencyKey")])
	return m
}

// readKey keeps the key exactly as it was sent: two keys that differ in
// anything are two operations. JSON null is absent.
func readKey(v any) (string, *KeyError) {
	if v == nil {
		return "", nil
	}
	s, ok := v.(string)
	switch {
	case !ok:
		return "", &KeyError{Reason: "not_a_string"}
	case strings.TrimSpace(s) == "":
		return "", &KeyError{Reason: "blank"}
	case len(s) > MaxKeyBytes:
		return "", &KeyError{Reason: "too_long"}
	}
	return s, nil
}

func cleanID(v any) string {
	s, ok := v.(string)
	if !ok {
		return ""
	}
	s = strings.TrimSpace(s)
	if len(s) > maxIDBytes || strings.ContainsFunc(s, isHidden) {
		return ""
	}
	return s
}

func isHidden(r rune) bool { return !unicode.IsPrint(r) }

type metaKey struct{}

// WithMeta returns a context that carries m. The middlewares do this; a test
// of a handler does it by hand.
func WithMeta(ctx context.Context, m Meta) context.Context {
	return context.WithValue(ctx, metaKey{}, &m)
}

// MetaFrom returns the metadata of the call, or the zero Meta.
func MetaFrom(ctx context.Context) Meta {
	if m, ok := ctx.Value(metaKey{}).(*Meta); ok {
		return *m
	}
	return Meta{}
}
