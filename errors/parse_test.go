package errors_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		data string
		want errors.Error
	}{
		"the shape": {
			`{"error":{"error_type":"NOT_FOUND","user_message":"No encontré la cita."}}`,
			errors.Error{Type: errors.TypeNotFound, UserMessage: "No encontré la cita.", Effect: errors.EffectNone},
		},
		"everything": {
			`{"error":{"error_type":"SYSTEM","user_message":"Frase.","details":{"code":"c","field":"f","retryable":true,` +
				`"retry_after_seconds":20,"next_question":"¿Q?","n":9007199254740993,"list":[1.50]}}}`,
			errors.Error{
				Type: errors.TypeSystem, UserMessage: "Frase.", Code: "c", Field: "f", Retryable: true,
				RetryAfter: 20 * time.Second, NextQuestion: "¿Q?",
				Details: map[string]any{"n": json.Number("9007199254740993"), "list": []any{json.Number("1.50")}},
			},
		},
		"an unknown type":           {`{"error":{"error_type":"TIMEOUT","user_message":"Frase."}}`, errors.Error{Type: errors.TypeUnknown, UserMessage: "Frase."}},
		"a number for a type":       {`{"error":{"error_type":1}}`, errors.Error{Type: errors.TypeUnknown}},
		"no type":                   {`{"error":{"user_message":"Frase."}}`, errors.Error{Type: errors.TypeUnknown, UserMessage: "Frase."}},
		"no sentence":               {`{"error":{"error_type":"BLOCKER"}}`, errors.Error{Type: errors.TypeBlocker, Effect: errors.EffectNone}},
		"nothing":                   {`{"error":{}}`, errors.Error{Type: errors.TypeUnknown}},
		"all null":                  {`{"error":{"error_type":null,"user_message":null,"details":null}}`, errors.Error{Type: errors.TypeUnknown}},
		"names in another case":     {`{"error":{"Error_Type":"BLOCKER","USER_MESSAGE":"x"}}`, errors.Error{Type: errors.TypeUnknown}},
		"details that are a list":   {`{"error":{"error_type":"SYSTEM","details":[1]}}`, errors.Error{Type: errors.TypeSystem}},
		"members of other types":    {`{"error":{"details":{"code":1,"field":{},"retryable":"yes","retry_after_seconds":"20","next_question":[]}}}`, errors.Error{Type: errors.TypeUnknown}},
		"a delay in fractions":      {`{"error":{"details":{"retry_after_seconds":1.2}}}`, errors.Error{Type: errors.TypeUnknown, RetryAfter: 2 * time.Second}},
		"a delay below zero":        {`{"error":{"details":{"retry_after_seconds":-3}}}`, errors.Error{Type: errors.TypeUnknown}},
		"a delay beyond all bounds": {`{"error":{"details":{"retry_after_seconds":1e999}}}`, errors.Error{Type: errors.TypeUnknown, RetryAfter: math.MaxInt64}},
		"members beside the error":  {` {"ok":false,"error":{"error_type":"PERMISSION","more":1}} `, errors.Error{Type: errors.TypePermission, Effect: errors.EffectNone}},
		"bytes that are not UTF-8":  {"{\"error\":{\"user_message\":\"a\xff\"}}", errors.Error{Type: errors.TypeUnknown, UserMessage: "a\uFFFD"}},
		"half a surrogate pair":     {`{"error":{"user_message":"\ud800x"}}`, errors.Error{Type: errors.TypeUnknown, UserMessage: "\uFFFDx"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := errors.Parse([]byte(tc.data))
			if err != nil {
				t.Fatalf("Parse: %v", err)
			}
			// All there is, types included; no Cause, so no pointers.
			if got, want := fmt.Sprintf("%#v", *got), fmt.Sprintf("%#v", tc.want); got != want {
				t.Errorf("Parse(%s)\n got %s\nwant %s", tc.data, got, want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"nothing":            ``,
		"null":               `null`,
		"a string":           `"error"`,
		"a list":             `[{"error":{}}]`,
		"cut short":          `{"error":{"error_type":"SYS`,
		"text after it":      `{"error":{}} {}`,
		"no member error":    `{"ok":true}`,
		"error in capitals":  `{"ERROR":{}}`,
		"error is null":      `{"error":null}`,
		"error is a string":  `{"error":"boom"}`,
		"error is a list":    `{"error":[]}`,
		"nested without end": strings.Repeat(`{"error":`, 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := errors.Parse([]byte(data)); err == nil || got != nil {
				t.Errorf("Parse = %+v, %v, want nil and an error", got, err)
			}
		})
	}
}

// FuzzParse reads arbitrary bytes; what is read can be written and read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"error":{"error_type":"NOT_FOUND","user_message":"No encontré la cita."}}`,
		`{"error":{"error_type":"SYSTEM","details":{"code":"busy","retry_after_seconds":1e400,"x":{"y":[1.0,"\ud800"]}}}}`,
		`{"error":{"details":{"a\u0000":-0,"":null,"retryable":true}}}`,
		"{\"error\":{\"user_message\":\"\xff\"}}", `{"error":null}`, `[]`, `{"error":{`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := errors.Parse(data)
		if err != nil {
			return
		}
		if e.Type != errors.ParseType(string(e.Type)) || e.RetryAfter < 0 {
			t.Errorf("Parse(%q) = %#v", data, e)
		}
		once := e.AppendJSON(nil)
		again, err := errors.Parse(once)
		if err != nil {
			t.Fatalf("Parse(%s): %v", once, err)
		}
		if twice := again.AppendJSON(nil); !bytes.Equal(once, twice) {
			t.Errorf("written again:\n got %s\nwant %s", twice, once)
		}
		if !reflect.DeepEqual(again.Details, e.Details) {
			t.Errorf("Details = %#v, want %#v", again.Details, e.Details)
		}
	})
}
