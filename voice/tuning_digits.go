package voice

// digitTuning is set by the options of digits and phones.
type digitTuning struct {
	international bool
}

// International says the country calling code of every phone number, also of
// the speaker's own country: "más cinco siete, tres cero cero, ...".
func International() Option {
	return func(s *Speaker) { s.international = true }
}
