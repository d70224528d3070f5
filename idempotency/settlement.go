package idempotency

// Verdict says what becomes of the key after a run.
type Verdict uint8

// The verdicts. The zero value is the careful one.
const (
	// Abandon: nobody knows whether the effect happened.
	Abandon Verdict = iota
	// Keep: it happened; later calls get the result.
	Keep
	// Release: it provably did not happen; the key is free again.
	Release
)

// Settlement is how a run ended.
type Settlement struct {
	Verdict Verdict
	// Result is handed to every caller that waits and, with Keep, to later ones.
	// It is not changed afterwards. A result that is empty or nil is a result
	// like any other.
	Result []byte
	// Err is handed to every caller that waits, instead of Result. With Keep,
	// later calls get BLOCKER with already_done: there is no result for them.
	// With Abandon it is UNKNOWN with outcome_unknown where it is nil.
	Err error
}

// complete fills in what a settlement leaves open.
func (s Settlement) complete() Settlement {
	switch {
	case s.Err != nil:
		s.Result = nil
	case s.Verdict == Keep && s.Result == nil:
		s.Result = []byte{} // a store takes nil for "no result to give"
	case s.Verdict != Keep && s.Verdict != Release:
		s.Err, s.Result = errAbandoned(nil), nil
	}
	return s
}

// Reply is what a caller of [Engine.Do] gets.
type Reply struct {
	// Result is the settlement's, and must not be changed.
	Result []byte
	// Ran says that this caller's function ran and has ended, and that what it
	// said stands, see [Conclude]. Otherwise the result is an earlier call's, or
	// that of one that was running.
	Ran bool
}
