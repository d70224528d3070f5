package voice

// Speaker is a country's way of speaking with some choices changed. Make one
// with [Country.With] or, for the neutral country, [With]; it is immutable and
// safe for concurrent use.
type Speaker struct {
	profile *profile
	tuning
}

// Option changes one choice of a [Speaker].
type Option func(*Speaker)

// With returns a speaker of neutral Latin American Spanish, tuned by options.
func With(opts ...Option) *Speaker { return Country("").With(opts...) }
