package errors_test

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/portavoz/portavoz/errors"
)

// panics is a value whose marshaler panics.
type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("boom") }

func TestAppendJSON(t *testing.T) {
	t.Parallel()
	cycle := map[string]any{}
	cycle["self"] = cycle
	for name, tc := range map[string]struct {
		err  *errors.Error
		want string
	}{
		"the shape": {
			errors.NotFound("No encontré una cita con esos datos."),
			`{"error":{"error_type":"NOT_FOUND","user_message":"No encontré una cita con esos datos."}}`,
		},
		"cause and effect stay": {
			errors.System("Frase.", errors.WithCause(errors.New("secret")), errors.WithEffect(errors.EffectNone)),
			`{"error":{"error_type":"SYSTEM","user_message":"Frase."}}`,
		},
		"an empty sentence is filled by code": {
			errors.System("", errors.WithCode(errors.CodeTimeout)),
			`{"error":{"error_type":"SYSTEM","user_message":"La respuesta tardó más de lo esperado.","details":{"code":"timeout"}}}`,
		},
		"a blank sentence is filled by type": {
			errors.Permission(" \t"),
			`{"error":{"error_type":"PERMISSION","user_message":"No hay autorización para atender esa solicitud."}}`,
		},
		"the zero value": {
			&errors.Error{},
			`{"error":{"error_type":"UNKNOWN","user_message":"No fue posible confirmar el resultado de la solicitud."}}`,
		},
		"a type outside of the six": {
			&errors.Error{Type: `"},`, UserMessage: "Frase."},
			`{"error":{"error_type":"UNKNOWN","user_message":"Frase."}}`,
		},
		"all fields, then details in order": {
			errors.Validation("Frase.",
				errors.WithDetails(map[string]any{"zeta": 1, "alfa": "a", "beta": []any{true, nil}}),
				errors.WithNextQuestion("¿Qué día?"), errors.WithRetryAfter(1500*time.Millisecond),
				errors.WithField("fecha"), errors.WithCode("past_date")),
			`{"error":{"error_type":"VALIDATION","user_message":"Frase.","details":{` +
				`"code":"past_date","field":"fecha","retryable":true,"retry_after_seconds":2,"next_question":"¿Qué día?",` +
				`"alfa":"a","beta":[true,null],"zeta":1}}}`,
		},
		"reserved names, set or not": {
			errors.Blocker("Frase.", errors.WithCode("mine"), errors.WithDetails(map[string]any{
				"code": "theirs", "field": 1, "retryable": "yes", "retry_after_seconds": -1, "next_question": nil, "Code": "other",
			})),
			`{"error":{"error_type":"BLOCKER","user_message":"Frase.","details":{"code":"mine","Code":"other"}}}`,
		},
		"nothing escaped that need not be": {
			errors.Blocker("a < b && c > d / é 日本 😀", errors.WithDetails(map[string]any{"<&>": "<&>"})),
			`{"error":{"error_type":"BLOCKER","user_message":"a < b && c > d / é 日本 😀","details":{"<&>":"<&>"}}}`,
		},
		"everything escaped that must be": {
			errors.Blocker("\"\\\n\t\x00\x1f\u2028\u2029\x7f"),
			`{"error":{"error_type":"BLOCKER","user_message":"\"\\\u000a\u0009\u0000\u001f\u2028\u2029` + "\x7f" + `"}}`,
		},
		"bytes that are not UTF-8": {
			errors.Blocker("a\xffb\xc3", errors.WithDetails(map[string]any{
				"k\xff": 1, "raw": json.RawMessage("\"\xff\""), "text": "\xff",
			})),
			`{"error":{"error_type":"BLOCKER","user_message":"a�b�","details":{"raw":"�","text":"�"}}}`,
		},
		"values without JSON": {
			errors.Blocker("Frase.", errors.WithDetails(map[string]any{
				"channel": make(chan int), "nan": math.NaN(), "deep": []any{map[string]any{"f": func() {}}},
				"cycle": cycle, "raw": json.RawMessage("{"), "panics": panics{}, "number": json.Number("x"), "kept": 1.5,
			})),
			`{"error":{"error_type":"BLOCKER","user_message":"Frase.","details":{"kept":1.5}}}`,
		},
		"an error among the details": {
			errors.Blocker("Frase.", errors.WithDetails(map[string]any{
				"cause": &url.Error{Op: "Get", URL: "http://10.0.0.7/", Err: errors.New("boom")}, "own": errors.System("Otra."),
			})),
			`{"error":{"error_type":"BLOCKER","user_message":"Frase."}}`,
		},
		"no details if none is left": {
			errors.Blocker("Frase.", errors.WithDetails(map[string]any{"channel": make(chan int)})),
			`{"error":{"error_type":"BLOCKER","user_message":"Frase."}}`,
		},
		"the longest delay": {
			errors.Blocker("Frase.", errors.WithRetryAfter(math.MaxInt64)),
			`{"error":{"error_type":"BLOCKER","user_message":"Frase.","details":{"retryable":true,"retry_after_seconds":9223372037}}}`,
		},
		"a delay below zero": {
			&errors.Error{Type: errors.TypeSystem, UserMessage: "Frase.", RetryAfter: -1},
			`{"error":{"error_type":"SYSTEM","user_message":"Frase."}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(tc.err.AppendJSON([]byte("before ")))
			if want := "before " + tc.want; got != want {
				t.Errorf("AppendJSON:\n got %s\nwant %s", got, want)
			}
			if !json.Valid([]byte(tc.want)) {
				t.Errorf("not JSON: %s", tc.want)
			}
		})
	}
}

func TestMarshalers(t *testing.T) {
	t.Parallel()
	e := errors.Blocker("a < b")
	const raw = `{"error":{"error_type":"BLOCKER","user_message":"a < b"}}`
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(b.String()); got != raw {
		t.Errorf("Encoder:\n got %s\nwant %s", got, raw)
	}
	escaped, err := json.Marshal(e)
	if want := strings.Replace(raw, "<", `\u003c`, 1); err != nil || string(escaped) != want {
		t.Errorf("Marshal:\n got %s, %v\nwant %s", escaped, err, want)
	}
	var back errors.Error
	if err := json.Unmarshal(escaped, &back); err != nil || back.UserMessage != e.UserMessage || back.Type != e.Type {
		t.Errorf("Unmarshal = %+v, %v, want %+v", back, err, *e)
	}
	if err := json.Unmarshal([]byte("null"), &back); err != nil || back.UserMessage != e.UserMessage {
		t.Errorf("null changed the value to %+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"ok":true}`), &back); err == nil || back.UserMessage != e.UserMessage {
		t.Errorf("what is no failure changed the value to %+v, %v", back, err)
	}
	var nowhere *errors.Error
	if got, err := json.Marshal(nowhere); err != nil || string(got) != "null" {
		t.Errorf("Marshal(nil) = %s, %v, want null", got, err)
	}
}

// FuzzRoundTrip writes an arbitrary failure, reads it and writes it again.
func FuzzRoundTrip(f *testing.F) {
	f.Add("NOT_FOUND", "No encontré nada.", "", "", false, int64(0), "", "", "")
	f.Add("ODD", "", "busy", "fecha", true, int64(1500*time.Millisecond), "¿Cuál?", "clave", "valor")
	f.Add("SYSTEM", "<\xff\x00\u2028>", "\xff", "\\", true, int64(math.MaxInt64), "\"", "code", "x")
	f.Add("BLOCKER", " ", "timeout", "", false, int64(-1), "", "k\xff", "\xff")
	f.Fuzz(func(t *testing.T, typ, message, code, field string, retryable bool, delay int64, question, key, value string) {
		e := &errors.Error{
			Type: errors.Type(typ), UserMessage: message, Code: code, Field: field, Retryable: retryable,
			RetryAfter: time.Duration(delay), NextQuestion: question, Details: map[string]any{key: value},
		}
		written := e.AppendJSON(nil)
		if !utf8.Valid(written) || !json.Valid(written) {
			t.Fatalf("not JSON in UTF-8: %q", written)
		}
		got, err := errors.Parse(written)
		if err != nil {
			t.Fatalf("Parse(%s): %v", written, err)
		}
		if again := got.AppendJSON(nil); !bytes.Equal(again, written) {
			t.Fatalf("written again:\n got %s\nwant %s", again, written)
		}
		if want := errors.ParseType(typ); got.Type != want {
			t.Errorf("Type = %q, want %q", got.Type, want)
		}
		sentence := message
		if strings.TrimSpace(message) == "" {
			sentence = errors.DefaultMessages().For(e)
		}
		for name, pair := range map[string][2]string{
			"UserMessage":  {got.UserMessage, sentence},
			"Code":         {got.Code, code},
			"Field":        {got.Field, field},
			"NextQuestion": {got.NextQuestion, question},
		} {
			if want := valid(pair[1]); pair[0] != want {
				t.Errorf("%s = %q, want %q", name, pair[0], want)
			}
		}
		if got.Retryable != retryable {
			t.Errorf("Retryable = %v, want %v", got.Retryable, retryable)
		}
		if late := got.RetryAfter - max(time.Duration(delay), 0); late < 0 || late >= time.Second {
			t.Errorf("RetryAfter = %v, want %v rounded up to seconds", got.RetryAfter, time.Duration(delay))
		}
		if utf8.ValidString(key) && !reserved(key) {
			if want := valid(value); got.Details[key] != want {
				t.Errorf("Details[%q] = %q, want %q", key, got.Details[key], want)
			}
		} else if len(got.Details) != 0 {
			t.Errorf("Details = %v, want none", got.Details)
		}
	})
}

// valid returns s with U+FFFD for each byte that is not UTF-8.
func valid(s string) string { return string([]rune(s)) }

func reserved(key string) bool {
	switch key {
	case "code", "field", "retryable", "retry_after_seconds", "next_question":
		return true
	}
	return false
}
