package expose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/expose"
)

// rounds is how many random sets a property is held against.
func rounds() uint64 {
	if os.Getenv("PORTAVOZ_LONG") == "1" {
		return 200
	}
	return 8
}

// maker makes random actions. Everything that it makes is right.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 9))} }

func pick[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

func (m maker) chance(percent int) bool { return m.IntN(100) < percent }

// The fields that actions have: one name is of one type, so that they fit together.
var fieldTypes = map[string]string{"documento": "string", "numero": "string", "valor": "integer", "activo": "boolean", "lista": "array", "datos": "object", "ref": "ref"}

var scopeNames = []string{"leer", "pagar", "admin"}

// field is a random schema of a field, and a value that it admits.
func (m maker) field(name string) (schema, value string) {
	switch fieldTypes[name] {
	case "string":
		switch m.IntN(4) {
		case 0:
			return `{"type":"string","enum":["a","b"],"description":"Uno de dos."}`, pick(m, `"a"`, `"b"`)
		case 1:
			return `{"type":["string","null"],"maxLength":` + pick(m, "3", "5") + `}`, pick(m, `"abc"`, `null`)
		case 2:
			return `{"type":"string","minLength":` + pick(m, "1", "2") + `,"description":"Un texto"}`, pick(m, `"ab"`, `"ñandú \"}{,"`)
		default:
			return `{"type":"string","pattern":"` + pick(m, "^a", "a$") + `","default":"a"}`, `"a"`
		}
	case "integer":
		return pick(m, `{"type":"integer","minimum":1,"maximum":9}`, `{"type":"number","exclusiveMinimum":0}`, `{"type":"integer"}`, `{"enum":[3,4]}`), "3"
	case "boolean":
		return pick(m, `{"type":"boolean"}`, `{"const":true}`), "true"
	case "array":
		return `{"type":"array","items":{"type":"` + pick(m, "string", "string", "integer") + `"},"maxItems":` + pick(m, "3", "9") + `}`, "[]"
	case "object":
		return pick(m, `{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`), pick(m, `{}`, `{"a":"\u0061"}`)
	default:
		return `{"$ref":"#/$defs/Ref"}`, `{"x":{}}`
	}
}

// randomAction is a declaration, whether it is one of a query, and arguments that it
// takes.
type randomAction struct {
	expose.Declaration
	reads     bool
	arguments string
}

func (m maker) action(name string) randomAction {
	var properties, required, arguments []string
	defs := ""
	for _, field := range slices.Sorted(func(yield func(string) bool) {
		for name := range fieldTypes {
			if !yield(name) {
				return
			}
		}
	}) {
		if m.chance(50) {
			continue
		}
		schema, value := m.field(field)
		properties = append(properties, fmt.Sprintf("%q:%s", field, schema))
		needed := m.chance(50)
		if needed {
			required = append(required, fmt.Sprintf("%q", field))
		}
		if needed || m.chance(70) {
			arguments = append(arguments, fmt.Sprintf("%q:%s", field, value))
		}
		if field == "ref" {
			defs = `,"$defs":{"Ref":{"type":"object","properties":{"x":{"$ref":"#/$defs/Ref"},"` + pick(m, "y", "z") + `":{}}}}`
		}
	}
	m.Shuffle(len(properties), func(i, j int) { properties[i], properties[j] = properties[j], properties[i] })
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]` + defs +
		pick(m, "", `,"additionalProperties":false`) + `}`
	options := []mcp.ToolOption{mcp.WithRawInputSchema(json.RawMessage(schema)), text(pick(m, "", "Hace algo. Y algo más.", "Hace algo con "+name+"."))}
	if m.chance(30) {
		options = append(options, meta(pick(m, "ver", "pagar"), pick(m, "general", "soporte")))
	}
	verb := m.IntN(3)
	d := [...]func(string, server.ToolHandlerFunc, ...mcp.ToolOption) expose.Declaration{expose.Query, expose.Mutation, expose.Action}[verb](name, echo, options...)
	for _, scope := range scopeNames {
		if m.chance(25) {
			d.Scopes = append(d.Scopes, scope)
		}
	}
	if m.chance(20) {
		d.Tenants = []string{pick(m, "uno", "dos")}
	}
	if m.chance(20) {
		d.Tags = []string{pick(m, "interno", "beta")}
	}
	return randomAction{d, verb == 0, "{" + strings.Join(arguments, ",") + "}"}
}

// actions are a few namespaces with actions that suggest one another.
func (m maker) actions() []randomAction {
	var all []randomAction
	for _, namespace := range []string{"", "facturas.", "soporte.casos.", "soporte-b."} {
		for _, key := range []string{"ver", "listar", "pagar", "pagar_ya", "borrar"} {
			if m.chance(60) {
				all = append(all, m.action(namespace+key))
			}
		}
	}
	for i := range all {
		for range m.IntN(3) {
			all[i].Next = append(all[i].Next, expose.Suggestion{Action: pick(m, all...).Name, Reason: "Conviene."})
		}
	}
	return all
}

func declarationsOf(actions []randomAction) []expose.Declaration {
	declarations := make([]expose.Declaration, len(actions))
	for i, a := range actions {
		declarations[i] = a.Declaration
	}
	return declarations
}

func (m maker) config() expose.Config {
	return expose.Config{
		Strategy: pick(m, expose.Flat, expose.Grouped, expose.Split), Compact: m.chance(30), NullIsAbsent: m.chance(30),
		Separator: pick(m, "_", "-", "__"), Discriminator: pick(m, "action", "operacion"), ReadSuffix: "read", WriteSuffix: pick(m, "write", "cambio"),
		Words: pick(m, expose.English(), expose.Spanish()), GroupOutputs: m.chance(50), SuggestInText: m.chance(50),
	}
}

// caller is somebody, or nobody.
func (m maker) caller(ctx context.Context) context.Context {
	if m.chance(20) {
		return ctx
	}
	caller := call.Caller{Name: "asixto", Tenant: pick(m, "", "uno", "dos")}
	for _, scope := range scopeNames {
		if m.chance(50) {
			caller.Scopes = append(caller.Scopes, scope)
		}
	}
	return call.WithCaller(ctx, caller)
}

// guests see nothing that is for the inside.
func guests() []expose.Rule {
	isGuest := func(_ context.Context, caller call.Caller) bool { return !caller.Has("admin") }
	return []expose.Rule{expose.When(isGuest, expose.RuleFunc(func(_ context.Context, _ call.Caller, d *expose.Declaration) bool {
		return !slices.Contains(d.Tags, "interno")
	}))}
}

// wire is the tool and the arguments by which an action is called.
func wire(cfg expose.Config, a randomAction) (tool, arguments string) {
	i := strings.LastIndexByte(a.Name, '.')
	if i < 0 || cfg.Strategy == expose.Flat {
		return strings.ReplaceAll(a.Name, ".", cfg.Separator), a.arguments
	}
	tool = strings.ReplaceAll(a.Name[:i], ".", cfg.Separator)
	if cfg.Strategy == expose.Split {
		tool += cfg.Separator
		if a.reads {
			tool += cfg.ReadSuffix
		} else {
			tool += cfg.WriteSuffix
		}
	}
	return tool, withMember(a.arguments, cfg.Discriminator, fmt.Sprintf("%q", a.Name[i+1:]))
}

func withMember(object, name, value string) string {
	member := fmt.Sprintf("%q:%s", name, value)
	if object == "{}" {
		return "{" + member + "}"
	}
	return object[:len(object)-1] + "," + member + "}"
}
