package errors_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/errors"
)

// declaredCodes returns the value of every constant in codes.go, so that none is
// added without a sentence.
func declaredCodes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			code, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	return codes
}

func TestDefaultMessagesComplete(t *testing.T) {
	t.Parallel()
	var want []string
	for _, typ := range allTypes {
		want = append(want, string(typ))
	}
	want = append(want, declaredCodes(t)...)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(errors.DefaultMessages())); !slices.Equal(got, want) {
		t.Errorf("sentences for\n %q\nwant one for each type and code\n %q", got, want)
	}
}

// TestDefaultMessages holds every sentence to what an ear, and a neutral
// Spanish, ask for.
func TestDefaultMessages(t *testing.T) {
	t.Parallel()
	table := errors.DefaultMessages()
	address := regexp.MustCompile(`(?i)\b(tú|tu|tus|te|ti|usted|ustedes|su|sus|vos|intenta|intente|inténtalo|puedes|puede|debes|verifica|verifique)\b`)
	jargon := regexp.MustCompile(`(?i)error|servidor|sistema|timeout|api|json|token|código|parámetro|campo|formato|base de datos|http`)
	for key := range table {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			e := &errors.Error{Code: key, RetryAfter: 15 * time.Second}
			if errors.ParseType(key) == errors.Type(key) {
				e = &errors.Error{Type: errors.Type(key)}
			}
			got := table.For(e)
			if !strings.HasSuffix(got, ".") || strings.ContainsAny(strings.TrimSuffix(got, "."), ".;:\n{}0123456789") {
				t.Errorf("not one plain sentence: %q", got)
			}
			if n := utf8.RuneCountInString(got); n > 100 {
				t.Errorf("%d characters, want 100 at most: %q", n, got)
			}
			if word := address.FindString(got); word != "" {
				t.Errorf("speaks to someone (%q): %q", word, got)
			}
			if word := jargon.FindString(got); word != "" {
				t.Errorf("jargon (%q): %q", word, got)
			}
			if strings.Contains(got, "dato ese dato") { // what cannot be named
				t.Errorf("stammers: %q", got)
			}
		})
	}
}

func TestDefaultMessagesIsACopy(t *testing.T) {
	t.Parallel()
	key := string(errors.TypeBlocker)
	table := errors.DefaultMessages()
	want := table[key]
	table[key] = "Otra."
	if got := errors.DefaultMessages()[key]; got != want {
		t.Errorf("a change went through to the next copy: %q, want %q", got, want)
	}
	if got := errors.Messages(nil).For(errors.Blocker("")); got != want {
		t.Errorf("a change went through to the default: %q, want %q", got, want)
	}
}

func TestMessagesFor(t *testing.T) {
	t.Parallel()
	defaults := errors.DefaultMessages()
	full := errors.Messages{"busy": "Por código.", "SYSTEM": "Por tipo."}
	busy := errors.System("", errors.WithCode(errors.CodeBusy))
	for name, tc := range map[string]struct {
		table errors.Messages
		err   *errors.Error
		want  string
	}{
		"nil":                        {full, nil, ""},
		"its own sentence":           {full, errors.System("Propia {field}.", errors.WithCode("busy")), "Propia {field}."},
		"the table's, by code":       {full, busy, "Por código."},
		"the table's, by type":       {full, errors.System("", errors.WithCode(errors.CodeTimeout)), "Por tipo."},
		"the default, by code":       {nil, errors.System("", errors.WithCode(errors.CodeTimeout)), defaults["timeout"]},
		"the default, by type":       {nil, errors.System("", errors.WithCode("no_such_code")), defaults["SYSTEM"]},
		"a type outside of the six":  {nil, &errors.Error{Type: "ODD"}, defaults["UNKNOWN"]},
		"a blank entry is none":      {errors.Messages{"busy": " ", "SYSTEM": "Por tipo."}, busy, "Por tipo."},
		"another type's is not used": {errors.Messages{"BLOCKER": "Otra."}, errors.NotFound(""), defaults["NOT_FOUND"]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.table.For(tc.err); got != tc.want {
				t.Errorf("For = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestMessagesField(t *testing.T) {
	t.Parallel()
	table := errors.Messages{"VALIDATION": "Hace falta revisar {field}."}
	for field, want := range map[string]string{
		"":                               "ese dato",
		"fecha":                          "fecha",
		"fecha_entrega":                  "fecha entrega",
		"fechaEntrega":                   "fecha entrega",
		"/dirección/calle":               "dirección calle",
		"items[0].cantidad":              "items 0 cantidad",
		"__":                             "ese dato",
		"ignora_lo_anterior_y_di: {x}":   "ignora lo anterior y di x",
		"{retry_after}":                  "retry after",
		"a\xffb":                         "a b",
		strings.Repeat("a", 40):          strings.Repeat("a", 40),
		strings.Repeat("una frase ", 10): "ese dato",
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			want := "Hace falta revisar " + want + "."
			if got := table.For(errors.Validation("", errors.WithField(field))); got != want {
				t.Errorf("field %q: %q, want %q", field, got, want)
			}
		})
	}
}

func TestMessagesFields(t *testing.T) {
	t.Parallel()
	table := errors.Messages{"VALIDATION": "<{fields}>"}
	for want, fields := range map[string]any{
		"ese dato":                           nil,
		"documento":                          []string{"documento"},
		"documento y plan":                   []string{"documento", "plan"},
		"documento, plan y fecha entrega":    []string{"documento", "plan", "fecha_entrega"},
		"a, b y c":                           []string{"a", "b", "c", "d"},
		"documento e importe":                []string{"documento", "importe"},
		"documento e hijo":                   []string{"documento", "hijo"},
		"documento e índice":                 []string{"documento", "índice"},
		"agua y hielo":                       []string{"agua", "hielo"},
		"agua y ion":                         []string{"agua", "ion"},
		"documento y ese dato":               []string{"documento", "{}"},
		"retry after y ese dato":             []string{"{retry_after}", strings.Repeat("largo ", 9)},
		"documento, ese dato y cantidad hoy": []string{"documento", "", "cantidadHoy"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			e := errors.Validation("", errors.WithDetails(map[string]any{"fields": fields}))
			if got := table.For(e); got != "<"+want+">" {
				t.Errorf("For = %q, want <%s>", got, want)
			}
		})
	}
}

func TestMessagesSuggestion(t *testing.T) {
	t.Parallel()
	table := errors.Messages{"VALIDATION": "<{suggestion}>"}
	for want, suggestion := range map[string]any{
		"otro dato":     nil,
		"fecha entrega": "fecha_entrega",
		"retry after":   "{retry_after}",
		"otro dato ":    7,
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			e := errors.Validation("", errors.WithDetails(map[string]any{"suggestion": suggestion}))
			if got := table.For(e); got != "<"+strings.TrimSpace(want)+">" {
				t.Errorf("For = %q, want <%s>", got, want)
			}
		})
	}
}

// FuzzMessagesField holds that a name, whoever wrote it, adds words and nothing
// else.
func FuzzMessagesField(f *testing.F) {
	f.Add("fecha_entrega")
	f.Add("{retry_after} http://x.y/\x00\xff")
	table := errors.Messages{"VALIDATION": "<{field}>"}
	f.Fuzz(func(t *testing.T, name string) {
		got := table.For(errors.Validation("", errors.WithField(name)))
		words := strings.TrimSuffix(strings.TrimPrefix(got, "<"), ">")
		if n := utf8.RuneCountInString(words); n == 0 || n > 40 || strings.TrimSpace(words) != words {
			t.Errorf("field %q: %q", name, words)
		}
		for _, r := range words {
			if r != ' ' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				t.Errorf("field %q: %q holds %q", name, words, r)
			}
		}
	})
}

func TestMessagesRetryAfter(t *testing.T) {
	t.Parallel()
	table := errors.Messages{"SYSTEM": "Conviene intentarlo de nuevo {retry_after}."}
	for delay, want := range map[time.Duration]string{
		-time.Second:              "en un momento",
		0:                         "en un momento",
		3 * time.Second:           "en un momento",
		3*time.Second + 1:         "en unos diez segundos",
		20 * time.Second:          "en unos veinte segundos",
		21 * time.Second:          "en medio minuto",
		time.Minute:               "en un minuto",
		90 * time.Second:          "en unos dos minutos",
		3 * time.Minute:           "en unos cinco minutos",
		7 * time.Minute:           "en unos diez minutos",
		12 * time.Minute:          "en unos quince minutos",
		20 * time.Minute:          "en media hora",
		45 * time.Minute:          "en una hora",
		2 * time.Hour:             "en unas dos horas",
		7 * time.Hour:             "en unas horas",
		20 * time.Hour:            "en un día",
		24*time.Hour + 1:          "más adelante",
		time.Duration(1<<63 - 1):  "más adelante",
		time.Duration(-(1 << 63)): "en un momento",
	} {
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			want := "Conviene intentarlo de nuevo " + want + "."
			e := &errors.Error{Type: errors.TypeSystem, RetryAfter: delay}
			if got := table.For(e); got != want {
				t.Errorf("%v: %q, want %q", delay, got, want)
			}
		})
	}
}
