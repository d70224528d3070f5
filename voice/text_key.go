package voice

import "strings"

// isKey reports whether the sign that rest begins with is a key of a phone: alone
// after a word that speaks of keys, "presione * o #", or at the end of a code that
// is dialled, "*123#". Apart says that a blank comes between it and the text before.
func isKey[T string | []byte](before T, apart bool, rest string) bool {
	const reach = 32
	near := string(before[max(0, len(before)-reach):])
	if rest[0] == '#' && !apart && endsDialled(near) {
		return true
	}
	if !apart || rest[0] != '#' && rest[0] != '*' || len(rest) > 1 && strings.IndexByte(" .,;:!?)", rest[1]) < 0 {
		return false
	}
	words := strings.TrimRight(near, " ")
	word := lastWord(words)
	if isListed(" o y ni ", word) {
		words = strings.TrimRight(words[:len(words)-len(word)], " ,")
		if strings.HasSuffix(words, "*") || strings.HasSuffix(words, "#") || words != "" && isDigit(words[len(words)-1]) {
			return true
		}
		word = lastWord(words)
	}
	return isListed(keyWords, strings.ToLower(word))
}

// keyWords stand before the name of a key.
const keyWords = " presione presiona presionar pulse pulsa pulsar oprima oprime oprimir marque marca marcar digite digita digitar " +
	"tecla teclas tecle teclea teclee signo símbolo "

// endsDialled reports whether s ends in a star and the digits of a service code.
func endsDialled(s string) bool {
	digits := len(s) - len(strings.TrimRight(s, "0123456789"))
	return digits >= 2 && digits <= 5 && strings.HasSuffix(s[:len(s)-digits], "*")
}
