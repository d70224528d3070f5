package contract

import (
	"maps"
	"slices"
	"strings"
)

var argumentRules = []Rule{{
	ID: "string-max-length", Asixto: Should,
	Demand: Text{ES: "Todo texto tiene maxLength.", EN: "Every string has maxLength."},
	Fix:    Text{ES: "Agregue mcp.MaxLength a la propiedad.", EN: "Add mcp.MaxLength to the property."},
	Cure:   "mcp.MaxLength", Source: sourceAsixto,
}, {
	ID: "number-bounds", Asixto: Should,
	Demand: Text{ES: "Todo número tiene mínimo y máximo.", EN: "Every number has a minimum and a maximum."},
	Fix:    Text{ES: "Agregue mcp.Min y mcp.Max a la propiedad.", EN: "Add mcp.Min and mcp.Max to the property."},
	Cure:   "mcp.Max", Source: sourceAsixto,
}, {
	ID: "array-max-items", Asixto: Should,
	Demand: Text{ES: "Toda lista tiene maxItems.", EN: "Every array has maxItems."},
	Fix:    Text{ES: "Agregue mcp.MaxItems a la propiedad.", EN: "Add mcp.MaxItems to the property."},
	Cure:   "mcp.MaxItems", Source: sourceAsixto,
}, {
	ID: "input-metadata", Asixto: Must,
	Demand: Text{ES: "La clave de idempotencia y los demás metadatos llegan en _meta y no en arguments.", EN: "The idempotency key and the other metadata come in _meta and not in arguments."},
	Fix:    Text{ES: "Quite la propiedad y lea el dato con call.MetaFrom; de la clave se encarga middleware.Idempotency.", EN: "Take the property out and read the datum with call.MetaFrom; the key is for middleware.Idempotency."},
	Cure:   "call.MetaFrom", Source: sourceAsixto,
}, {
	ID: "input-context", Asixto: Should,
	Demand: Text{ES: "El canal, la moneda y la zona horaria llegan en _meta y no en arguments.", EN: "The channel, the currency and the time zone come in _meta and not in arguments."},
	Fix:    Text{ES: "Quite la propiedad y lea el dato con call.MetaFrom, salvo que la persona lo elija.", EN: "Take the property out and read the datum with call.MetaFrom, unless the person chooses it."},
	Cure:   "call.MetaFrom", Source: sourceAsixto,
}}

// metadataNames are the metadata of a call under the names that servers give
// them, squeezed.
const (
	metadataNames = " idempotencykey claveidempotencia clavedeidempotencia idempotencytoken clientrequestid " +
		"conversationid conversacionid idconversacion iddeconversacion requestid idsolicitud " +
		"companyid idempresa empresaid tenantid pricelistid idlistaprecios listapreciosid "
	contextNames = " channel canal currency moneda divisa timezone zonahoraria tz "
)

func (l *linter) arguments(d *definition) {
	root := d.schema("inputSchema")
	properties, _ := root["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		pointer := join("/inputSchema", "properties", name)
		key := strings.TrimPrefix(squeeze(name), "comasixto")
		switch {
		case among(metadataNames, key), strings.HasPrefix(name, "com.asixto/"):
			l.find(d, "input-metadata", pointer, Text{
				ES: "«" + clip(name) + "» es un metadato de la llamada.", EN: `"` + clip(name) + `" is metadata of the call.`,
			})
		case among(contextNames, key):
			l.find(d, "input-context", pointer, Text{
				ES: "«" + clip(name) + "» ya llega en _meta.", EN: `"` + clip(name) + `" comes in _meta already.`,
			})
		}
	}
	follow := newFollower(root)
	walk(root, "/inputSchema", func(n node) {
		if n.schema != nil && n.place != atPartial && n.place != atRoot {
			l.bounds(d, follow, n)
		}
	})
}

// lengthFormats are formats whose texts have a natural length.
var lengthFormats = [...]string{"date", "date-time", "time", "duration", "uuid", "ipv4", "ipv6"}

// bounds looks for the limits of a value, wherever they are said.
func (l *linter) bounds(d *definition, follow *follower, n node) {
	if follow.limits(n, fixed) {
		return
	}
	lacks := func(keywords ...string) bool {
		return !follow.limits(n, func(s map[string]any) bool { return has(s, keywords...) })
	}
	short := func(s map[string]any) bool {
		format, _ := s["format"].(string)
		return slices.Contains(lengthFormats[:], format)
	}
	if isKind(n.schema, "string") && lacks("maxLength") && !follow.limits(n, short) {
		l.find(d, "string-max-length", n.pointer, sentence(n, "es un texto sin maxLength", "is a string without maxLength"))
	}
	if isKind(n.schema, "number") || isKind(n.schema, "integer") {
		if lacks("minimum", "exclusiveMinimum") || lacks("maximum", "exclusiveMaximum") {
			l.find(d, "number-bounds", n.pointer, sentence(n, "es un número sin límites", "is a number without bounds"))
		}
	}
	if isKind(n.schema, "array") && lacks("maxItems") {
		l.find(d, "array-max-items", n.pointer, sentence(n, "es una lista sin maxItems", "is an array without maxItems"))
	}
}
