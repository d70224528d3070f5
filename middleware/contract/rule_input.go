package contract

import (
	"slices"
	"strings"
)

var inputRules = []Rule{{
	ID: "input-object", Core: Must,
	Demand: Text{ES: "inputSchema es un esquema con type: object.", EN: "inputSchema is a schema with type: object."},
	Fix:    Text{ES: "Declare la entrada con mcp.NewTool y propiedades, o ponga \"type\": \"object\" en la raíz.", EN: `Declare the input with mcp.NewTool and properties, or put "type": "object" at the root.`},
	Cure:   "mcp.NewTool", Source: sourceMCP,
}, {
	ID: "input-open", Core: Hint, Asixto: Must, Whaapy: Should,
	Demand: Text{ES: "inputSchema tiene additionalProperties: false.", EN: "inputSchema has additionalProperties: false."},
	Fix:    Text{ES: "Declare la herramienta con contract.Tool, que cierra el esquema.", EN: "Declare the tool with contract.Tool, which closes the schema."},
	Cure:   "contract.Tool", Source: sourceAsixto,
}, {
	ID: "object-open", Core: Hint,
	Demand: Text{ES: "Los objetos dentro de la entrada también son cerrados.", EN: "Objects within the input are closed, too."},
	Fix:    Text{ES: "Agregue mcp.AdditionalProperties(false) al objeto.", EN: "Add mcp.AdditionalProperties(false) to the object."},
	Cure:   "mcp.AdditionalProperties", Source: sourceProvider,
}, {
	ID: "optional-null", Core: Hint, Asixto: Must,
	Demand: Text{ES: "Toda propiedad opcional admite null.", EN: "Every optional property admits null."},
	Fix:    Text{ES: "Agregue contract.Nullable() a la propiedad, o hágala obligatoria.", EN: "Add contract.Nullable() to the property, or make it required."},
	Cure:   "contract.Nullable", Source: sourceAsixto,
}, {
	ID: "optional-enum-null", Core: Hint, Asixto: Must,
	Demand: Text{ES: "La lista de valores de una propiedad opcional incluye null.", EN: "The values of an optional property include null."},
	Fix:    Text{ES: "Agregue contract.Nullable() después de mcp.Enum.", EN: "Add contract.Nullable() after mcp.Enum."},
	Cure:   "contract.Nullable", Source: sourceAsixto,
}, {
	ID: "property-untyped", Core: Should, Whaapy: Must,
	Demand: Text{ES: "Toda propiedad tiene tipo.", EN: "Every property has a type."},
	Fix:    Text{ES: "Declare el tipo: mcp.WithString, mcp.WithInteger, mcp.WithObject...", EN: "Declare the type: mcp.WithString, mcp.WithInteger, mcp.WithObject..."},
	Cure:   "mcp.WithString", Source: sourceWhaapy,
}, {
	ID: "object-free", Core: Should, Whaapy: Must,
	Demand: Text{ES: "Todo objeto declara sus propiedades.", EN: "Every object declares its properties."},
	Fix:    Text{ES: "Declare las propiedades con mcp.Properties.", EN: "Declare the properties with mcp.Properties."},
	Cure:   "mcp.Properties", Source: sourceWhaapy,
}, {
	ID: "array-free", Core: Must,
	Demand: Text{ES: "Toda lista declara items.", EN: "Every array declares items."},
	Fix:    Text{ES: "Declare los elementos con mcp.WithStringItems o mcp.Items: un proveedor rechaza la petición entera por una lista sin ellos.", EN: "Declare the elements with mcp.WithStringItems or mcp.Items: for an array without them a provider refuses the whole request."},
	Cure:   "mcp.Items", Source: sourceProvider,
}, {
	ID: "json-in-string", Core: Should, Whaapy: Must,
	Demand: Text{ES: "Los objetos y las listas son reales, no JSON dentro de un texto.", EN: "Objects and arrays are real, not JSON within a string."},
	Fix:    Text{ES: "Declare la propiedad como objeto o lista con mcp.WithObject o mcp.WithArray.", EN: "Declare the property as an object or array with mcp.WithObject or mcp.WithArray."},
	Cure:   "mcp.WithObject", Source: sourceWhaapy,
}, {
	ID: "property-description", Core: Hint,
	Demand: Text{ES: "Toda propiedad de la entrada tiene descripción.", EN: "Every property of the input has a description."},
	Fix:    Text{ES: "Agregue mcp.Description a la propiedad.", EN: "Add mcp.Description to the property."},
	Cure:   "mcp.Description", Source: sourcePractice,
}}

func (l *linter) input(d *definition) {
	root := d.schema("inputSchema")
	if t := types(root); len(t) != 1 || t[0] != "object" {
		l.find(d, "input-object", "/inputSchema", Text{
			ES: "inputSchema no tiene type: object en la raíz.", EN: "inputSchema has no type: object at its root.",
		})
		return
	}
	if root["additionalProperties"] != false {
		l.find(d, "input-open", "/inputSchema", Text{
			ES: "inputSchema admite propiedades que no declara.", EN: "inputSchema admits properties that it does not declare.",
		})
	}
	doc := &document{root: root}
	walk(root, "/inputSchema", func(n node) {
		if n.place == atProperty {
			l.optional(d, doc, n)
			l.described(d, n)
		}
		if n.place == atProperty || n.place == atItem {
			l.typed(d, n)
		}
		if n.place != atPartial && n.place != atRoot {
			l.shape(d, n)
		}
		if text, ok := n.schema["description"].(string); ok && n.place != atRoot {
			l.injection(d, join(n.pointer, "description"), text)
		}
	})
}

// optional looks at a property that need not be there: models send null for it.
func (l *linter) optional(d *definition, doc *document, n node) {
	if n.required || n.schema == nil || doc.admitsNull(n.schema) {
		return
	}
	if !valuesAdmitNull(n.schema) && (n.schema["type"] == nil || isType(n.schema, "null")) {
		l.find(d, "optional-enum-null", n.pointer, Text{
			ES: "«" + clip(n.name) + "» es opcional y null no está entre sus valores.",
			EN: `"` + clip(n.name) + `" is optional, and null is not among its values.`,
		})
		return
	}
	note := Text{}
	if n.schema["nullable"] == true {
		note = Text{ES: " «nullable» es de OpenAPI, no de JSON Schema.", EN: ` "nullable" is OpenAPI, not JSON Schema.`}
	}
	l.find(d, "optional-null", n.pointer, Text{
		ES: "«" + clip(n.name) + "» es opcional y no admite null." + note.ES,
		EN: `"` + clip(n.name) + `" is optional and does not admit null.` + note.EN,
	})
}

func (l *linter) described(d *definition, n node) {
	if n.depth > 1 { // within an object, whose own description may say it
		return
	}
	if text, _ := n.schema["description"].(string); strings.TrimSpace(text) == "" {
		l.find(d, "property-description", n.pointer, Text{
			ES: "«" + clip(n.name) + "» no tiene descripción.", EN: `"` + clip(n.name) + `" has no description.`,
		})
	}
}

// typed looks at what stands for a whole value and says nothing about it.
func (l *linter) typed(d *definition, n node) {
	if n.boolean || n.schema != nil && types(n.schema) == nil && !fixed(n.schema) &&
		!has(n.schema, "$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if") {
		l.find(d, "property-untyped", n.pointer, sentence(n, "no tiene tipo", "has no type"))
	}
}

// sentence begins with the property, or with what else the schema stands for.
func sentence(n node, es, en string) Text {
	if n.name == "" {
		return Text{ES: "El elemento " + es + ".", EN: "The element " + en + "."}
	}
	return Text{ES: "«" + clip(n.name) + "» " + es + ".", EN: `"` + clip(n.name) + `" ` + en + "."}
}

// shape looks at objects, arrays and texts that hold more than they say.
func (l *linter) shape(d *definition, n node) {
	if isType(n.schema, "object") && !fixed(n.schema) {
		properties, _ := n.schema["properties"].(map[string]any)
		values, isSchema := n.schema["additionalProperties"].(map[string]any)
		switch {
		case len(properties) == 0 && !(isSchema && len(values) > 0) &&
			!has(n.schema, "patternProperties", "$ref", "anyOf", "oneOf", "allOf"):
			l.find(d, "object-free", n.pointer, sentence(n, "es un objeto sin propiedades", "is an object without properties"))
		case len(properties) > 0 && n.schema["additionalProperties"] != false && !has(n.schema, "unevaluatedProperties"):
			l.find(d, "object-open", n.pointer, sentence(n, "es un objeto abierto", "is an open object"))
		}
	}
	if isType(n.schema, "array") && !fixed(n.schema) && !has(n.schema, "items", "prefixItems", "$ref", "anyOf", "oneOf", "allOf") {
		l.find(d, "array-free", n.pointer, sentence(n, "es una lista sin items", "is an array without items"))
	}
	if isType(n.schema, "string") && !isType(n.schema, "object") && !isType(n.schema, "array") && holdsJSON(n) {
		l.find(d, "json-in-string", n.pointer, sentence(n, "es un texto con JSON adentro", "is a string that holds JSON"))
	}
}

// holdsJSON reports whether a text is declared to be JSON.
func holdsJSON(n node) bool {
	if media, _ := n.schema["contentMediaType"].(string); strings.HasSuffix(media, "json") {
		return true
	}
	words := nameWords(n.name)
	if len(words) > 1 && words[len(words)-1] == "json" {
		return true
	}
	text, _ := n.schema["description"].(string)
	folded := fold(text)
	return slices.ContainsFunc([]string{
		"json string", "json-encoded", "json encoded", "stringified", "serialized json", "json object", "json array",
		"json serializado", "texto json", "cadena json", "objeto json", "arreglo json", "lista json", "en formato json",
	}, func(phrase string) bool { return strings.Contains(folded, phrase) })
}
