package expose

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// check reports what keeps a schema from being used.
func check(v any, raw json.RawMessage) error {
	if isObvious(v) {
		return nil
	}
	_, err := schema.Compile(raw)
	return err
}

// isObvious reports whether a schema is certainly right in JSON Schema 2020-12: it
// consists of everyday keywords, each with a value of its type. Everything else is
// left to the compiler, which takes a tenth of a millisecond for each schema; a
// surface of a thousand actions is compiled without it as a rule.
func isObvious(schema any) bool {
	s, ok := schema.(object)
	if !ok {
		_, isBool := schema.(bool)
		return isBool
	}
	for keyword, value := range s {
		if !isObviousKeyword(keyword, value) {
			return false
		}
	}
	return true
}

func isObviousKeyword(keyword string, value any) bool {
	switch keyword {
	case "type":
		return isObviousType(value)
	case "properties":
		named, ok := value.(object)
		for name := range named {
			ok = ok && isObvious(named[name])
		}
		return ok
	case "items", "additionalProperties", "not":
		return isObvious(value)
	case "anyOf", "oneOf", "allOf":
		list, ok := value.([]any)
		return ok && len(list) > 0 && !slices.ContainsFunc(list, func(one any) bool { return !isObvious(one) })
	case "required":
		return areNames(value)
	case "description", "title", "format", "$comment":
		_, ok := value.(string)
		return ok
	case "pattern":
		text, ok := value.(string)
		if !ok {
			return false
		}
		_, err := regexp.Compile(text)
		return err == nil
	case "enum", "examples":
		_, ok := value.([]any)
		return ok && isEveryday(value)
	case "default", "const":
		return isEveryday(value)
	case "deprecated", "readOnly", "uniqueItems", "writeOnly":
		_, ok := value.(bool)
		return ok
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		_, ok := value.(json.Number)
		return ok && isEveryday(value)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		number, ok := value.(json.Number)
		return ok && !strings.ContainsAny(string(number), "-.eE") && len(number) <= 9
	}
	return strings.HasPrefix(keyword, "x-") && isEveryday(value)
}

// isEveryday reports whether all numbers in a value are of a length that every
// program reads.
func isEveryday(value any) bool {
	const longest = 40
	switch v := value.(type) {
	case json.Number:
		return len(v) <= longest && !strings.ContainsAny(string(v), "eE")
	case []any:
		return !slices.ContainsFunc(v, func(one any) bool { return !isEveryday(one) })
	case object:
		for _, one := range v {
			if !isEveryday(one) {
				return false
			}
		}
	}
	return true
}

func isObviousType(value any) bool {
	names, ok := value.([]any)
	if !ok {
		names = []any{value}
	}
	for i, name := range names {
		if typesNamed(name) == 0 || slices.Contains(names[:i], name) {
			return false
		}
	}
	return len(names) > 0
}

func areNames(value any) bool {
	names, ok := value.([]any)
	for i, name := range names {
		_, isText := name.(string)
		ok = ok && isText && !slices.Contains(names[:i], name)
	}
	return ok
}
