package voice

import "slices"

// textTuning is set by the options of texts.
type textTuning struct {
	sayings  map[byte][]saying // by the first byte, the longest first
	kept     []string          // names of tags, in lower case
	handling map[PieceKind]handling
}

// saying is a word and how it is said.
type saying struct{ word, as string }

// handling is what is said in place of a piece.
type handling struct {
	how    howHandled
	phrase string
}

type howHandled uint8

const (
	bridged  howHandled = iota // nothing, or what a preposition needs after it
	omitted                    // nothing at all
	replaced                   // phrase
	spelledOut
)

// Say pronounces a word as it is told wherever the word stands alone in a text:
// Say("Wi-Fi", "guaifai"), Say("EPS", "e pe ese"). Capitals count; several words
// are fine, and of two entries that fit the longer wins. It goes before every
// rule for abbreviations, acronyms and numbers, and what it says is not read
// again: where that holds another such word, or digits, a text that is cleaned
// twice changes twice. An empty word does nothing.
func Say(word, as string) Option {
	return func(s *Speaker) {
		if word == "" {
			return
		}
		if s.sayings == nil {
			s.sayings = map[byte][]saying{}
		}
		list := slices.DeleteFunc(s.sayings[word[0]], func(old saying) bool { return old.word == word })
		list = append(list, saying{word, as})
		slices.SortStableFunc(list, func(a, b saying) int { return len(b.word) - len(a.word) })
		s.sayings[word[0]] = list
	}
}

// KeepTags leaves tags of these names in a text, as a synthesizer that reads
// SSML wants them, and cleans what is between them. What stands inside spell,
// say-as, phoneme and sub is for the synthesizer to read: there only markup goes.
// By default no tag stays.
func KeepTags(names ...string) Option {
	return func(s *Speaker) {
		for _, name := range names {
			s.kept = append(s.kept, lowerASCII(name))
		}
	}
}

// Omit says nothing in place of pieces of these kinds, or of all kinds when
// none is given.
//
// By default a piece is omitted too, unless that would leave a preposition or a
// verb without its object: "escriba a ana@ejemplo.com" is "escriba al correo", "vea
// https://ejemplo.com" "vea el enlace".
func Omit(kinds ...PieceKind) Option { return handle(handling{how: omitted}, kinds) }

// Replace says the phrase in place of each piece of these kinds, or of all kinds
// when none is given: Replace("el enlace que le envié", PieceURL).
func Replace(phrase string, kinds ...PieceKind) Option {
	return handle(handling{replaced, phrase}, kinds)
}

// SpellOut says pieces of these kinds, or of all kinds when none is given, so
// that they can be written down: "ana punto ruiz arroba ejemplo punto com". Blocks
// of code are read as text.
func SpellOut(kinds ...PieceKind) Option { return handle(handling{how: spelledOut}, kinds) }

func handle(h handling, kinds []PieceKind) Option {
	if len(kinds) == 0 {
		kinds = allPieces[:]
	}
	return func(s *Speaker) {
		if s.handling == nil {
			s.handling = map[PieceKind]handling{}
		}
		for _, kind := range kinds {
			s.handling[kind] = h
		}
	}
}

// keeps reports whether tags of this name stay.
func (t *textTuning) keeps(name string) bool {
	return len(t.kept) > 0 && slices.Contains(t.kept, lowerASCII(name))
}
