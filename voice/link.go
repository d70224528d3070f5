package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unlink takes pieces out of plain text, and puts what is said instead.
func (n *narrator) unlink(plain string) string {
	var out []byte // stays empty until something is taken out
	done := 0
	for i := 0; i < len(plain); {
		end := i
		for end < len(plain) && plain[end] != ' ' {
			end++
		}
		if mayHoldLink(plain[i:end]) {
			for i < end {
				kind, width := PieceKind(""), 0
				follows := linkMayFollow(plain[done:i], plain[i:end])
				if i == done {
					follows = linkMayFollow(out, plain[i:end])
				}
				if follows {
					kind, width = scanLink(plain[done:], i-done, end-done)
				}
				if width == 0 {
					i++
					continue
				}
				out = append(out, plain[done:i]...)
				n.removePlain(kind, i, i+width)
				before := len(out)
				out = n.handled(out, kind, plain[i:i+width], plain[i+width:])
				i += width
				if len(out) > before && i < end && !strings.ContainsRune(".,;:!?)…", rune(plain[i])) {
					out = append(out, ' ')
				}
				done = i
			}
		}
		i = end + 1
	}
	if done == 0 {
		return plain
	}
	return string(append(out, plain[done:]...))
}

// removePlain notes a piece of the plain text of the span by what it is in the
// input.
func (n *narrator) removePlain(kind PieceKind, from, to int) {
	if !n.collect {
		return
	}
	from, to = n.origin(from), n.originEnd(to)
	n.remove(kind, n.spanText[from:to], n.base+from)
}

// handled says what the options want in place of a piece, which rest follows.
func (n *narrator) handled(out []byte, kind PieceKind, text, rest string) []byte {
	h := n.speaker.handling[kind]
	switch h.how {
	case omitted:
		return out
	case replaced:
		return appendPhrase(out, h.phrase)
	case spelledOut:
		return n.speaker.appendAddress(out, text)
	case bridged:
	}
	word := wordAtEnd(out)
	if isListed(joiningWords, strings.ToLower(word)) {
		before := out[:len(strings.TrimRight(string(out), " "))-len(word)]
		if namesPiece(before, kind) {
			return before // el enlace o el enlace
		}
	}
	if needsObject(word) || startsWithJoint(rest) && n.opensPhrase(out) {
		return appendPhrase(out, pieceNames[kind])
	}
	return out
}

// joiningWords join two parts of a sentence, so that both have to be there.
const joiningWords = " o u y e ni "

// startsWithJoint reports whether s goes on with a word that joins what comes after
// it to what was before, a comma between them or not.
func startsWithJoint(s string) bool {
	s = skipBlanks(strings.TrimPrefix(skipBlanks(s), ","))
	word := s[:wordWidth(s)]
	after := skipBlanks(s[len(word):])
	return isListed(joiningWords, lowerASCII(word)) && after != "" && len(word)+len(after) < len(s)
}

// opensPhrase reports whether nothing is said before the end of out that a joint
// could join: "Detalles: ", "(", the beginning of a line.
func (n *narrator) opensPhrase(out []byte) bool {
	last := n.last()
	if text := strings.TrimRight(string(out), " ,;"); text != "" {
		last, _ = utf8.DecodeLastRuneInString(text)
	}
	return last == 0 || strings.ContainsRune(":.!?…(¿¡", last)
}

// namesPiece reports whether out ends with what is said for a piece of this kind,
// whatever its article was joined to.
func namesPiece(out []byte, kind PieceKind) bool {
	_, noun, _ := strings.Cut(pieceNames[kind], " ")
	return strings.HasSuffix(strings.TrimRight(string(out), " "), " "+noun)
}

var pieceNames = map[PieceKind]string{
	PieceURL: "el enlace", PieceEmail: "el correo", PieceHandle: "la cuenta", PieceFile: "el archivo",
	PiecePath: "la ruta", PieceUUID: "el código", PieceHash: "el código",
}

// wordAtEnd returns the word before the blanks at the end of out; empty when it
// is part of something else.
func wordAtEnd(out []byte) string {
	const reach = 16
	text := strings.TrimRight(string(out[max(0, len(out)-reach):]), " ")
	word := lastWord(text)
	if rest := text[:len(text)-len(word)]; rest != "" && rest[len(rest)-1] != ' ' {
		return ""
	}
	return word
}

// needsObject reports whether a word cannot end a sentence: prepositions,
// conjunctions, and verbs that tell somebody to do something with a link or a file.
// Forms that are nouns too (visita, consulta, copia) are not among them.
func needsObject(word string) bool {
	switch strings.ToLower(word) {
	case "a", "con", "de", "desde", "en", "hacia", "hasta", "mediante", "para", "por", "según", "sobre", "vía", "y", "o",
		"ver", "vea", "visite", "visitar", "abra", "abrir", "consulte", "consultar", "descargue", "descargar",
		"revise", "revisar", "siga", "seguir", "use", "usar", "utilice", "utilizar", "copie", "copiar", "escanee", "escanear":
		return true
	}
	return false
}

// appendPhrase appends a phrase, whose article joins the preposition before it:
// al, del (DPD "a", "de").
func appendPhrase(out []byte, phrase string) []byte {
	if rest, ok := strings.CutPrefix(phrase, "el "); ok {
		switch strings.ToLower(wordAtEnd(out)) {
		case "a", "de":
			out = []byte(strings.TrimRight(string(out), " "))
			return append(append(out, "l "...), rest...)
		}
	}
	return append(out, phrase...)
}

// appendAddress spells an address so that it can be written down: words as they
// are, digits and signs by name.
func (s *Speaker) appendAddress(out []byte, text string) []byte {
	if i := strings.Index(text, "://"); i >= 0 {
		text = text[i+len("://"):]
	}
	text = strings.TrimPrefix(text, "www.") // nobody writes it any more
	k := newCadence(out)
	for text != "" {
		letters := lettersWidth(text)
		if letters > 1 && hasVowel(text[:letters]) {
			k = k.say(strings.ToLower(text[:letters]))
			text = text[letters:]
			continue
		}
		for width := max(letters, 1); width > 0; {
			l, named := s.spellRune(text)
			if named > 0 {
				k = l.sayTo(k)
			} else {
				_, named = utf8.DecodeRuneInString(text)
			}
			text = text[named:]
			width -= named
		}
	}
	return k.text
}

// lettersWidth returns the width of the letters that s begins with.
func lettersWidth(s string) int {
	for i, r := range s {
		if !unicode.IsLetter(r) {
			return i
		}
	}
	return len(s)
}

func hasVowel(word string) bool {
	return strings.ContainsAny(word, "aeiouáéíóúüAEIOUÁÉÍÓÚÜ")
}

// lastWord returns the letters at the end of s.
func lastWord(s string) string {
	i := len(s)
	for i > 0 {
		r, width := utf8.DecodeLastRuneInString(s[:i])
		if !unicode.IsLetter(r) || r == 'º' || r == 'ª' {
			break
		}
		i -= width
	}
	return s[i:]
}
