package middleware_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// TestTolerances shows what each one hands on, and that without it the same
// arguments are refused.
func TestTolerances(t *testing.T) {
	t.Parallel()
	with := func(more string) string { return `{ "documento":"1032\u0034","tipo":"falla"` + more + `}` }
	for name, tc := range map[string]struct {
		tolerance       middleware.Tolerance
		arguments, want string
	}{
		"null for an optional": {middleware.NullAsAbsent, with(`,"cantidad":null`), with(``)},
		"null in a nested one": {middleware.NullAsAbsent, with(`,"direccion":{"ciudad":"Cali","piso":null}`), with(`,"direccion":{"ciudad":"Cali"}`)},
		"empty text":           {middleware.EmptyAsAbsent, with(`,"cantidad":""`), with(``)},
		"null as a text":       {middleware.EmptyAsAbsent, with(`,"limit":"null"`), with(``)},
		"0 below a minimum":    {middleware.EmptyAsAbsent, with(`,"limit":0`), with(``)},
		"a number":             {middleware.TextAsNumber, with(`,"cantidad":" 10 "`), with(`,"cantidad":10`)},
		"a nullable number":    {middleware.TextAsNumber, with(`,"limit":"3"`), with(`,"limit":3`)},
		"beyond 2^53":          {middleware.TextAsNumber, with(`,"referencia":"9007199254740993"`), with(`,"referencia":9007199254740993`)},
		"as it was written":    {middleware.TextAsNumber, with(`,"items":[{"unidades":"1.50"}]`), with(`,"items":[{"unidades":1.50}]`)},
		"a boolean":            {middleware.TextAsBoolean, with(`,"urgente":"true"`), with(`,"urgente":true`)},
		"an object":            {middleware.TextAsJSON, with(`,"direccion":"{\"ciudad\": \"Cali\"}"`), with(`,"direccion":{"ciudad": "Cali"}`)},
		"a list":               {middleware.TextAsJSON, with(`,"items":" [{\"sku\":\"a\"}]"`), with(`,"items":[{"sku":"a"}]`)},
		"in an element":        {middleware.TextAsJSON, with(`,"items":["{\"sku\":\"a\"}"]`), with(`,"items":[{"sku":"a"}]`)},
		"the whole":            {middleware.TextAsJSON, `"{\"documento\":\"10324\",\"tipo\":\"falla\"}"`, `{"documento":"10324","tipo":"falla"}`},
		"as a text in a text":  {middleware.TextAsJSON, `"{\"documento\":\"10324\",\"tipo\":\"falla\",\"direccion\":\"{\\\"ciudad\\\":\\\"Cali\\\"}\"}"`, `{"documento":"10324","tipo":"falla","direccion":{"ciudad":"Cali"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var counter middleware.ToleranceCounter
			events := newRecorder()
			srv, reached := validated(middleware.ValidateConfig{Tolerate: []middleware.Tolerance{tc.tolerance}, Tolerated: &counter}, orderSchema, middleware.Observe(events.observe))
			answered := answer(t.Context(), t, srv, modernCall("prueba", tc.arguments, ""))
			if got := string(reached.Params.RawArguments); got != compact(tc.want) {
				t.Errorf("RawArguments = %s, want %s\n%s", got, tc.want, answered)
			}
			var want any
			if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			if got := reached.Params.Arguments; !reflect.DeepEqual(got, want) {
				t.Errorf("Arguments = %#v, want %#v", got, want)
			}
			if ev := events.next(t); !slices.Equal(ev.Tolerated, []middleware.Tolerance{tc.tolerance}) {
				t.Errorf("event says %v was tolerated, want %s", ev.Tolerated, tc.tolerance)
			}
			if counter.Count(tc.tolerance) == 0 {
				t.Errorf("nothing was counted for %s", tc.tolerance)
			}

			others := slices.DeleteFunc(middleware.AllTolerances(), func(t middleware.Tolerance) bool { return t == tc.tolerance })
			srv, reached = validated(middleware.ValidateConfig{Tolerate: others}, orderSchema)
			answer(t.Context(), t, srv, modernCall("prueba", tc.arguments, ""))
			if reached.Params.Name != "" {
				t.Errorf("passes without %s, too: %s", tc.tolerance, reached.Params.RawArguments)
			}
		})
	}
}

// compact drops the space after the first brace, as the container of what was
// corrected is written anew; what is in it keeps its bytes.
func compact(arguments string) string { return strings.Replace(arguments, "{ ", "{", 1) }

// TestToleratedTogether: a text that holds an object that holds a text that is 0.
func TestToleratedTogether(t *testing.T) {
	t.Parallel()
	var counter middleware.ToleranceCounter
	events := newRecorder()
	srv, reached := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances(), Tolerated: &counter}, orderSchema, middleware.Observe(events.observe))
	answer(t.Context(), t, srv, modernCall("prueba",
		`"{\"documento\":\"10324\",\"tipo\":\"falla\",\"limit\":\"0\",\"cantidad\":null,\"urgente\":\"false\",\"items\":[{\"unidades\":\"1\"},{\"unidades\":\"2\"}]}"`, ""))
	if got, want := string(reached.Params.RawArguments), `{"documento":"10324","tipo":"falla","urgente":false,"items":[{"unidades":1},{"unidades":2}]}`; got != want {
		t.Errorf("RawArguments = %s, want %s", got, want)
	}
	want := []middleware.Tolerance{middleware.EmptyAsAbsent, middleware.NullAsAbsent, middleware.TextAsBoolean, middleware.TextAsJSON, middleware.TextAsNumber}
	if ev := events.next(t); !slices.Equal(ev.Tolerated, want) {
		t.Errorf("tolerated %v, want %v", ev.Tolerated, want)
	}
	counts := map[middleware.Tolerance]uint64{}
	for _, tolerance := range middleware.AllTolerances() {
		counts[tolerance] = counter.Count(tolerance)
	}
	if want := map[middleware.Tolerance]uint64{"text_as_json": 1, "text_as_number": 3, "text_as_boolean": 1, "null_as_absent": 1, "empty_as_absent": 1}; !reflect.DeepEqual(counts, want) {
		t.Errorf("counted %v, want %v", counts, want)
	}
}

// TestNotTolerated is what is a mistake with all tolerances, and what the caller is
// told. Nothing of it is counted.
func TestNotTolerated(t *testing.T) {
	t.Parallel()
	with := func(more string) string { return `{"documento":"10324","tipo":"falla",` + more + `}` }
	for name, tc := range map[string]struct{ arguments, field, rule string }{
		"null for a required":        {`{"documento":null,"tipo":"falla"}`, "documento", "type"},
		"empty for a required":       {`{"documento":"","tipo":"falla"}`, "documento", "minLength"},
		"too large, once it is read": {with(`"cantidad":"26"`), "cantidad", "maximum"},
		"no number":                  {with(`"cantidad":"diez"`), "cantidad", "type"},
		"a sign":                     {with(`"cantidad":"+5"`), "cantidad", "type"},
		"leading zeros":              {with(`"cantidad":"007"`), "cantidad", "type"},
		"two numbers":                {with(`"cantidad":"1 2"`), "cantidad", "type"},
		"a number beyond float64":    {with(`"cantidad":"1e999"`), "cantidad", "type"},
		"a fraction":                 {with(`"cantidad":"1.5"`), "cantidad", "type"},
		"JSON of another kind":       {with(`"direccion":"[1]"`), "direccion", "type"},
		"broken JSON":                {with(`"direccion":"{\"ciudad\":"`), "direccion", "type"},
		"wrong inside":               {with(`"direccion":"{\"ciudad\":7}"`), "direccion.ciudad", "type"},
		"a text in a text":           {with(`"direccion":"\"{\\\"ciudad\\\":\\\"Cali\\\"}\""`), "direccion", "type"},
		"the whole, twice a text":    {`"\"{}\""`, "", "type"},
		"another name inside":        {with(`"items":"[{\"SKU\":\"a\"}]"`), "items.0.SKU", "additionalProperties"},
		"too deep inside":            {with(`"direccion":"{\"ciudad\":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}"`), "", "type"},
		"a name twice inside":        {with(`"direccion":"{\"ciudad\":\"Cali\",\"ciudad\":\"Pasto\"}"`), "", "type"},
		"null as an element":         {with(`"items":[null]`), "items.0", "type"},
		"a number for a text":        {`{"documento":10324,"tipo":"falla"}`, "documento", "type"},
		"a name that is unknown":     {with(`"color":null`), "color", "additionalProperties"},
		"yes for true":               {with(`"urgente":"sí"`), "urgente", "type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var counter middleware.ToleranceCounter
			srv, reached := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances(), Tolerated: &counter}, orderSchema)
			got := data(t, answer(t.Context(), t, srv, modernCall("prueba", tc.arguments, "")))
			var refused struct {
				Error struct {
					Details struct {
						Problems []struct{ Field, Rule string }
					}
				}
			}
			if err := json.Unmarshal([]byte(got), &refused); err != nil {
				t.Fatal(err)
			}
			problems := refused.Error.Details.Problems
			if len(problems) != 1 || problems[0].Field != tc.field || problems[0].Rule != tc.rule {
				t.Errorf("problems = %v, want one: %s %s", problems, tc.field, tc.rule)
			}
			if reached.Params.Name != "" {
				t.Error("the handler ran")
			}
			for _, tolerance := range middleware.AllTolerances() {
				if n := counter.Count(tolerance); n != 0 {
					t.Errorf("%s was counted %d times", tolerance, n)
				}
			}
		})
	}
}

// TestToleratedMeansTheSame: a text that the schema allows stays one, whatever it
// looks like.
func TestToleratedMeansTheSame(t *testing.T) {
	t.Parallel()
	srv, reached := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances()},
		`{"type":"object","properties":{"a":{"type":"string"},"b":{},"c":{"type":["string","integer"]}}}`)
	const arguments = `{"a":"null","b":"{}","c":"10","d":"","e":0,"f":null}`
	answer(t.Context(), t, srv, modernCall("prueba", arguments, ""))
	if got := string(reached.Params.RawArguments); got != arguments {
		t.Errorf("RawArguments = %s, want %s", got, arguments)
	}
}

// TestToleratedIsTheSameOperation: under one key, "3" and 3 are one set of
// arguments, since the key is bound to what was handed on.
func TestToleratedIsTheSameOperation(t *testing.T) {
	t.Parallel()
	events := newRecorder()
	srv, _ := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances()}, orderSchema, middleware.Observe(events.observe))
	srv.Use(middleware.Idempotency(newEngine(t, idempotency.Config{})))
	for _, sent := range []struct {
		cantidad string
		want     middleware.Outcome
	}{{`"3"`, middleware.OutcomeOK}, {`3`, middleware.OutcomeReplayed}, {`"3"`, middleware.OutcomeReplayed}, {`4`, middleware.OutcomeBusinessError}} {
		answer(t.Context(), t, srv, modernCall("prueba", `{"documento":"10324","tipo":"falla","cantidad":`+sent.cantidad+`}`, `"com.asixto/idempotencyKey":"k"`))
		if ev := events.next(t); ev.Outcome != sent.want {
			t.Errorf("%s: outcome %s %s, want %s", sent.cantidad, ev.Outcome, ev.ErrorCode, sent.want)
		}
	}
}

func TestValidatePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		const want = "portavoz/middleware: Validate: there is no tolerance \"a\"\nthere is no tolerance \"b\""
		if got := recover(); got != want {
			t.Errorf("panic = %v, want %v", got, want)
		}
	}()
	middleware.Validate(middleware.ValidateConfig{Tolerate: []middleware.Tolerance{"a", middleware.NullAsAbsent, "b"}})
}
