package schema

import "strings"

// Bounds of the search for a similar word: beyond them nobody mistyped.
const (
	maxWord       = 64  // bytes
	maxCandidates = 256 // words
)

// Nearest returns the candidate that a word was probably meant to be: the first of
// those that it takes the fewest changes to get to, at most one in three letters.
// A letter too many, one too few, another one and two that changed places are one
// change each (optimal string alignment); case, accents and what separates words
// do not count. It returns false if there is none.
func Nearest(word string, candidates []string) (string, bool) {
	if len(word) > maxWord || len(candidates) > maxCandidates {
		return "", false
	}
	folded := fold(word)
	nearest, fewest := "", len(folded)/3+1
	for _, candidate := range candidates {
		if len(candidate) > maxWord {
			continue
		}
		if d := distance(folded, fold(candidate)); d < fewest {
			nearest, fewest = candidate, d
		}
	}
	return nearest, nearest != ""
}

// unaccented holds the letters of Spanish that are written in two ways, and what
// separates the words of a name.
var unaccented = strings.NewReplacer(
	"á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n",
	"_", "", "-", "", " ", "", ".", "",
)

// Alike reports whether two words differ in nothing but what [Nearest] does not
// count.
func Alike(a, b string) bool { return string(fold(a)) == string(fold(b)) }

func fold(word string) []rune {
	return []rune(unaccented.Replace(strings.ToLower(word)))
}

// distance is the optimal string alignment distance.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
