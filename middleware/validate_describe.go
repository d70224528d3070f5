package middleware

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/redact"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// Bounds of what is said about arguments: all of it has to fit into the 3,000
// characters that the gateway takes, as JSON in a text block, with room to spare.
const (
	maxProblems  = 8
	maxDescribed = 1200 // bytes of their fields, expectations and messages together
	maxExpected  = 200  // bytes of the JSON of one "expected"
	maxName      = 40   // characters of a name that is repeated
	maxSteps     = 5    // names of a path, the last ones
)

// argumentProblem is one element of "problems" in the details of a refusal.
type argumentProblem struct {
	Field      string          `json:"field,omitempty"`
	Rule       string          `json:"rule"`
	Expected   json.RawMessage `json:"expected,omitempty"`
	Suggestion string          `json:"suggestion,omitempty"`
	Message    string          `json:"message"`

	code string
}

// size is about what the problem takes of the result.
func (p argumentProblem) size() int {
	return 2*len(p.Field) + len(p.Expected) + len(p.Suggestion) + len(p.Message) // the field is in fields, too
}

// describe makes the refusal of arguments that have these problems.
func describe(messages errors.Messages, problems []schema.Problem, value any) *errors.Error {
	var (
		list          []argumentProblem
		fields, names []string
		size          int
	)
	for _, p := range problems[:min(len(problems), maxProblems)] {
		one := describeOne(messages, p, value)
		if size += one.size(); size > maxDescribed && list != nil {
			break
		}
		list = append(list, one)
		if one.Field != "" && !slices.Contains(fields, one.Field) {
			fields = append(fields, one.Field)
		}
		name := spokenName(p.Path)
		if !slices.ContainsFunc(names, func(said string) bool { return schema.Alike(said, name) }) {
			names = append(names, name)
		}
	}
	code, message, details := list[0].code, list[0].Message, map[string]any{"problems": list}
	if more := len(problems) - len(list); more > 0 {
		details["more_problems"] = more
	}
	if len(problems) > 1 {
		code, details["fields"] = errors.CodeSeveralArguments, fields
		message = messages.For(errors.Validation("", errors.WithCode(code),
			errors.WithDetails(map[string]any{"fields": names})))
	}
	return errors.Validation(message, errors.WithCode(code), errors.WithField(cmp.Or(fields...)),
		errors.WithDetails(details), errors.WithCause(problemsError(problems)))
}

func describeOne(messages errors.Messages, p schema.Problem, value any) argumentProblem {
	d := argumentProblem{Field: fieldOf(p.Path), Rule: p.Rule, code: codeOf(p)}
	name := spokenName(p.Path)
	if suggestion, ok := suggest(p, value); ok {
		d.Suggestion = suggestion
		d.code = errors.CodeMisspelledValue
		if p.Rule == schema.RuleUnknown {
			d.code = errors.CodeMisnamedArgument
			if schema.Alike(name, suggestion) { // "Documento" sounds as what it should be
				name = ""
			}
		}
	}
	want := p.Want
	if p.Rule == schema.RuleUnknown && d.Suggestion == "" && len(p.Known) > 0 {
		want = p.Known
	}
	if want != nil {
		if raw, err := json.Marshal(want); err == nil && len(raw) <= maxExpected {
			d.Expected = raw
		}
	}
	d.Message = messages.For(errors.Validation("", errors.WithCode(d.code), errors.WithField(name),
		errors.WithDetails(map[string]any{"suggestion": d.Suggestion})))
	return d
}

// codeOf sorts the rules of JSON Schema by what a person would say about them.
func codeOf(p schema.Problem) string {
	switch p.Rule {
	case schema.RuleMissing:
		return errors.CodeMissingArgument
	case schema.RuleUnknown:
		return errors.CodeUnknownArgument
	case "type":
		if len(p.Path) == 0 {
			return errors.CodeInvalidArguments
		}
		return errors.CodeArgumentType
	case "enum", "const":
		return errors.CodeArgumentValue
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return errors.CodeArgumentRange
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return errors.CodeArgumentLength
	default:
		if len(p.Path) == 0 {
			return errors.CodeInvalidArguments
		}
		return errors.CodeInvalidArgument
	}
}

// suggest returns the name or the value that the caller probably meant. Only what
// the schema has is ever suggested.
func suggest(p schema.Problem, value any) (string, bool) {
	switch p.Rule {
	case schema.RuleUnknown:
		return schema.Nearest(p.Path[len(p.Path)-1], p.Known)
	case "enum", "const":
		sent, ok := schema.At(value, p.Path).(string)
		if !ok {
			return "", false
		}
		values, _ := p.Want.([]any)
		var words []string
		for _, v := range values {
			if word, ok := v.(string); ok {
				words = append(words, word)
			}
		}
		return schema.Nearest(sent, words)
	}
	return "", false
}

// fieldOf writes a path with dots. A step that is not a plain name, and could be a
// value in the wrong place or a secret, is an asterisk, and so is all that comes before
// the last steps.
func fieldOf(path []string) string {
	var b strings.Builder
	if from := len(path) - maxSteps; from > 0 {
		b.WriteString("*.")
		path = path[from:]
	}
	for i, step := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		if isPlainName(step) {
			b.WriteString(step)
		} else {
			b.WriteByte('*')
		}
	}
	return b.String()
}

// spokenName is the last name on a path that can be said: of "items.2.sku" it is
// "sku", of "items.2" it is "items".
func spokenName(path []string) string {
	for _, step := range slices.Backward(path) {
		if !isPlainName(step) {
			return ""
		}
		if !unicode.IsDigit(rune(step[0])) {
			return step
		}
	}
	return ""
}

// isPlainName reports whether a name is short and made of letters, digits, hyphens
// and underscores, and no secret; or an index.
func isPlainName(name string) bool {
	const longestIndex = 5 // maxArgumentValues
	if name == "" || utf8.RuneCountInString(name) > maxName {
		return false
	}
	letters := false
	for _, r := range name {
		letters = letters || unicode.IsLetter(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' {
			return false
		}
	}
	if !letters {
		return len(name) <= longestIndex && unicode.IsDigit(rune(name[0]))
	}
	_, secrets := redact.Text(name)
	return secrets == 0
}

// problemsError is what is wrong with a value, for the log: places and rules.
type problemsError []schema.Problem

func (e problemsError) Error() string {
	var b strings.Builder
	for i, p := range e[:min(len(e), maxProblems)] {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(cmp.Or(fieldOf(p.Path), "the whole") + " breaks " + p.Rule)
	}
	return b.String()
}
