//nolint:errorlint // asks for this very error: whether it is wrapped is what is tested
package errors_test

import (
	stderrors "errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
)

var allTypes = []errors.Type{
	errors.TypeBlocker, errors.TypeNotFound, errors.TypeValidation,
	errors.TypePermission, errors.TypeSystem, errors.TypeUnknown,
}

func TestConstructors(t *testing.T) {
	t.Parallel()
	const sentence = "Una frase."
	for _, tc := range []struct {
		got    *errors.Error
		typ    errors.Type
		effect errors.Effect
	}{
		{errors.Blocker(sentence), errors.TypeBlocker, errors.EffectNone},
		{errors.NotFound(sentence), errors.TypeNotFound, errors.EffectNone},
		{errors.Validation(sentence), errors.TypeValidation, errors.EffectNone},
		{errors.Permission(sentence), errors.TypePermission, errors.EffectNone},
		{errors.System(sentence), errors.TypeSystem, errors.EffectUnknown},
		{errors.Unknown(sentence), errors.TypeUnknown, errors.EffectUnknown},
	} {
		t.Run(string(tc.typ), func(t *testing.T) {
			t.Parallel()
			if tc.got.Type != tc.typ || tc.got.Effect != tc.effect || tc.got.UserMessage != sentence {
				t.Errorf("got %q %v %q, want %q %v %q", tc.got.Type, tc.got.Effect, tc.got.UserMessage,
					tc.typ, tc.effect, sentence)
			}
			if !errors.Is(fmt.Errorf("wrapped: %w", tc.got), tc.typ) {
				t.Errorf("Is(err, %s) = false, want true", tc.typ)
			}
			if other := errors.Type("OTHER"); errors.Is(tc.got, other) {
				t.Errorf("Is(err, %s) = true, want false", other)
			}
		})
	}
}

func TestParseType(t *testing.T) {
	t.Parallel()
	for _, typ := range allTypes {
		if got := errors.ParseType(string(typ)); got != typ {
			t.Errorf("ParseType(%q) = %q, want the same", typ, got)
		}
	}
	for _, s := range []string{"", "not_found", "NOT_FOUND ", "TIMEOUT"} {
		if got := errors.ParseType(s); got != errors.TypeUnknown {
			t.Errorf("ParseType(%q) = %q, want UNKNOWN", s, got)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	cause := errors.New("boom")
	e := errors.System("Frase.",
		errors.WithCode("a_code"),
		errors.WithField("a_field"),
		errors.WithNextQuestion("¿Cuál?"),
		errors.WithRetryAfter(time.Minute),
		errors.WithDetails(map[string]any{"a": 1, "b": 1}),
		errors.WithDetails(map[string]any{"b": 2}),
		errors.WithCause(cause),
	)
	if e.Code != "a_code" || e.Field != "a_field" || e.NextQuestion != "¿Cuál?" {
		t.Errorf("code, field, question = %q, %q, %q", e.Code, e.Field, e.NextQuestion)
	}
	if e.RetryAfter != time.Minute || !e.Retryable {
		t.Errorf("retry = %v, %v, want 1m0s, true", e.RetryAfter, e.Retryable)
	}
	if want := map[string]any{"a": 1, "b": 2}; !maps.Equal(e.Details, want) {
		t.Errorf("Details = %v, want %v", e.Details, want)
	}
	if !errors.Is(e, cause) {
		t.Error("the cause is not in the chain")
	}
	if e := errors.System("", errors.WithRetryAfter(-time.Second)); e.RetryAfter != 0 || !e.Retryable {
		t.Errorf("a negative delay gave %v, %v, want 0s, true", e.RetryAfter, e.Retryable)
	}
	if e := errors.System("", errors.WithRetryable()); !e.Retryable {
		t.Error("WithRetryable left Retryable false")
	}
}

func TestEffectOfCause(t *testing.T) {
	t.Parallel()
	harmless := errors.NoEffect(errors.New("rolled back"))
	open := errors.New("boom")
	for name, tc := range map[string]struct {
		err  *errors.Error
		want errors.Effect
	}{
		"system, harmless cause":   {errors.System("", errors.WithCause(harmless)), errors.EffectNone},
		"unknown, harmless cause":  {errors.Unknown("", errors.WithCause(harmless)), errors.EffectNone},
		"system, open cause":       {errors.System("", errors.WithCause(open)), errors.EffectUnknown},
		"system, nil cause":        {errors.System("", errors.WithCause(nil)), errors.EffectUnknown},
		"not found, open cause":    {errors.NotFound("", errors.WithCause(open)), errors.EffectNone},
		"system, said to be none":  {errors.System("", errors.WithCause(open), errors.WithEffect(errors.EffectNone)), errors.EffectNone},
		"blocker, said to be open": {errors.Blocker("", errors.WithEffect(errors.EffectUnknown)), errors.EffectUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.err.Effect != tc.want {
				t.Errorf("Effect = %v, want %v", tc.err.Effect, tc.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	inner := errors.NotFound("No hay cita.")
	var none *errors.Error
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"type only": {errors.System(""), "SYSTEM"},
		"everything": {
			errors.Validation("Fecha pasada.", errors.WithCode("past"), errors.WithField("fecha"), errors.WithCause(errors.New("2020 < 2026"))),
			"VALIDATION past [fecha]: Fecha pasada.: 2020 < 2026",
		},
		"cause only":               {errors.System("", errors.WithCause(errors.New("boom"))), "SYSTEM: boom"},
		"sentence said once":       {errors.From(fmt.Errorf("load: %w", inner)), "NOT_FOUND: load: NOT_FOUND: No hay cita."},
		"nil":                      {none, "<nil>"},
		"marks leave text alone":   {errors.OutcomeUnknown(errors.NoEffect(errors.New("boom"))), "boom"},
		"type used as an error":    {errors.TypeBlocker, "BLOCKER"},
		"type outside of the six":  {&errors.Error{Type: "ODD"}, "ODD"},
		"zero value is not hidden": {&errors.Error{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.err.Error(); got != tc.want {
				t.Errorf("Error() = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestNilError(t *testing.T) {
	t.Parallel()
	var none *errors.Error
	if got := none.Unwrap(); got != nil {
		t.Errorf("Unwrap() = %v, want nil", got)
	}
	if none.Is(errors.TypeUnknown) {
		t.Error("Is(UNKNOWN) = true, want false")
	}
	if got := string(none.AppendJSON(nil)); got != "null" {
		t.Errorf("AppendJSON = %s, want null", got)
	}
}

func TestEffectString(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(errors.EffectNone, errors.EffectUnknown); got != "none unknown" {
		t.Errorf("got %q, want %q", got, "none unknown")
	}
}

func TestStandardPackage(t *testing.T) {
	t.Parallel()
	first, second := errors.New("first"), stderrors.New("second")
	joined := errors.Join(first, second)
	if !errors.Is(joined, second) || !stderrors.Is(joined, first) {
		t.Errorf("Join lost a member: %v", joined)
	}
	if got := errors.Unwrap(fmt.Errorf("wrapped: %w", first)); got != first {
		t.Errorf("Unwrap = %v, want %v", got, first)
	}
	if errors.ErrUnsupported != stderrors.ErrUnsupported {
		t.Error("ErrUnsupported is not the standard one")
	}
	wrapped := fmt.Errorf("wrapped: %w", errors.NotFound("Frase."))
	var target *errors.Error
	if !errors.As(wrapped, &target) || target.UserMessage != "Frase." {
		t.Errorf("As gave %v", target)
	}
	if got, ok := errors.AsType[*errors.Error](wrapped); !ok || got != target {
		t.Errorf("AsType = %v, %v, want %v, true", got, ok, target)
	}
	if got, ok := errors.AsType[*errors.Error](first); ok || got != nil {
		t.Errorf("AsType = %v, %v, want nil, false", got, ok)
	}
	if got, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](wrapped); ok {
		t.Errorf("AsType of an interface = %v, true, want false", got)
	}
}
