package voice

// tuning holds what options change; its zero value is the documented default.
type tuning struct {
	numberTuning
	timeTuning
	digitTuning
}

// numberTuning is set by the options of numbers and money.
type numberTuning struct{}
