package expose

// The keywords of JSON Schema whose value holds schemas, in the drafts from 4 to
// 2020-12. Everything else is data: a "$ref" in a default or in an enum is no
// reference.
var (
	schemaKeywords = map[string]bool{
		"additionalItems": true, "additionalProperties": true, "contains": true, "contentSchema": true,
		"else": true, "if": true, "items": true, "not": true, "propertyNames": true, "then": true,
		"unevaluatedItems": true, "unevaluatedProperties": true,
		"allOf": true, "anyOf": true, "oneOf": true, "prefixItems": true, // lists of schemas
	}
	namedSchemaKeywords = map[string]bool{
		"$defs": true, "definitions": true, "dependencies": true, "dependentSchemas": true,
		"patternProperties": true, "properties": true,
	}
)

// rewrite returns a copy of a schema in which change was applied to each schema
// object, inner ones first. Change may keep what it is given and return it.
func rewrite(schema any, change func(object) object) any {
	switch s := schema.(type) {
	case []any:
		list := make([]any, len(s))
		for i := range s {
			list[i] = rewrite(s[i], change)
		}
		return list
	case object:
		own := make(object, len(s))
		for keyword, value := range s {
			switch named, ok := value.(object); {
			case schemaKeywords[keyword]:
				value = rewrite(value, change)
			case ok && namedSchemaKeywords[keyword]:
				inner := make(object, len(named))
				for name := range named {
					inner[name] = rewrite(named[name], change)
				}
				value = inner
			}
			own[keyword] = value
		}
		return change(own)
	}
	return schema
}

// visit calls see for each schema object in a schema.
func visit(schema any, see func(object)) {
	switch s := schema.(type) {
	case []any:
		for _, one := range s {
			visit(one, see)
		}
	case object:
		see(s)
		for keyword, value := range s {
			switch named, ok := value.(object); {
			case schemaKeywords[keyword]:
				visit(value, see)
			case ok && namedSchemaKeywords[keyword]:
				for _, one := range named {
					visit(one, see)
				}
			}
		}
	}
}
