package expose

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// describe returns the description of a grouped tool with these actions: what they
// have in common, and a line for each with what it does to the records.
func (c *Config) describe(n Namespace, actions []*action) string {
	choose := strings.ReplaceAll(c.Words.Choose, "{field}", c.Discriminator)
	var long, short strings.Builder
	long.WriteString(sentences(n.Description, choose))
	short.WriteString(sentences(firstSentence(n.Description), choose) + " ")
	for i, a := range actions {
		if i > 0 {
			short.WriteString(", ")
		}
		name := a.key + " [" + c.hints(a) + "]"
		short.WriteString(name)
		long.WriteString("\n- " + name)
		if text := strings.TrimSpace(a.tool.Description); text != "" {
			long.WriteString(": " + strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	if c.Compact {
		return shorter(short.String(), long.String())
	}
	return long.String()
}

// description returns the description of a flat tool.
func (c *Config) description(a *action) string {
	if c.Compact {
		return shorter(cmp.Or(a.Brief, firstSentence(a.tool.Description)), a.tool.Description)
	}
	return a.tool.Description
}

// hints says what an action does, as far as it is declared.
func (c *Config) hints(a *action) string {
	h := a.tool.Annotations
	text := c.Words.Undeclared
	switch {
	case a.readOnly():
		text = c.Words.ReadOnly
	case h.DestructiveHint == nil:
	case *h.DestructiveHint:
		text = c.Words.Destructive
	default:
		text = c.Words.Writes
	}
	if h.IdempotentHint != nil && *h.IdempotentHint {
		text += ", " + c.Words.Idempotent
	}
	return text
}

// shorter returns the short text, unless it is the longer one.
func shorter(short, long string) string {
	if utf8.RuneCountInString(short) > utf8.RuneCountInString(long) {
		return long
	}
	return short
}

// firstSentence returns a text up to the first mark that ends a sentence or a line:
// a mark before white space and an upper-case letter or a digit, so that "p. ej. dos" is
// none, and not that of "Dra. Pérez" or of "No. 5".
func firstSentence(text string) string {
	text = strings.TrimSpace(text)
	for i, r := range text {
		if r == '\n' {
			return strings.TrimSpace(text[:i])
		}
		if !strings.ContainsRune(".!?", r) || r == '.' && isAbbreviated(text[:i]) {
			continue
		}
		rest := text[i+1:]
		after := strings.TrimLeft(rest, " ")
		if first, _ := utf8.DecodeRuneInString(after); len(after) < len(rest) && startsSentence(first) {
			return text[:i+1]
		}
	}
	return text
}

// isAbbreviated reports whether a text ends in two or three letters of which the first
// alone is of upper case.
func isAbbreviated(text string) bool {
	word := []rune(text[len(strings.TrimRightFunc(text, unicode.IsLetter)):])
	return (len(word) == 2 || len(word) == 3) && unicode.IsUpper(word[0]) && !slices.ContainsFunc(word[1:], unicode.IsUpper)
}
