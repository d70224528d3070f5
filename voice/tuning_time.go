package voice

// timeTuning is set by the options of dates and times.
type timeTuning struct{}
