package voice

import "strings"

// scale is a word or an abbreviation that multiplies an amount.
type scale struct {
	text  string
	zeros int
}

// scaleWords holds longer texts before those they begin with.
var scaleWords = [...]scale{
	{"mil millones", 9},
	{"mil", 3},
	{"millones", 6},
	{"millón", 6},
	{"billones", 12},
	{"billón", 12},
	{"trillones", 18},
	{"trillón", 18},
}

// scaleSigns are read as written: m is no million. M and MM, which accounting
// uses, are both millions.
var scaleSigns = [...]scale{
	{"MM", 6},
	{"M", 6},
	{"k", 3},
	{"K", 3},
}

// scanScale reads a scale after a number and returns its zeros and its width
// with the blanks before.
func scanScale(text string) (zeros, width int) {
	rest := skipBlanks(text)
	for _, sc := range scaleWords {
		if after, ok := cutWord(rest, sc.text); ok {
			return sc.zeros, len(text) - len(after)
		}
	}
	for _, sc := range scaleSigns {
		if after, ok := strings.CutPrefix(rest, sc.text); ok && endsWord(after) {
			return sc.zeros, len(text) - len(after)
		}
	}
	return 0, 0
}
