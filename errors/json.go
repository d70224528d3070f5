package errors

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

var (
	_ json.Marshaler   = (*Error)(nil)
	_ json.Unmarshaler = (*Error)(nil)
)

// The names that the fields of an Error take inside details.
const (
	keyCode         = "code"
	keyField        = "field"
	keyRetryable    = "retryable"
	keyRetryAfter   = "retry_after_seconds"
	keyNextQuestion = "next_question"
)

// MarshalJSON returns what [Error.AppendJSON] appends, and never fails.
//
// json.Marshal escapes <, > and & in whatever a marshaler returns. Where they
// are to stay as they are, call this method or AppendJSON, or use a
// [json.Encoder] with SetEscapeHTML(false).
func (e *Error) MarshalJSON() ([]byte, error) {
	return e.AppendJSON(make([]byte, 0, 192)), nil
}

// AppendJSON appends the failure in the shape that a gateway reads:
//
//	{"error":{"error_type":"NOT_FOUND","user_message":"...","details":{...}}}
//
// An empty sentence is filled from [DefaultMessages], and a type that is not
// one of the six is written as UNKNOWN. Cause and Effect are not written.
//
// The member details is written only if it has members. First come those that
// are set of code, field, retryable, retry_after_seconds (whole seconds,
// rounded up) and next_question, then the keys of Details in order. A key of
// Details with one of those five names is left out, set or not, and so are a
// value that cannot be encoded (a channel, NaN, a cycle, a marshaler that fails
// or panics), an error (its place is Cause, and its fields would tell what its
// text must not) and a key that is not UTF-8.
//
// Bytes that are not UTF-8 become U+FFFD. Nothing is escaped but what JSON
// demands, and U+2028 and U+2029. A nil *Error is written as null.
func (e *Error) AppendJSON(dst []byte) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, `{"error":{"error_type":"`...)
	dst = append(dst, ParseType(string(e.Type))...)
	dst = append(dst, `","user_message":`...)
	dst = appendString(dst, Messages(nil).For(e))
	dst = e.appendDetails(dst)
	return append(dst, "}}"...)
}

// appendDetails appends the member details, or nothing if it would be empty.
// Each member is written with a comma after it; the last one becomes the brace.
func (e *Error) appendDetails(dst []byte) []byte {
	before := len(dst)
	dst = append(dst, `,"details":{`...)
	empty := len(dst)
	if e.Code != "" {
		dst = append(appendString(appendKey(dst, keyCode), e.Code), ',')
	}
	if e.Field != "" {
		dst = append(appendString(appendKey(dst, keyField), e.Field), ',')
	}
	if e.Retryable {
		dst = append(appendKey(dst, keyRetryable), "true,"...)
	}
	if e.RetryAfter > 0 {
		dst = append(strconv.AppendInt(appendKey(dst, keyRetryAfter), seconds(e.RetryAfter), 10), ',')
	}
	if e.NextQuestion != "" {
		dst = append(appendString(appendKey(dst, keyNextQuestion), e.NextQuestion), ',')
	}
	if len(e.Details) > 0 {
		dst = appendMembers(dst, e.Details)
	}
	if len(dst) == empty {
		return dst[:before]
	}
	dst[len(dst)-1] = '}'
	return dst
}

func appendMembers(dst []byte, details map[string]any) []byte {
	for _, key := range slices.Sorted(maps.Keys(details)) {
		switch key {
		case keyCode, keyField, keyRetryable, keyRetryAfter, keyNextQuestion:
			continue
		}
		if !utf8.ValidString(key) {
			continue
		}
		switch v := details[key].(type) {
		case string:
			dst = append(appendString(appendKey(dst, key), v), ',')
		case error:
		default:
			if value, ok := encode(v); ok {
				dst = append(append(appendKey(dst, key), value...), ',')
			}
		}
	}
	return dst
}

// encode returns v as JSON, or false if it has none. A marshaler that panics
// has none: what reports a failure must not fail.
func encode(v any) (value []byte, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, false
	}
	value = bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	// The encoder repairs strings, but not what a marshaler or a RawMessage
	// holds.
	return bytes.ToValidUTF8(value, []byte("\uFFFD")), true
}

// seconds returns d in whole seconds, rounded up.
func seconds(d time.Duration) int64 {
	n := int64(d / time.Second)
	if d%time.Second > 0 {
		n++
	}
	return n
}

func appendKey(dst []byte, key string) []byte {
	return append(appendString(dst, key), ':')
}

// appendString appends s as a JSON string. Ranging over a string gives U+FFFD
// for each byte that is not UTF-8.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' || r == '\u2028' || r == '\u2029':
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
