package paginate

import (
	"cmp"
	"fmt"

	"github.com/portavoz/portavoz/errors"
)

// The bounds of a [Config]. Limit and offset together fit an int of 32 bits.
const (
	highestLimit  = 1_000
	highestOffset = 1_000_000_000
)

// Config changes what [Rules] allow. The zero value is the gateway's contract.
type Config struct {
	// DefaultLimit is the limit where none is given, MaxLimit at most.
	// Default: [DefaultLimit], or MaxLimit where that is less.
	DefaultLimit int
	// MaxLimit is the greatest limit, 1000 at most. The gateway's contract
	// forbids more than 25. Default: [MaxLimit].
	MaxLimit int
	// MaxOffset is the greatest offset, a billion at most.
	// Default: [MaxOffset].
	MaxOffset int
	// NumericStrings accepts a number in a string, "10", with white space
	// around it or not. The schemas do not say so. Default: refused.
	NumericStrings bool
}

// Rules say what limit and offset may be. The zero value is ready to use and is
// the gateway's contract; [NewRules] makes others.
type Rules struct{ cfg Config }

// ConfigError is one thing wrong with a [Config].
type ConfigError struct {
	Field  string // the field of Config
	Reason string // what is wrong, in English
}

// Error implements error.
func (e *ConfigError) Error() string { return "portavoz/paginate: " + e.Field + " " + e.Reason }

// NewRules returns rules other than the contract's. The error joins one
// [*ConfigError] for every problem found.
func NewRules(cfg Config) (Rules, error) {
	var problems []error
	for _, field := range [...]struct {
		name           string
		value, highest int
	}{
		{"DefaultLimit", cfg.DefaultLimit, highestLimit},
		{"MaxLimit", cfg.MaxLimit, highestLimit},
		{"MaxOffset", cfg.MaxOffset, highestOffset},
	} {
		if field.value < 0 || field.value > field.highest {
			problems = append(problems, &ConfigError{field.name, fmt.Sprintf("must be between 0 and %d", field.highest)})
		}
	}
	most := (Rules{cfg}).maxLimit()
	if cfg.MaxLimit >= 0 && cfg.DefaultLimit > most && cfg.DefaultLimit <= highestLimit {
		problems = append(problems, &ConfigError{"DefaultLimit", fmt.Sprintf("must not be above MaxLimit, %d", most)})
	}
	if len(problems) > 0 {
		return Rules{}, errors.Join(problems...)
	}
	return Rules{cfg}, nil
}

func (r Rules) maxLimit() int     { return cmp.Or(r.cfg.MaxLimit, MaxLimit) }
func (r Rules) defaultLimit() int { return cmp.Or(r.cfg.DefaultLimit, min(DefaultLimit, r.maxLimit())) }
func (r Rules) maxOffset() int    { return cmp.Or(r.cfg.MaxOffset, MaxOffset) }
