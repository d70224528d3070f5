package voice_test

import (
	"math/rand/v2"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

func FuzzText(f *testing.F) {
	seedTexts(f, func(country voice.Country, text string) { f.Add(string(country), text) })
	f.Fuzz(func(t *testing.T, country, text string) {
		checkText(t, voice.Country(country).With(), text)
	})
}

func FuzzWriter(f *testing.F) {
	seedTexts(f, func(_ voice.Country, text string) { f.Add(text, uint64(len(text))) })
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		most := 1 + r.IntN(9)
		checkWriter(t, voice.CO.With(), text, func(int) int { return 1 + r.IntN(most) })
		checkWriter(t, voice.CO.With(), text, func(left int) int { return left })
	})
}

// seedTexts hands over texts of every kind.
func seedTexts(tb testing.TB, add func(country voice.Country, text string)) {
	tb.Helper()
	for country, texts := range messages(tb) {
		for _, text := range texts {
			add(country, text)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		add(voice.CO, generated(r))
	}
}
