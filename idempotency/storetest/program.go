package storetest

import (
	"math/rand/v2"
	"testing"

	"github.com/portavoz/portavoz/idempotency"
)

var modelRules = []rule{
	{"random operations answer as the model does", func(k *kit) {
		steps := 5000
		if !k.bubble {
			steps = 150 // in real time
		}
		k.Logf("to repeat this, pass storetest.Seed(%d)", k.seed)
		k.play(randomProgram(k.seed, steps))
	}},
}

// Fuzz adds a fuzz target that takes its input for a sequence of operations, and
// holds each answer of a store against the model. Give it the options of [Run].
// Without [InBubble] the periods in between are waited for.
func Fuzz(f *testing.F, newStore func(t *testing.T) idempotency.Store, opts ...Option) {
	f.Helper()
	s := newSuite(newStore, opts)
	for seed := range uint64(4) {
		f.Add(randomProgram(seed, 24))
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		s.check(t, func(k *kit) { k.play(program[:min(len(program), 1000*stepSize)]) })
	})
}

// A program is a sequence of steps of three bytes: what is done, to which
// operation by whom, and a choice among arguments. All leases and lifetimes end
// half a unit beside the whole units that pass, so that the moment at which they
// end is never asked for.
const (
	stepSize      = 3
	playedKeys    = 3
	playedParties = 3
)

func randomProgram(seed uint64, steps int) []byte {
	r := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // it has to be repeatable
	program := make([]byte, steps*stepSize)
	for i := range program {
		program[i] = byte(r.Uint32())
	}
	return program
}

// play holds the store's answers against the model.
func (k *kit) play(program []byte) {
	k.Helper()
	g := newGame(k)
	for ; len(program) >= stepSize; program = program[stepSize:] {
		if problem := g.step(program[0], program[1], program[2]); problem != "" {
			k.Fatal(problem)
		}
	}
}
