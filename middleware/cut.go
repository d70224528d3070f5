package middleware

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/paginate"
)

const ellipsis = "…"

// cutText shortens a text to at most limit UTF-16 code units and says with "…" that
// something is missing. It cuts behind the last sentence that fits; at the last word
// if the sentences would leave less than a third of what there is room for; and
// inside of a word, between two characters as people see them, if there is no other
// way. It returns "" if not even one character fits.
func cutText(s string, limit int) string {
	if paginate.UTF16Len(s) <= limit {
		return s
	}
	c := cutsOf(s, limit-2) // " …" takes two
	kept, tail := s[:c.character], ellipsis
	switch {
	case c.sentence*3 >= c.character && c.sentence > 0:
		kept, tail = s[:c.sentence], " "+ellipsis
	case c.word > 0:
		kept = strings.TrimRight(s[:c.word], " \t\r\n,;:")
	}
	if kept == "" {
		return ""
	}
	return kept + tail
}

// cuts are the last places, as byte offsets, at which a text can be cut so that what
// is before them fits. 0 is none.
type cuts struct {
	sentence  int // behind the stop
	word      int // behind the word
	character int
}

// cutsOf finds the places within the first limit UTF-16 code units.
func cutsOf(s string, limit int) cuts {
	var c cuts
	space := true
	for i, units := 0, 0; i < len(s); {
		end := graphemeEnd(s, i)
		if units += paginate.UTF16Len(s[i:end]); units > limit {
			return c
		}
		r, _ := utf8.DecodeRuneInString(s[i:end])
		wasSpace := space
		space = unicode.IsSpace(r)
		if space && !wasSpace {
			c.word = i
		}
		c.character = end
		if endsSentence(s, i, end) {
			c.sentence = end
		}
		i = end
	}
	return c
}

// endsSentence reports whether a sentence ends with the character from i to end: a
// stop, or what closes a quotation behind one, in front of white space. What stands
// in front of the last line break is a sentence too.
func endsSentence(s string, i, end int) bool {
	next, _ := utf8.DecodeRuneInString(s[end:])
	if end < len(s) && !unicode.IsSpace(next) {
		return false
	}
	stop := i
	switch s[i:end] {
	case `"`, ")", "”", "»", "’":
		_, w := utf8.DecodeLastRuneInString(s[:i])
		stop, end = i-w, i
	}
	switch s[stop:end] {
	case "!", "?", ellipsis, "。":
		return true
	case ".":
		return !abbreviates(s[:stop])
	}
	return next == '\n' && !unicode.IsSpace(rune(s[i]))
}

// abbreviations are words whose stop ends no sentence, in lower case.
const abbreviations = " sr sra srta dr dra ing lic prof av avda cra cl no nro núm art pág tel cel ext ud uds vd etc aprox máx mín ee s c "

// abbreviates reports whether a text ends with a word that is written with a stop,
// or with an initial.
func abbreviates(s string) bool {
	word := s
	if at := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); at >= 0 {
		_, w := utf8.DecodeRuneInString(s[at:])
		word = s[at+w:]
	}
	return utf8.RuneCountInString(word) == 1 || word != "" && strings.Contains(abbreviations, " "+strings.ToLower(word)+" ")
}
