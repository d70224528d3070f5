package voice_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// long says whether the checks that take minutes were asked for.
func long() bool { return os.Getenv("PORTAVOZ_LONG") == "1" }

// forms are the four in which a number can be asked for.
var forms = []struct {
	name      string
	form      voice.Form
	reference reference
}{
	{"masculine", voice.Masculine, reference{}},
	{"feminine", voice.Feminine, reference{feminine: true}},
	{"before masculine", voice.BeforeNoun, reference{beforeNoun: true}},
	{"before feminine", voice.Feminine | voice.BeforeNoun, reference{feminine: true, beforeNoun: true}},
}

// TestCardinalSweep compares every number to a million. The reference says the
// thousands anew for each thousand, and the rest once.
func TestCardinalSweep(t *testing.T) {
	t.Parallel()
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var rests [1000]string
			for n := range rests {
				rests[n] = f.reference.below(n)
			}
			var got, want []byte
			for thousands := range 1000 {
				head := f.reference.below(1000 * thousands)
				for rest := range rests {
					want = append(want[:0], head...)
					switch {
					case thousands == 0:
						want = append(want[:0], rests[rest]...)
					case rest > 0:
						want = append(append(want, ' '), rests[rest]...)
					}
					n := int64(1000*thousands + rest)
					if got = voice.AppendInt(got[:0], n, f.form); string(got) != string(want) {
						t.Fatalf("%d = %q, want %q", n, got, want)
					}
				}
			}
		})
	}
}

func TestCardinalAgainstReference(t *testing.T) {
	t.Parallel()
	edges := []string{
		"0", "-1", "1000000", "1000001", "2000000", "21000000", "1001000000", "200000200000", "1000000000000",
		"1000001000000", "999999999999999", "9007199254740993", "-9223372036854775808", "18446744073709551615",
		"1000000000000000000000000", "999999999999999999999999999999999999", "-100000000000000000000000000000000001",
	}
	samples := 2000
	if long() {
		samples = 200_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(36), nil)
	numbers := make([]*big.Int, 0, len(edges)+2*samples)
	for _, edge := range edges {
		n, _ := new(big.Int).SetString(edge, 10)
		numbers = append(numbers, n)
	}
	for range samples {
		// Uniform in the logarithm, so that every length is met.
		n := big.NewInt(int64(math.Pow(10, 15*random.Float64())))
		numbers = append(numbers, n)
		size := new(big.Int).Exp(big.NewInt(10), big.NewInt(random.Int64N(37)), nil)
		size.Mul(size, big.NewInt(random.Int64()))
		numbers = append(numbers, size.Rem(size, limit))
	}
	for _, n := range numbers {
		for _, f := range forms {
			want := f.reference.say(n)
			if got, err := voice.Big(n, f.form); err != nil || got != want {
				t.Fatalf("Big(%s), %s = %q, %v, want %q", n, f.name, got, err, want)
			}
			if n.IsInt64() {
				if got := voice.Int(n.Int64(), f.form); got != want {
					t.Fatalf("Int(%s), %s = %q, want %q", n, f.name, got, want)
				}
			}
			if n.IsUint64() {
				if got := voice.Uint(n.Uint64(), f.form); got != want {
					t.Fatalf("Uint(%s), %s = %q, want %q", n, f.name, got, want)
				}
			}
		}
	}
}
