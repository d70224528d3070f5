package voice_test

import (
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/portavoz/portavoz/voice"
)

func TestFuncs(t *testing.T) {
	t.Parallel()
	data := map[string]any{
		"N": 3, "Uint": uint8(21), "Names": []string{"ana", "luis", "inés"}, "Balance": "89900",
		"Due": time.Date(2026, 9, 3, 9, 0, 0, 0, time.UTC),
	}
	for _, test := range []struct{ text, want string }{
		{`{{int .N}}, {{int .Uint}}, {{number "-21"}}, {{ordinal 3}}, {{year 1991}}`, "tres, veintiuno, menos veintiuno, tercero, mil novecientos noventa y uno"},
		{`{{count .N "cita" "citas" true}}, {{count 21 "día" "días"}}`, "tres citas, veintiún días"},
		{`{{decimal "1.5"}}, {{percent "21"}}, {{quantity "1" "h"}}`, "uno coma cinco, veintiuno por ciento, una hora"},
		{`{{money .Balance "COP"}}, {{sayMoney "$ 1.500"}}`, "ochenta y nueve mil novecientos pesos, mil quinientos pesos"},
		{`{{date .Due}}, {{time .Due}}, {{sayDate "2026-09-01"}}`, "jueves tres de septiembre, las nueve de la mañana, martes primero de septiembre"},
		{`{{join .Names}}; {{joinOr .Names}}; {{top .Names 2 8}}`, "ana, luis e inés; ana, luis o inés; ana, luis y seis más"},
	} {
		got, err := execute(voice.CO.Funcs(), test.text, data)
		if err != nil || got != test.want {
			t.Errorf("%s = %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{`{{money "1.000,5" "COP"}}`, `{{int 1.5}}`, `{{ordinal "1"}}`, `{{count .Big "día" "días"}}`} {
		got, err := execute(voice.Funcs(), text, map[string]any{"Big": uint64(1) << 63})
		if err == nil {
			t.Errorf("%s = %q, want an error", text, got)
		}
	}
}

func execute(funcs map[string]any, text string, data any) (string, error) {
	parsed, err := template.New("").Funcs(funcs).Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = parsed.Execute(&out, data)
	return out.String(), err
}
