package errors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// Parse reads a failure in the shape that [Error.AppendJSON] writes.
//
// It fails if data is not one JSON object whose member "error" is an object.
// Inside that, nothing fails: an error_type that is missing or not one of the
// six reads as UNKNOWN, and any other member that is missing or of the wrong
// type reads as absent. Names are matched exactly. Numbers in Details are
// [json.Number], so that none loses digits; retry_after_seconds is rounded up
// and capped at what a [time.Duration] can hold.
//
// The effect is not on the wire: the result proves what the constructor of its
// type would. The sentence is the peer's own and has not been cleaned.
func Parse(data []byte) (*Error, error) {
	var doc, body map[string]json.RawMessage
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("portavoz/errors: not a JSON object: %w", err)
	}
	if err := json.Unmarshal(doc["error"], &body); err != nil || body == nil {
		return nil, New(`portavoz/errors: no object under "error"`)
	}
	t := ParseType(text(body["error_type"]))
	e := &Error{Type: t, UserMessage: text(body["user_message"]), Effect: t.effect()}
	e.takeDetails(object(body["details"]))
	return e, nil
}

// UnmarshalJSON replaces e with what [Parse] reads. As is the custom, null
// changes nothing.
func (e *Error) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	parsed, err := Parse(data)
	if err != nil {
		return err
	}
	*e = *parsed
	return nil
}

// takeDetails moves the members that have a field of their own there, and keeps
// the rest as Details.
func (e *Error) takeDetails(details map[string]any) {
	e.Code = take[string](details, keyCode)
	e.Field = take[string](details, keyField)
	e.Retryable = take[bool](details, keyRetryable)
	e.RetryAfter = duration(take[json.Number](details, keyRetryAfter))
	e.NextQuestion = take[string](details, keyNextQuestion)
	if len(details) > 0 {
		e.Details = details
	}
}

// take removes a key from m and returns its value, or zero if it is no T.
func take[T any](m map[string]any, key string) T {
	v, _ := m[key].(T)
	delete(m, key)
	return v
}

// duration reads a number of seconds, rounded up. Below zero is zero.
func duration(n json.Number) time.Duration {
	const longest time.Duration = math.MaxInt64
	f, _ := n.Float64() // infinite where it is too large, zero where there is none
	f = math.Ceil(f)
	switch {
	case f <= 0:
		return 0
	case f > longest.Seconds():
		return longest
	default:
		return time.Duration(f) * time.Second
	}
}

// text reads a JSON string; anything else is empty.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// object reads a JSON object, its numbers as they are written; anything else
// is nil.
func object(raw json.RawMessage) map[string]any {
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&m) != nil {
		return nil
	}
	return m
}
