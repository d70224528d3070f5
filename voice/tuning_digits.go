package voice

// digitTuning is set by the options of digits and phones.
type digitTuning struct{}
