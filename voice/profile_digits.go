package voice

// digitProfile is what a country decides about digits, letters and phones.
type digitProfile struct{}

func digitProfileOf(Country) digitProfile { return digitProfile{} }
