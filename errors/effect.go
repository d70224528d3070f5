package errors

// Effect says what is known about the side effect of a failed operation.
type Effect uint8

// What a failure proves. The zero value is the careful one.
const (
	EffectUnknown Effect = iota // the effect may have happened
	EffectNone                  // the effect provably did not happen
)

// String returns "none" or "unknown".
func (f Effect) String() string {
	if f == EffectNone {
		return "none"
	}
	return "unknown"
}

// OutcomeUnknown says that nobody knows whether the effect happened, whatever
// else err or the errors around it suggest: [From] makes UNKNOWN of it, with
// the code [CodeOutcomeUnknown] and err as the cause. It is for a handler that
// failed after an effect, or that cannot read the answer to one:
//
//	receipt, err := billing.Charge(ctx, amount)
//	if err != nil {
//		return nil, errors.OutcomeUnknown(err)
//	}
//
// It wins from any place in the tree. A handler that has found out afterwards
// what happened leaves it out of the chain (%v instead of %w). The text of err
// is unchanged, and nil stays nil.
func OutcomeUnknown(err error) error { return mark(err, EffectUnknown) }

// NoEffect says that the effect did not happen, so that the operation may be
// repeated: the transaction was rolled back, the answer was a refusal. Type,
// code and sentence are still those of err. It holds for err alone: another
// member of a join around it speaks for itself, and [OutcomeUnknown] anywhere
// wins. The text of err is unchanged, and nil stays nil.
func NoEffect(err error) error { return mark(err, EffectNone) }

func mark(err error, effect Effect) error {
	if err == nil {
		return nil
	}
	return &marked{err: err, effect: effect}
}

// marked is an error with a statement about its effect.
type marked struct {
	err    error
	effect Effect
}

func (m *marked) Error() string { return m.err.Error() }

func (m *marked) Unwrap() error { return m.err }
