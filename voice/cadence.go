package voice

// cadence builds a text that is spelled: words with spaces between them, and
// with commas where the voice rests. It is passed on by value, as append does,
// so that its text may stay on the stack.
type cadence struct {
	text    []byte
	start   int // where the spelled text begins
	resting bool
}

func newCadence(dst []byte) cadence { return cadence{text: dst, start: len(dst)} }

// say adds a word.
func (k cadence) say(word string) cadence {
	if k.resting && len(k.text) > k.start {
		k.text = append(k.text, ',')
	}
	k.resting = false
	k.text = append(appendSpace(k.text, k.start), word...)
	return k
}

// rest pauses before the next word, if there is one.
func (k cadence) rest() cadence {
	k.resting = true
	return k
}

// sayGroups says digits one by one, in groups of the sizes that the digits of
// the text sizes give; the last repeats.
func (k cadence) sayGroups(digits, sizes string) cadence {
	said := 0
	for i := range len(digits) {
		k = k.say(digitName(digits[i]))
		said++
		if said == int(sizes[0]-'0') {
			k = k.rest()
			said = 0
			sizes = sizes[min(1, len(sizes)-1):]
		}
	}
	return k.rest()
}
