package expose

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// widen returns a schema that admits every value that any of the variants admits,
// and says what each of them demands beyond it.
//
// Where the variants consist of simple demands, each is loosened until it holds for
// all; one that some variant does not make is dropped. Otherwise they become the
// alternatives of an anyOf, which admits exactly what they admit.
func widen(variants []variant) (wide object, differ string) {
	schemas := make([]object, len(variants))
	for i, v := range variants {
		schemas[i] = v.schema
	}
	if !slices.ContainsFunc(schemas, isIntricate) && sameInAll(schemas, "items") {
		wide = loosen(schemas)
		return wide, beyond(variants, wide)
	}
	alternatives := make([]any, len(variants))
	var texts []string
	for i, v := range variants {
		alternatives[i] = v.schema
		texts = append(texts, strings.Join(v.keys, ", ")+": anyOf/"+strconv.Itoa(i))
	}
	return object{"anyOf": alternatives}, strings.Join(texts, "; ")
}

// The keywords that loosen understands. The bounds are numbers: the draft in which
// exclusiveMinimum was true or false is left to anyOf.
var (
	lowerBounds = []string{"minItems", "minLength", "minProperties"}
	upperBounds = []string{"maxItems", "maxLength", "maxProperties"}
	// equalOnly are kept if every variant has them with one value.
	equalOnly = []string{"contentEncoding", "contentMediaType", "format", "items", "multipleOf", "pattern", "uniqueItems"}
	valueOnly = []string{"const", "enum", "type"}
	limits    = []string{"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"}
)

// isIntricate reports whether loosen does not understand a schema.
func isIntricate(s object) bool {
	for keyword, value := range s {
		if slices.Contains(equalOnly, keyword) || slices.Contains(valueOnly, keyword) {
			continue
		}
		_, isNumber := value.(json.Number)
		if !isNumber || !slices.Contains(slices.Concat(lowerBounds, upperBounds, limits), keyword) {
			return true
		}
	}
	return false
}

func sameInAll(schemas []object, keyword string) bool {
	first, ok := schemas[0][keyword]
	for _, s := range schemas[1:] {
		other, has := s[keyword]
		if has != ok || ok && encode(other) != encode(first) {
			return false
		}
	}
	return true
}

func loosen(schemas []object) object {
	wide := object{}
	if t := commonType(schemas); t != nil {
		wide["type"] = t
	}
	if values := commonValues(schemas); values != nil {
		wide["enum"] = values
	}
	for _, keyword := range equalOnly {
		if value, ok := schemas[0][keyword]; ok && sameInAll(schemas, keyword) {
			wide[keyword] = value
		}
	}
	for _, keyword := range lowerBounds {
		loosenBound(wide, schemas, keyword, "", below)
	}
	for _, keyword := range upperBounds {
		loosenBound(wide, schemas, keyword, "", above)
	}
	loosenBound(wide, schemas, "minimum", "exclusiveMinimum", below)
	loosenBound(wide, schemas, "maximum", "exclusiveMaximum", above)
	return wide
}

// commonType is the type of all variants, nil if one of them is of any type, or if no
// value satisfies any of them.
func commonType(schemas []object) any {
	var types typeSet
	said := false
	for _, s := range schemas {
		types |= typesOf(s, func(string) any { return nil })
		_, ok := s["type"]
		said = said || ok
	}
	if !said || types == 0 {
		return nil
	}
	return types.keyword()
}

// commonValues are the values of all variants, nil if one of them does not list its
// own.
func commonValues(schemas []object) []any {
	var all []any
	for _, s := range schemas {
		values, ok := s["enum"].([]any)
		if value, has := s["const"]; has {
			values, ok = []any{value}, true
		}
		if !ok {
			return nil
		}
		for _, v := range values {
			if !slices.ContainsFunc(all, func(known any) bool { return sameValue(known, v) }) {
				all = append(all, v)
			}
		}
	}
	return all
}

// sameValue reports whether two values are one in JSON Schema, in which 1.0 is 1.
func sameValue(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, areNumbers := b.(json.Number)
	if isNumber && areNumbers {
		return compare(x, y) == 0
	}
	return isNumber == areNumbers && encode(a) == encode(b)
}

// loosenBound sets the loosest bound of all variants, none if one variant has none.
// A bound may be written in a second way, which excludes the bound itself; the
// result does so if every variant does.
func loosenBound(wide object, schemas []object, inclusive, exclusive string, looser func(a, b json.Number) bool) {
	var loosest json.Number
	excludes := true
	for _, s := range schemas {
		bound, ok := s[inclusive].(json.Number)
		other, excluded := s[exclusive].(json.Number)
		switch {
		case !ok && !excluded:
			return
		case !ok || excluded && looser(bound, other):
			bound = other
		}
		excludes = excludes && !ok
		if loosest == "" || looser(bound, loosest) {
			loosest = bound
		}
	}
	if excludes {
		inclusive = exclusive
	}
	wide[inclusive] = loosest
}

func below(a, b json.Number) bool { return compare(a, b) < 0 }
func above(a, b json.Number) bool { return compare(a, b) > 0 }

// compare compares two numbers as they are written.
func compare(a, b json.Number) int {
	const bits = 512 // 150 digits
	x, _, errX := big.ParseFloat(string(a), 10, bits, big.ToNearestEven)
	y, _, errY := big.ParseFloat(string(b), 10, bits, big.ToNearestEven)
	if errX != nil || errY != nil {
		return 0
	}
	return x.Cmp(y)
}

// beyond says what each variant demands that the wide schema does not.
func beyond(variants []variant, wide object) string {
	var texts []string
	for _, v := range variants {
		var demands []string
		for _, keyword := range sortedKeys(v.schema) {
			value := encode(v.schema[keyword])
			if kept, ok := wide[keyword]; !ok || encode(kept) != value {
				demands = append(demands, keyword+" "+clip(value))
			}
		}
		if len(demands) > 0 {
			texts = append(texts, strings.Join(v.keys, ", ")+": "+strings.Join(demands, ", "))
		}
	}
	return strings.Join(texts, "; ")
}

// nullable makes a property admit null, too. What it says to the reader stays outside
// of what it demands.
func nullable(property object) object {
	demands, notes := object{}, object{}
	for keyword, value := range property {
		if slices.Contains(noteKeywords, keyword) {
			notes[keyword] = value
		} else {
			demands[keyword] = value
		}
	}
	alternatives, ok := demands["anyOf"].([]any)
	switch _, fixed := demands["const"]; {
	case len(demands) == 0:
		return property
	case ok && len(demands) == 1:
		notes["anyOf"] = append(slices.Clip(alternatives), object{"type": "null"})
		return notes
	case isIntricate(demands) || fixed || demands["type"] == nil:
		notes["anyOf"] = []any{demands, object{"type": "null"}}
		return notes
	}
	property["type"] = (typesNamed(demands["type"]) | isNull).keyword()
	if values, ok := demands["enum"].([]any); ok && !slices.Contains(values, nil) {
		property["enum"] = append(slices.Clip(values), nil)
	}
	return property
}

// clip shortens the text of a value: the whole is in the failure of a call that
// breaks it.
func clip(text string) string {
	const most = 80
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
