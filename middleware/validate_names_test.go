package middleware_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware"
)

// payment is what a handler reads, and paymentSchema what its schema says of it. The
// schema allows other names everywhere.
type payment struct {
	Monto int `json:"monto"`
	Pagos []struct {
		Medio string `json:"medio"`
	} `json:"pagos"`
}

const paymentSchema = `{"type":"object","properties":{
	"monto":{"type":"integer","minimum":0,"maximum":100},
	"pagos":{"type":"array","items":{"type":"object","properties":{"medio":{"enum":["efectivo","tarjeta"]}}}},
	"año":{"type":"integer","maximum":2026}}}`

// keepsTheSchema reports whether what a struct has read is what the schema allows.
func (p payment) keepsTheSchema() bool {
	for _, one := range p.Pagos {
		if one.Medio != "" && one.Medio != "efectivo" && one.Medio != "tarjeta" {
			return false
		}
	}
	return p.Monto >= 0 && p.Monto <= 100
}

// TestValidateOtherSpellings: in a schema that allows other names, one that a struct
// takes for a name of the schema is refused, and says for which; one that it does not
// is a name like any other.
func TestValidateOtherSpellings(t *testing.T) {
	t.Parallel()
	misnamed := func(field, name, said string) string {
		message := "No se espera " + said + ", y quizás se quiso decir " + name + "."
		return refusal(message, fmt.Sprintf(`"code":"misnamed_argument","field":%q,`, field),
			fmt.Sprintf(`{"field":%q,"rule":"additionalProperties","suggestion":%q,"message":%q}`, field, name, message))
	}
	for name, tc := range map[string]struct{ arguments, want string }{ // "" passes
		"the name itself":         {`{"monto":100,"pagos":[{"medio":"tarjeta"}]}`, ""},
		"a name of its own":       {`{"monto":7,"nota":"x","pagos":[{"Nota":1}]}`, ""},
		"in another case":         {`{"Monto":1000000}`, misnamed("Monto", "monto", "ese dato")},
		"beside the name, after":  {`{"monto":7,"MONTO":1000000}`, misnamed("MONTO", "monto", "ese dato")},
		"beside the name, before": {`{"MONTO":1000000,"monto":7}`, misnamed("MONTO", "monto", "ese dato")},
		"with what would be good": {`{"Monto":7}`, misnamed("Monto", "monto", "ese dato")},
		"escaped":                 {`{"\u004donto":1000000}`, misnamed("Monto", "monto", "ese dato")},
		"in an element":           {`{"pagos":[{"medio":"efectivo"},{"Medio":"cheque"}]}`, misnamed("pagos.1.Medio", "medio", "ese dato")},
		"composed, upper case":    {`{"AÑO":3000}`, misnamed("AÑO", "año", "ese dato")},
		"decomposed":              {`{"an\u0303o":3000}`, ""}, // another name to encoding/json as well
		"without the accent":      {`{"ano":3000}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tolerate := range [][]middleware.Tolerance{nil, middleware.AllTolerances()} {
				srv, reached := validated(middleware.ValidateConfig{Tolerate: tolerate}, paymentSchema)
				got := data(t, answer(t.Context(), t, srv, modernCall("prueba", tc.arguments, "")))
				if got != tc.want {
					t.Errorf("\n got %s\nwant %s", got, tc.want)
				}
				if ran := reached.Params.Name != ""; ran != (tc.want == "") {
					t.Errorf("the handler ran: %v", ran)
				}
			}
		})
	}
}

// TestValidateNamesOfAnotherForm: a closed schema knows a name in the form in which it
// is written there, and the refusal names that one.
func TestValidateNamesOfAnotherForm(t *testing.T) {
	t.Parallel()
	srv, _ := validated(middleware.ValidateConfig{}, `{"type":"object","properties":{"año":{"type":"integer"}},"additionalProperties":false}`)
	got := data(t, answer(t.Context(), t, srv, modernCall("prueba", `{"an\u0303o":2026}`, "")))
	const message = "No se espera ese dato, y quizás se quiso decir año."
	if want := refusal(message, `"code":"misnamed_argument","field":"*",`,
		`{"field":"*","rule":"additionalProperties","suggestion":"año","message":"`+message+`"}`); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// FuzzValidateFields: what passes, and is read into a struct from either form of the
// arguments, keeps the schema there as well.
func FuzzValidateFields(f *testing.F) {
	for _, seed := range []string{
		`{"monto":7,"pagos":[{"medio":"efectivo"}]}`, `{"Monto":1000}`, `{"monto":1,"MONTO":1000}`,
		`{"PAGOS":[{"medio":"cheque"}]}`, `{"pagos":[{"Medio":"cheque"}]}`, `{"pagos":"[{\"mEdio\":\"cheque\"}]"}`,
		`"{\"Monto\":\"1000\"}"`, `{"monto":1,"monto":1000}`, `{"mont\u00d3":1000}`,
	} {
		f.Add(seed)
	}
	srv, reached := validated(middleware.ValidateConfig{Tolerate: middleware.AllTolerances()}, paymentSchema)
	f.Fuzz(func(t *testing.T, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return // mcp-go refuses that
		}
		reached.Params.Name = ""
		answer(t.Context(), t, srv, modernCall("prueba", arguments, ""))
		if reached.Params.Name == "" {
			return
		}
		var raw, bound payment
		if err := json.Unmarshal(reached.Params.RawArguments, &raw); err != nil && !strings.Contains(err.Error(), "cannot unmarshal") {
			t.Fatal(err)
		}
		_ = reached.BindArguments(&bound) // 1e2 is an integer of the schema, and none to Go
		if !raw.keepsTheSchema() || !bound.keepsTheSchema() {
			t.Errorf("%s: read as %+v and %+v", arguments, raw, bound)
		}
	})
}
