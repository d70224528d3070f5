package voice

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tidy puts blanks and punctuation in order before anything is said, so that
// every rule sees the words that will be beside each other: one space between
// words and none before a stop, signs once, nothing at the beginning of a line
// that is not said, commas for what only parts.
func (n *narrator) tidy(plain string) string {
	t := tidier{narrator: n, s: plain, text: n.tidied[:0], gap: n.gap}
	for t.i < len(t.s) {
		t.next()
	}
	if t.gap {
		t.text = append(t.text, ' ')
	}
	n.tidied = t.text
	return string(t.text)
}

// tidier is on its way through one span.
type tidier struct {
	*narrator
	s    string
	i    int
	text []byte
	gap  bool // a space is due
}

func (t *tidier) next() {
	if said := t.sayingWidth(); said > 0 {
		t.keep(said)
		return
	}
	if isLetter(t.s[t.i]) {
		t.keep(t.runWidth(1))
		return
	}
	rest := t.s[t.i:]
	r, width := utf8.DecodeRuneInString(rest)
	switch r {
	case ' ', '\t', '\r', '\n':
		t.drop(width)
	case '.', ',', ';', ':', '!', '?', '…':
		t.stops(r, width)
	case '(':
		if after := skipBlanks(rest[1:]); strings.HasPrefix(after, ")") {
			t.drop(len(rest) - len(after) + 1)
			return
		}
		t.keep(width)
		t.depth++
	case ')':
		t.close()
	case '-', '–', '—', '−', '‐', '‑', '―':
		t.dash()
	case '•', '·', '→', '▪', '●', '◦', '‣', '│', '¦':
		if mask := scanMask(rest); mask > 0 && !t.glued() {
			t.keep(mask)
			return
		}
		t.comma(width)
	case '/':
		if t.gap || !t.glued() && !strings.ContainsRune("$€£₡₲¢%°²³", t.last()) {
			t.comma(width)
			return
		}
		t.keep(width)
	case '\u00a0', '\u2009', '\u202f':
		if !t.glued() || !startsWithDigit(rest[width:]) { // else it may group thousands
			t.drop(width)
			return
		}
		t.keep(width)
	case '¿', '¡':
		if t.last() == r && !t.gap {
			t.i += width
			return
		}
		t.keep(width)
	case '+', '=':
		if t.last() == 0 && !startsWithLetter(rest[1:]) && !startsWithNumber(rest[1:]) {
			t.drop(width)
			return
		}
		t.keep(width)
	case '#', '*', '~':
		if isKey(t.text, t.gap, rest) {
			t.keep(width)
			return
		}
		if !startsWithDigit(skipBlanks(rest[1:])) || r != '#' && !startsWithDigit(rest[1:]) {
			t.drop(width)
			return
		}
		t.keep(width)
	case '<':
		t.tag()
	case '_', '`', '|', '[', ']', '{', '}', '\\', '^', '>':
		t.drop(width)
	default:
		t.keep(t.runWidth(width))
	}
}

// runWidth returns the width of the letters and digits at i that need no look,
// at least that of one character.
func (t *tidier) runWidth(width int) int {
	for end := t.i + width; ; end++ {
		if end == len(t.s) || !isLetter(t.s[end]) && !isDigit(t.s[end]) {
			return end - t.i
		}
	}
}

// keep takes width bytes over.
func (t *tidier) keep(width int) {
	if last := t.last(); t.gap && last != 0 && last != '(' {
		t.text = append(t.text, ' ')
	}
	t.gap = false
	t.text = append(t.text, t.s[t.i:t.i+width]...)
	t.i += width
}

// drop leaves a space in place of width bytes.
func (t *tidier) drop(width int) {
	t.gap = true
	t.i += width
}

// last returns the last character of the line.
func (t *tidier) last() rune {
	if len(t.text) == 0 {
		return t.narrator.last()
	}
	r, _ := utf8.DecodeLastRune(t.text)
	return r
}

// glued reports whether what comes next touches a word or a number.
func (t *tidier) glued() bool {
	last := t.last()
	return !t.gap && (isWordRune(last) || '0' <= last && last <= '9')
}

// sayingWidth returns the width of a word that an option pronounces, which stays
// whole whatever its signs.
func (t *tidier) sayingWidth() int {
	if len(t.speaker.sayings) == 0 {
		return 0
	}
	s, _ := t.speaker.sayingAt(t.s[t.i:])
	return len(s.word)
}

// stops handles a run of stops and blanks. The strongest is kept: a period over
// commas and colons, several periods as an ellipsis, "!" and "?" once each.
// Inside a number marks stay as they are.
func (t *tidier) stops(r rune, width int) {
	after := t.s[t.i+width:]
	if r != '!' && r != '?' && r != '…' && startsWithDigit(after) && (t.gap && r == '.' || !t.gap && t.last() < utf8.RuneSelf && isDigit(byte(t.last()))) {
		t.keep(width)
		return
	}
	var kept stopRun
	apart := t.gap // blanks are before, inside or after the run
	from := t.i
	short := r == '.' && strings.IndexByte(",;:!?", firstByte(after)) >= 0 // of an abbreviation
	if short {
		t.i++
	}
	for t.i < len(t.s) {
		r, width := utf8.DecodeRuneInString(t.s[t.i:])
		if r != ' ' && !strings.ContainsRune(".,;:!?…", r) || r == '.' && apart && startsWithDigit(t.s[t.i+1:]) {
			break
		}
		apart = apart || r == ' '
		kept.add(r)
		t.i += width
	}
	last, rest := t.last(), t.s[t.i:]
	sign := kept.text()
	if short && kept.periods == 0 && !kept.ellipsis {
		sign = "." + sign
	}
	for strength(last) > 0 && strength(last) < strength(firstRune(sign)) && len(t.text) > 0 {
		t.text = t.text[:len(t.text)-utf8.RuneLen(last)]
		last = t.last()
	}
	switch {
	case last == 0:
		return
	case strength(last) > 0, strings.ContainsRune("(¿¡", last):
		t.gap = t.gap || apart
		return
	}
	t.text = append(t.text, sign...)
	switch {
	case apart:
		t.gap = true
	case t.i-from > 1 || sign == "!" || sign == "?":
		t.gap = isWordStart(rest)
	case sign == ".": // Gracias.Es un placer, but S.A.S. and ejemplo.com
		t.gap = startsUpper(rest) && !unicode.IsUpper(last)
	default:
		t.gap = startsWithLetter(rest)
	}
}

func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// strength orders the stops, of which only the strongest stays between two words.
func strength(stop rune) int {
	switch stop {
	case ',', ';', ':':
		return 1
	case '.':
		return 2
	case '…':
		return 3
	case '!', '?':
		return 4
	}
	return 0
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// stopRun is what a run of stops holds.
type stopRun struct {
	weak     byte // the first of , ; :
	periods  int
	ellipsis bool
	strong   []byte // ! and ? in the order in which they come
}

func (s *stopRun) add(r rune) {
	switch r {
	case ',', ';', ':':
		if s.weak == 0 {
			s.weak = byte(r)
		}
	case '.':
		s.periods++
	case '…':
		s.ellipsis = true
	case '!', '?':
		if !bytes.ContainsRune(s.strong, r) {
			s.strong = append(s.strong, byte(r))
		}
	}
}

func (s *stopRun) text() string {
	switch {
	case len(s.strong) > 0:
		return string(s.strong)
	case s.ellipsis || s.periods > 1:
		return "…"
	case s.periods == 1:
		return "."
	}
	return string(s.weak)
}

// close handles a closing parenthesis. One that closes nothing is that of an item
// inside a sentence, "1) ... 2)", or goes.
func (t *tidier) close() {
	t.i++
	last := t.last()
	switch {
	case t.depth == 0:
		if item := t.lastToken(); item != "" && (startsWithDigit(item) || len(item) == 1) {
			t.text = append(t.text, ',')
		}
		t.gap = true
		return
	case last == '(' && len(t.text) > 0:
		t.text = []byte(strings.TrimRight(string(t.text[:len(t.text)-1]), " "))
		t.gap = true
		t.depth--
		return
	case last == 0, strings.ContainsRune("(,;:", last) && len(t.text) == 0:
		t.depth--
		return
	case strings.ContainsRune(",;:", last):
		t.text = t.text[:len(t.text)-1]
	}
	t.depth--
	t.text = append(t.text, ')')
	t.gap = isWordStart(t.s[t.i:])
}

// lastToken returns the letters and digits that come right before i.
func (t *tidier) lastToken() string {
	if t.gap {
		return ""
	}
	from := len(t.text)
	for from > 0 && (isLetter(t.text[from-1]) || isDigit(t.text[from-1])) {
		from--
	}
	return string(t.text[from:])
}

func isWordStart(s string) bool { return startsWithLetter(s) || startsWithDigit(s) }

// comma parts in place of width bytes.
func (t *tidier) comma(width int) {
	t.i += width
	if last := t.last(); last != 0 && !strings.ContainsRune("(¿¡.…!?,;:", last) {
		t.text = append(t.text, ',')
	}
	t.gap = true
}

// dash keeps a hyphen or dash between letters and digits, and before a number,
// for the rules to say; others part.
func (t *tidier) dash() {
	rest := t.s[t.i:]
	_, width := utf8.DecodeRuneInString(rest)
	after := strings.TrimLeft(rest[width:], "-–—−‐‑―")
	run := len(rest) - len(after)
	if run == width && (t.glued() && isWordStart(after) || t.beginsNumber(skipBlanks(after))) {
		t.keep(width)
		return
	}
	t.comma(run)
}

// beginsNumber reports whether s begins with a number or the sign of a currency.
func (n *narrator) beginsNumber(s string) bool {
	m := n.speaker.scanMark(s, before)
	return startsWithDigit(skipBlanks(s[m.width:]))
}

// tag keeps a tag, and what it has inside when that is for the synthesizer to
// read.
func (t *tidier) tag() {
	width := t.speaker.keptWidth(t.s[t.i:])
	if width == 0 {
		t.drop(1)
		return
	}
	t.keep(width)
}

// keptWidth returns the width of the tag at the beginning of s that is kept, with
// the element when that is to be read as it is written; zero when there is none.
func (s *Speaker) keptWidth(text string) int {
	name, closes, width := scanTag(text)
	if width == 0 || !s.keeps(name) {
		return 0
	}
	if !closes && text[width-2] != '/' && isListed(" spell say-as phoneme sub ", lowerASCII(name)) {
		end := "</" + name + ">"
		if i := strings.Index(text, end); i > 0 {
			return i + len(end)
		}
	}
	return width
}
