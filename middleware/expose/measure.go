package expose

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/paginate"
)

// Size is what a surface costs an agent that is shown all of it.
type Size struct {
	Strategy Strategy
	Compact  bool
	// Tools is how many tools there are.
	Tools int
	// Characters is the length of the list of tools as JSON, in UTF-16 code units.
	Characters int
	// Tokens is an estimate: a token for every four characters, rounded up. It is a
	// rule of thumb, to compare surfaces with and not to bill by.
	Tokens int
	// Err is why there is no such surface; the other figures are zero then.
	Err error
}

// Measure compiles the actions of the surface with each strategy, for all namespaces
// alike, with normal and with compact descriptions, and says what each costs.
func (s *Surface) Measure() []Size {
	var sizes []Size
	for _, strategy := range [...]Strategy{Flat, Grouped, Split} {
		for _, compact := range [...]bool{false, true} {
			cfg := s.cfg
			cfg.Strategy, cfg.Compact = strategy, compact
			cfg.Namespaces = make([]Namespace, len(s.cfg.Namespaces))
			for i, n := range s.cfg.Namespaces {
				n.Strategy = 0
				cfg.Namespaces[i] = n
			}
			size := Size{Strategy: strategy, Compact: compact}
			if other, err := Compile(cfg, s.declarations...); err != nil {
				size.Err = err
			} else {
				other.weigh(&size)
			}
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// weigh measures the list of tools as mcp-go writes it.
func (s *Surface) weigh(size *Size) {
	tools := make([]mcp.Tool, len(s.units))
	for i, u := range s.units {
		tools[i] = *u.full
	}
	raw, err := json.Marshal(tools)
	if err != nil { // metadata that cannot be encoded
		size.Err = err
		return
	}
	size.Tools = len(tools)
	size.Characters = paginate.UTF16Len(raw)
	size.Tokens = (size.Characters + 3) / 4
}
