package transport

import "strconv"

// ConfigError is one mistake in how a part was put together. A constructor
// reports all of its mistakes at once, joined; [errors.As] finds the first. It
// never holds a secret.
type ConfigError struct {
	// Part is the constructor at fault, such as "Bearer" or "AllowedHosts".
	Part string
	// Name is the credential or the value at fault, or "".
	Name string
	// Reason says what is wrong with it.
	Reason string
}

// Error implements error.
func (e *ConfigError) Error() string {
	s := "portavoz/transport: " + e.Part
	if e.Name != "" {
		s += " " + strconv.Quote(e.Name)
	}
	return s + ": " + e.Reason
}
