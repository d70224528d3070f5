package health

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ConfigError is one thing wrong with a configuration.
type ConfigError struct {
	// Field is the path of the field, such as "Checks[2].Timeout".
	Field string
	// Reason says what is wrong, in English.
	Reason string
}

// Error implements error.
func (e *ConfigError) Error() string {
	return "portavoz/health: " + e.Field + " " + e.Reason
}

// problems collects everything wrong before anybody is told.
type problems []error

// addIf notes a problem where bad is true.
func (p *problems) addIf(bad bool, field, reason string) {
	if bad {
		*p = append(*p, &ConfigError{Field: field, Reason: reason})
	}
}

func (cfg Config) validate() error {
	var found problems
	seen := make(map[string]bool, len(cfg.Checks))
	for i, c := range cfg.Checks {
		field := fmt.Sprintf("Checks[%d].", i)
		found.addIf(!validName(c.Name), field+"Name", "must be 1 to 64 of a-z, 0-9, '.', '_' and '-'")
		found.addIf(c.Name != "" && seen[c.Name], field+"Name", fmt.Sprintf("%q is taken", c.Name))
		found.addIf(c.Timeout < 0, field+"Timeout", "must not be negative")
		found.addIf(c.CacheFor < 0, field+"CacheFor", "must not be negative")
		found.addIf(c.Probe == nil, field+"Probe", "is missing")
		seen[c.Name] = true
	}
	return errors.Join(found...)
}

// validName leaves out the colon, which the draft reserves, and upper case,
// which keeps the key of the service level free.
func validName(name string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyz0123456789._-"
	return name != "" && len(name) <= 64 && strings.Trim(name, allowed) == ""
}

func (cfg ServiceLevelConfig) validate() error {
	var found problems
	found.addIf(cfg.Window != 0 && (cfg.Window < time.Second || cfg.Window > 31*24*time.Hour),
		"Window", "must be between one second and 31 days")
	found.addIf(!(cfg.Availability >= 0 && cfg.Availability <= 1), "Availability", "must be between 0 and 1")
	found.addIf(cfg.Latency < 0 || cfg.Latency > time.Hour, "Latency", "must be between zero and one hour")
	found.addIf(cfg.MinCalls < 0, "MinCalls", "must not be negative")
	return errors.Join(found...)
}
