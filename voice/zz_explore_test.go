package voice_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

func TestExplore(t *testing.T) {
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	n, _ := strconv.Atoi(os.Getenv("N"))
	if n == 0 {
		t.Skip()
	}
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	sp := textSpeakers()
	fails := 0
	for range n {
		text := generated(r)
		s := sp[r.IntN(len(sp))]
		t.Run("", func(t *testing.T) {
			checkText(t, s, text)
			checkWriter(t, s, text, func(int) int { return 1 + r.IntN(4) })
			if t.Failed() {
				fails++
			}
		})
		if fails >= 6 {
			return
		}
	}
}
