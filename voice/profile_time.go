package voice

// timeProfile is what a country decides about dates and times.
type timeProfile struct{}

func timeProfileOf(Country) timeProfile { return timeProfile{} }
