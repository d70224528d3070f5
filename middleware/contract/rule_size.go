package contract

import (
	"regexp"
	"strconv"
	"strings"
)

// propertyName is what Anthropic's interface takes at the top level; below it does
// not look.
var propertyName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// inputSize measures one input schema.
type inputSize struct {
	properties, values, levels int
	deepest                    string
}

func (s *inputSize) count(n node) {
	if n.place == atProperty {
		s.properties++
	}
	values, _ := n.schema["enum"].([]any)
	s.values += len(values)
	levels := strings.Count(n.pointer, "/properties/") + strings.Count(n.pointer, "/items")
	if levels > s.levels {
		s.levels, s.deepest = levels, n.pointer
	}
}

func (s *inputSize) report(l *linter, d *definition) {
	if s.levels > maxLevels {
		l.find(d, "schema-depth", s.deepest, Text{
			ES: "La entrada tiene " + strconv.Itoa(s.levels) + " niveles.", EN: "The input has " + strconv.Itoa(s.levels) + " levels.",
		})
	}
	if s.properties > maxProperties || s.values > maxValues {
		l.find(d, "schema-size", "/inputSchema", Text{
			ES: "La entrada tiene " + strconv.Itoa(s.properties) + " propiedades y " + strconv.Itoa(s.values) + " valores enumerados.",
			EN: "The input has " + strconv.Itoa(s.properties) + " properties and " + strconv.Itoa(s.values) + " listed values.",
		})
	}
}
