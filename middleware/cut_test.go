package middleware_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
)

// cut is a text as a budget of 500 leaves it.
func cut(t *testing.T, text string) string {
	t.Helper()
	res, err := middleware.Wrap(returns(mcp.NewToolResultText(text)), middleware.Budget(tight()))(t.Context(), request(nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Content) != 1 || res.IsError {
		t.Fatalf("%.60q became %+v", text, res)
	}
	short := res.Content[0].(mcp.TextContent).Text //nolint:forcetypeassert // Budget leaves nothing else
	if units(short) > least || !utf8.ValidString(short) {
		t.Errorf("%.60q became %d characters: %q", text, units(short), short)
	}
	return short
}

// TestCutBetweenCharacters: nothing that people see as one character is cut, wherever
// the edge falls.
func TestCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for name, character := range map[string]string{
		"a letter of two bytes":    "ñ",
		"a letter with a mark":     "n\u0303",
		"a letter with many marks": "e\u0301\u0323\u0308",
		"a pair of surrogates":     "😀",
		"skin":                     "👍🏽",
		"a family":                 "👩‍👩‍👧‍👦",
		"a heart":                  "❤️",
		"a flag":                   "🇨🇴",
		"a flag of tags":           "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
		"a keycap":                 "1️⃣",
		"Hangul in parts":          "\u1112\u1161\u11ab",
		"a spacing mark":           "नि",
		"a conjunct":               "क्ष",
		"a vowel of Thai":          "\u0e01\u0e33",
		"a narrow voiced kana":     "\uff76\uff9e",
		"a line break":             "\r\n",
	} {
		for n := 470; n < 499; n++ {
			head := strings.Repeat("a", n)
			short := cut(t, head+strings.Repeat(character, 80))
			rest, ok := strings.CutPrefix(strings.TrimSuffix(short, "…"), head)
			if !strings.HasSuffix(short, "…") || !ok && character != "\r\n" || strings.Trim(strings.ReplaceAll(rest, character, ""), " ") != "" {
				t.Errorf("%s behind %d letters: %q", name, n, short[max(0, len(short)-60):])
			}
		}
	}
}

func TestCutAtSentences(t *testing.T) {
	t.Parallel()
	sentence := "La cita queda para el jueves. "
	start := strings.Repeat(sentence, 12) // 360 characters
	tail := strings.Repeat("palabra ", 40)
	for name, test := range map[string]struct{ text, want string }{
		"a stop":                       {start + "Fin. " + tail, start + "Fin. …"},
		"a question":                   {start + "¿Le sirve? " + tail, start + "¿Le sirve? …"},
		"an exclamation":               {start + "¡Listo! " + tail, start + "¡Listo! …"},
		"a quotation":                  {start + "Dijo «sí.» " + tail, start + "Dijo «sí.» …"},
		"parentheses":                  {start + "Ya está (de veras.) " + tail, start + "Ya está (de veras.) …"},
		"a line":                       {start + "Primero\n" + tail, start + "Primero …"},
		"an abbreviation":              {start + "El Sr. " + tail, strings.TrimSpace(start) + " …"},
		"an initial":                   {start + "La de J. " + tail, strings.TrimSpace(start) + " …"},
		"a number with a decimal":      {start + "Son 3.5 " + tail, strings.TrimSpace(start) + " …"},
		"the stop at the very edge":    {strings.Repeat("a", 490) + ". Sigue y sigue " + tail, strings.Repeat("a", 490) + ". …"},
		"no sentence":                  {tail + tail, strings.TrimSpace(strings.Repeat("palabra ", 62)) + "…"},
		"a comma before the cut":       {strings.Repeat("palabra, ", 80), strings.TrimSuffix(strings.Repeat("palabra, ", 55), ", ") + "…"},
		"a sentence that is too short": {"Sí. " + strings.Repeat("palabra ", 80), "Sí. " + strings.TrimSpace(strings.Repeat("palabra ", 61)) + "…"},
		"what fits":                    {start, start},
	} {
		if got := cut(t, test.text); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, test.want)
		}
	}
}

// FuzzCut: what is left is a beginning of the text, as a whole or with "…".
func FuzzCut(f *testing.F) {
	f.Add(strings.Repeat("La cita queda para el jueves. ", 30))
	f.Add(strings.Repeat("👩‍👩‍👧 e\u0301.\r\n", 90))
	f.Add(strings.Repeat("a\xff. ", 300))
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(strings.TrimLeft(text, " \t\r\n")+"x", "{[") && strings.IndexAny(strings.TrimLeft(text, " \t\r\n"), "{[") == 0 {
			return // it may be JSON
		}
		res, err := middleware.Wrap(returns(mcp.NewToolResultText(text)), middleware.Budget(tight()))(t.Context(), request(nil))
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Content) == 0 || res.IsError {
			return // one character that is longer than the budget
		}
		short := res.Content[0].(mcp.TextContent).Text //nolint:forcetypeassert // Budget leaves nothing else
		kept := strings.TrimSuffix(strings.TrimSuffix(short, "…"), " ")
		if !strings.HasPrefix(text, kept) || units(short) > least {
			t.Errorf("%q became %q, %d characters", text, short, units(short))
		}
	})
}
