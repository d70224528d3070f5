package contract

import (
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

var schemaRules = []Rule{{
	ID: "schema-invalid", Core: Must,
	Demand: Text{ES: "Los esquemas son JSON Schema 2020-12 válidos.", EN: "The schemas are valid JSON Schema 2020-12."},
	Fix:    Text{ES: "Corrija el esquema; con mcp.WithString y las demás opciones no se puede escribir mal.", EN: "Correct the schema; with mcp.WithString and the other options it cannot be misspelt."},
	Cure:   "mcp.WithString", Source: sourceSchema,
}, {
	ID: "schema-ref", Core: Must,
	Demand: Text{ES: "Toda referencia $ref lleva a un lugar del mismo esquema.", EN: "Every $ref leads to a place in the same schema."},
	Fix:    Text{ES: "Escriba el esquema en su lugar, o declárelo en $defs.", EN: "Write the schema out in its place, or declare it in $defs."},
	Cure:   "contract.Output", Source: sourceSchema,
}, {
	ID: "schema-root-union", Core: Must,
	Demand: Text{ES: "La raíz de inputSchema no tiene anyOf, oneOf, allOf, not ni enum.", EN: "The root of inputSchema has no anyOf, oneOf, allOf, not or enum."},
	Fix:    Text{ES: "Haga una herramienta por alternativa, o lleve la alternativa a una propiedad.", EN: "Make one tool per alternative, or move the alternative into a property."},
	Cure:   "expose.Flat", Source: sourceProvider,
}, {
	ID: "property-name", Core: Must,
	Demand: Text{ES: "Los nombres de los argumentos tienen de 1 a 64 letras, dígitos, puntos, guiones o guiones bajos.", EN: "Names of arguments have 1 to 64 letters, digits, stops, hyphens or underscores."},
	Fix:    Text{ES: "Cambie el nombre de la propiedad: un proveedor rechaza la petición entera por uno así.", EN: "Rename the property: for one like this a provider refuses the whole request."},
	Cure:   "mcp.WithString", Source: sourceProvider,
}, {
	ID: "schema-keyword", Core: Should,
	Demand: Text{ES: "La entrada no usa palabras clave que los proveedores rechazan o ignoran.", EN: "The input uses no keywords that providers reject or ignore."},
	Fix:    Text{ES: "Diga lo mismo con tipos, enum, límites y additionalProperties, y compruebe el resto con middleware.Guard.", EN: "Say the same with types, enum, bounds and additionalProperties, and check the rest with middleware.Guard."},
	Cure:   "middleware.Guard", Source: sourceProvider,
}, {
	ID: "schema-recursive", Core: Should,
	Demand: Text{ES: "La entrada no se contiene a sí misma.", EN: "The input does not contain itself."},
	Fix:    Text{ES: "Escriba los niveles que se usan, o reciba una lista plana con el id del padre.", EN: "Write out the levels that are used, or take a flat list with the id of the parent."},
	Cure:   "mcp.Items", Source: sourceProvider,
}, {
	ID: "schema-depth", Core: Should,
	Demand: Text{ES: "La entrada tiene cinco niveles de objetos y listas como máximo.", EN: "The input has five levels of objects and arrays at most."},
	Fix:    Text{ES: "Aplane la entrada, o reparta el trabajo entre dos herramientas.", EN: "Flatten the input, or share the work between two tools."},
	Cure:   "mcp.NewTool", Source: sourceProvider,
}, {
	ID: "schema-size", Core: Should,
	Demand: Text{ES: "La entrada tiene 100 propiedades y 500 valores enumerados como máximo.", EN: "The input has 100 properties and 500 listed values at most."},
	Fix:    Text{ES: "Deje los datos que la acción necesita; busque los demás con otra herramienta.", EN: "Keep what the action needs; look the rest up with another tool."},
	Cure:   "mcp.NewTool", Source: sourceProvider,
}}

// validity holds both schemas against their own rules.
func (l *linter) validity(d *definition) {
	for _, key := range [...]string{"inputSchema", "outputSchema"} {
		root := d.schema(key)
		if root == nil || l.references(d, root, "/"+key) {
			continue // another rule, or it cannot be compiled
		}
		if err := schema.Verify(compact(root)); err != nil {
			pointer, why := whereInvalid(err)
			l.find(d, "schema-invalid", "/"+key+pointer, Text{
				ES: key + " no es un esquema válido" + why + ".", EN: key + " is no valid schema" + why + ".",
			})
		}
	}
}

// references looks for those that lead nowhere, and reports whether it found one.
func (l *linter) references(d *definition, root map[string]any, pointer string) bool {
	broken := false
	doc := &document{root: root}
	walk(root, pointer, func(n node) {
		ref, ok := n.schema["$ref"].(string)
		if !ok || has(root, "$id") || doc.lookup(ref) != nil && !doc.circles(n.schema) {
			return
		}
		broken = true
		l.find(d, "schema-ref", join(n.pointer, "$ref"), Text{
			ES: "La referencia «" + clip(ref) + "» no lleva a ninguna parte del esquema.",
			EN: `The reference "` + clip(ref) + `" leads nowhere in the schema.`,
		})
	})
	return broken
}

// whereInvalid finds the deepest place that the compiler complains about.
func whereInvalid(err error) (pointer, why string) {
	var invalid *jsonschema.SchemaValidationError
	if !errors.As(err, &invalid) {
		return "", ""
	}
	var failed *jsonschema.ValidationError
	if !errors.As(invalid.Err, &failed) {
		return "", ""
	}
	for len(failed.Causes) > 0 {
		failed = failed.Causes[0]
	}
	if path := failed.ErrorKind.KeywordPath(); len(path) > 0 {
		why = " (" + clip(path[len(path)-1]) + ")"
	}
	return join("", failed.InstanceLocation...), why
}

// Keywords that a provider refuses, or drops so that the model never sees the
// constraint.
var unsupported = [...]string{
	"patternProperties", "propertyNames", "dependentSchemas", "dependentRequired", "if", "not", "contains",
	"unevaluatedProperties", "unevaluatedItems", "prefixItems", "$dynamicRef",
}

// The limits with which strict schemas began at OpenAI; later models take more.
const (
	maxLevels     = 5
	maxProperties = 100
	maxValues     = 500
)

// provider looks at what the interfaces of large models do not take.
func (l *linter) provider(d *definition) {
	root := d.schema("inputSchema")
	for _, keyword := range [...]string{"anyOf", "oneOf", "allOf", "not", "enum"} {
		if has(root, keyword) {
			l.find(d, "schema-root-union", join("/inputSchema", keyword), Text{
				ES: "inputSchema tiene " + keyword + " en la raíz: los proveedores rechazan la petición entera.",
				EN: "inputSchema has " + keyword + " at its root: providers refuse the whole request.",
			})
		}
	}
	size := inputSize{}
	walk(root, "/inputSchema", func(n node) {
		size.count(n)
		if n.place == atProperty && n.up.place == atRoot && !propertyName.MatchString(n.name) {
			l.find(d, "property-name", n.pointer, Text{
				ES: "Los proveedores rechazan el nombre de propiedad «" + clip(n.name) + "».",
				EN: `Providers reject the property name "` + clip(n.name) + `".`,
			})
		}
		for _, keyword := range unsupported {
			if has(n.schema, keyword) && !(keyword == "not" && n.place == atRoot) {
				l.find(d, "schema-keyword", join(n.pointer, keyword), Text{
					ES: "No todos los proveedores entienden " + keyword + ".", EN: "Not every provider understands " + keyword + ".",
				})
			}
		}
		if ref, ok := n.schema["$ref"].(string); ok && encloses(ref, n.pointer) {
			l.find(d, "schema-recursive", join(n.pointer, "$ref"), Text{
				ES: "La referencia «" + clip(ref) + "» vuelve a lo que la contiene.",
				EN: `The reference "` + clip(ref) + `" leads back to what contains it.`,
			})
		}
	})
	size.report(l, d)
}

// encloses reports whether a local reference points at a schema around the place
// where it stands.
func encloses(ref, pointer string) bool {
	target, ok := strings.CutPrefix(ref, "#")
	return ok && (target == "" || target[0] == '/') && strings.HasPrefix(pointer+"/", "/inputSchema"+target+"/")
}
