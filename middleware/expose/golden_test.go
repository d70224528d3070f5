package expose_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/middleware/expose"
)

// facturas are actions of one namespace with shared and with their own fields.
func facturas() []expose.Declaration {
	return []expose.Declaration{
		expose.Query("facturas.consultar", ok, text("Consulta una factura por su número. No sirve para buscar por fecha."),
			raw(`{"documento":{"type":"string","maxLength":30,"description":"Documento del titular"},"numero":{"type":"string","maxLength":20}}`, "documento", "numero"),
			meta("consultar una factura", "facturacion")),
		expose.Query("facturas.listar", ok, text("Lista las facturas de un cliente."),
			raw(`{"documento":{"type":"string","maxLength":30,"description":"Documento del titular"},"estado":{"type":["string","null"],"enum":["pendiente","pagada",null]},"limit":{"type":["integer","null"],"minimum":1,"maximum":25}}`, "documento"),
			mcp.WithIdempotentHintAnnotation(true), meta("listar facturas", "facturacion", "general")),
		expose.Mutation("facturas.pagar", ok, text("Paga una factura con el medio registrado."),
			raw(`{"documento":{"type":"string","maxLength":30,"description":"Documento del titular"},"numero":{"type":"string","maxLength":20},"valor":{"type":"integer","minimum":1,"maximum":10000000}}`, "documento", "numero", "valor"),
			mcp.WithIdempotentHintAnnotation(true), mcp.WithOpenWorldHintAnnotation(true), meta("pagar una factura", "facturacion")),
		expose.Mutation("facturas.reclamar", ok, text("Registra un reclamo."), mcp.WithDestructiveHintAnnotation(false),
			raw(`{"documento":{"type":"string","maxLength":30,"description":"Documento del titular"},"numero":{"type":["string","null"],"maxLength":20},"texto":{"type":"string","maxLength":400,"description":"El reclamo, en palabras de la persona."}}`, "documento", "texto")),
	}
}

func meta(verb string, capabilities ...string) mcp.ToolOption {
	return func(t *mcp.Tool) {
		t.Meta = mcp.NewMetaFromMap(map[string]any{"com.asixto/verb": verb, "com.asixto/capabilities": capabilities, "equipo": "cobros"})
	}
}

func described(strategy expose.Strategy) expose.Config {
	return expose.Config{Strategy: strategy, Words: expose.Spanish(), Namespaces: []expose.Namespace{{
		Name: "facturas", Title: "Facturas", Description: "Facturas de un cliente. Los valores son en pesos.",
	}}}
}

// TestSurfaces compares what a client is shown with what it was shown before.
func TestSurfaces(t *testing.T) {
	t.Parallel()
	compact := described(expose.Grouped)
	compact.Compact = true
	compactFlat := described(expose.Flat)
	compactFlat.Compact = true
	for name, tc := range map[string]struct {
		cfg          expose.Config
		declarations []expose.Declaration
	}{
		"flat":            {described(expose.Flat), facturas()},
		"grouped":         {described(expose.Grouped), facturas()},
		"split":           {described(expose.Split), facturas()},
		"compact_flat":    {compactFlat, facturas()},
		"compact_grouped": {compact, facturas()},
		"english":         {expose.Config{Strategy: expose.Grouped}, facturas()},
		"mixed": {expose.Config{Strategy: expose.Grouped, Separator: "-", Discriminator: "operacion", Namespaces: []expose.Namespace{
			{Name: "soporte.casos", Strategy: expose.Flat},
			{Name: "soporte.visitas", Strategy: expose.Split},
		}}, []expose.Declaration{
			expose.Query("estado", ok, text("Dice si hay fallas.")),
			expose.Query("soporte.casos.consultar", ok, raw(`{"radicado":{"type":"string"}}`, "radicado")),
			expose.Mutation("soporte.casos.abrir", ok, raw(`{"tipo":{"type":"string"}}`, "tipo")),
			expose.Query("soporte.visitas.consultar", ok, raw(`{"desde":{"type":"string"}}`)),
			expose.Action("soporte.visitas.mover", ok, raw(`{"a":{"type":"string"}}`, "a")),
			expose.Query("planes.buscar", ok, raw(`{"texto":{"type":"string"}}`)),
		}},
		"constraints":    {expose.Config{Strategy: expose.Grouped}, constraints()},
		"nulls":          {expose.Config{Strategy: expose.Grouped, NullIsAbsent: true}, constraints()},
		"except":         {expose.Config{Strategy: expose.Grouped}, except()},
		"except_spanish": {expose.Config{Strategy: expose.Grouped, Words: expose.Spanish()}, except()},
		"definitions":    {expose.Config{Strategy: expose.Grouped}, definitions()},
		"conflict":       {expose.Config{Strategy: expose.Grouped}, conflict()},
		"outputs_flat":   {expose.Config{GroupOutputs: true}, outputs(`false`)},
		"outputs_none":   {expose.Config{Strategy: expose.Grouped}, outputs(`false`)},
		"outputs_one_of": {expose.Config{Strategy: expose.Grouped, GroupOutputs: true}, outputs(`false`)},
		"outputs_any_of": {expose.Config{Strategy: expose.Grouped, GroupOutputs: true}, outputs(`true`)},
		"existing":       {expose.Config{}, existing()},
		"carried":        {expose.Config{}, adorned()},
		"adorned":        {expose.Config{Strategy: expose.Grouped}, adorned()},
		"guest":          {described(expose.Grouped), reserved()},
		"guest_split":    {described(expose.Split), reserved()},
		"asixto":         {expose.Asixto(expose.Grouped), clinic()},
		"undescribed": {expose.Config{Strategy: expose.Grouped}, []expose.Declaration{
			expose.Query("n.a", ok, mcp.WithRawInputSchema([]byte(`{"required":["x","y"],"properties":{"y":{"type":"string"},"z":false}}`))),
			expose.Query("n.b", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","required":["x"]}`))),
			expose.Query("plana", ok, mcp.WithRawInputSchema([]byte(`{"required":["x"]}`))),
		}},
		"losses": {expose.Config{Strategy: expose.Grouped, GroupOutputs: true}, []expose.Declaration{
			expose.Query("n.a", ok, meta("ver", "general")),
			expose.Query("n.b", ok, meta("ver", "general"), func(tool *mcp.Tool) { tool.Meta.AdditionalFields["equipo"] = "ventas" }),
		}},
		"texts": {expose.Config{Strategy: expose.Grouped}, []expose.Declaration{
			expose.Query("n.a", ok, raw(`{"mezcla":{"enum":["a",1,null,true,{"k":[1]}]},"patron":{"type":"string","pattern":"^<a&b>$"},"año \"/~":{"type":"string"},"si":true}`)),
			expose.Query("n.b", ok, raw(`{"mezcla":{"enum":[1.0,"a","1"]},"patron":{"type":"string","pattern":"^b"},"si":true}`)),
		}},
		"hints": {expose.Config{Strategy: expose.Grouped}, hints()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			surface := compile(t, tc.cfg, tc.declarations...)
			lines := []string{list(t.Context(), t, serve(t, surface))}
			for _, f := range surface.Findings() {
				lines = append(lines, f.String()+"\n")
			}
			golden(t, name+".golden", strings.Join(lines, ""))
		})
	}
}

// constraints are fields of one name of which actions demand different things.
func constraints() []expose.Declaration {
	return []expose.Declaration{
		expose.Query("n.a", ok, raw(`{"largo":{"type":"string","minLength":3,"maxLength":10},"numero":{"type":"integer","minimum":0},"lista":{"type":"string","enum":["x","y"]},`+
			`"lista_o_texto":{"type":"string","enum":["x"]},"objeto":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"describe":{"type":"string","description":"El id de la factura"},`+
			`"fijo":{"const":"a"},"patron":{"type":"string","pattern":"^a"},"limite":{"type":"number","exclusiveMinimum":0,"maximum":10},"libre":{"type":"string"},"fecha":{"type":"string","format":"date","default":"2026-01-01"}}`)),
		expose.Query("n.b", ok, raw(`{"largo":{"type":"string","maxLength":40},"numero":{"type":"number","minimum":-5.5,"maximum":9},"lista":{"type":["string","null"],"enum":["y","z",null]},`+
			`"lista_o_texto":{"type":"string","maxLength":9},"objeto":{"type":"object","properties":{"b":{"type":"string"}}},"describe":{"type":"string","description":"El id del cliente"},`+
			`"fijo":{"const":"b"},"patron":{"type":"string","pattern":"^b"},"limite":{"type":"number","minimum":2,"exclusiveMaximum":99},"libre":{},"fecha":{"type":"string","format":"date"}}`)),
		expose.Query("n.c", ok, raw(`{"largo":{"type":"string","maxLength":40}}`, "largo")),
	}
}

// except are many actions, of which few do not take a field.
func except() []expose.Declaration {
	var all []expose.Declaration
	for _, name := range []string{"alfa", "beta", "gama", "delta", "epsilon", "zeta"} {
		properties, required := `{"todas":{"type":"string"},"casi":{"type":"string"}}`, []string{"casi"}
		if name == "gama" {
			properties, required = `{"todas":{"type":"string"}}`, nil
		}
		if name == "beta" {
			required = nil
		}
		all = append(all, expose.Query("n."+name, ok, raw(properties, required...)))
	}
	return all
}

// definitions are schemas with references: to the same thing, to different things of
// one name, to themselves and to other places.
func definitions() []expose.Declaration {
	schema := func(properties, defs string) mcp.ToolOption {
		return mcp.WithRawInputSchema([]byte(`{"type":"object","properties":` + properties + `,"$defs":` + defs + `}`))
	}
	return []expose.Declaration{
		expose.Query("n.a", ok, schema(`{"igual":{"$ref":"#/$defs/Igual"},"otro":{"$ref":"#/$defs/Otro"},"de_a":{"$ref":"#/properties/valor"},"valor":{"type":"integer"}}`,
			`{"Igual":{"type":"object","properties":{"x":{"$ref":"#/$defs/Igual"}}},"Otro":{"type":"object","properties":{"a":{"type":"string"}}},"Nadie":{}}`)),
		expose.Query("n.b", ok, schema(`{"igual":{"$ref":"#/$defs/Igual"},"otro":{"$ref":"#/$defs/Otro"},"dato":{"type":"object","default":{"$ref":"#/$defs/Nada"}}}`,
			`{"Igual":{"type":"object","properties":{"x":{"$ref":"#/$defs/Igual"}}},"Otro":{"type":"object","properties":{"b":{"type":"string"}}}}`)),
		expose.Query("n.c", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","properties":{"todo":{"type":"object","properties":{"de_nuevo":{"$ref":"#"}}}},"additionalProperties":{"not":{}}}`))),
		expose.Query("n.d", ok, schema(`{"rama":{"$ref":"#/properties/%C3%A1rea~1/anyOf/1"},"área/":{"anyOf":[{"type":"null"},{"type":"string"}]},`+
			`"lista":{"anyOf":[{"$ref":"#/$defs/Otro"},{"$ref":"#/$defs/a.Otro"}]}}`, `{"Otro":{"type":"integer"},"a.Otro":{"type":"boolean"}}`)),
	}
}

// conflict are namespaces whose actions do not fit into one tool.
func conflict() []expose.Declaration {
	task := mcp.WithTaskSupport(mcp.TaskSupportRequired)
	return []expose.Declaration{
		expose.Query("tipos.a", ok, raw(`{"id":{"type":"string"}}`)),
		expose.Query("tipos.b", ok, raw(`{"id":{"type":["integer","null"]}}`)),
		expose.Query("tipos.c", ok, raw(`{"id":{"allOf":[{"type":["boolean","null"]},{"title":"Id"}]}}`)),
		expose.Query("iguales.a", ok, mcp.WithRawInputSchema([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`))),
		expose.Query("iguales.b", ok, mcp.WithRawInputSchema([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"type":"string"}}}`))),
		expose.Query("abierta.a", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","additionalProperties":{"type":"string"}}`))),
		expose.Query("abierta.b", ok),
		expose.Query("ramas.a", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","oneOf":[{"required":["x"]},{"required":["y"]}],"properties":{"x":{},"y":{}}}`))),
		expose.Query("patrones.a", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","patternProperties":{"^x":{"type":"string"}}}`))),
		expose.Query("tarea.a", ok, task),
		expose.Query("dialecto.a", ok, mcp.WithRawInputSchema([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`))),
		expose.Query("dialecto.b", ok),
		expose.Query("nombres.a", ok, mcp.WithRawInputSchema([]byte(`{"type":"object","properties":{"x":{"$anchor":"x"}}}`))),
		expose.Query("reglas.a", ok, mcp.WithTaskSupport(mcp.TaskSupportOptional),
			mcp.WithRawInputSchema([]byte(`{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"object","properties":{"z":{"type":"string","x-mcp-header":"Z"}}}},"dependentRequired":{"x":["y"]},"maxProperties":2}`))),
	}
}

// outputs are two actions with outputs that are closed, or not.
func outputs(open string) []expose.Declaration {
	output := func(properties, required string) mcp.ToolOption {
		return mcp.WithRawOutputSchema([]byte(`{"type":"object","properties":` + properties + `,"required":["` + required + `"],"additionalProperties":` + open +
			`,"$defs":{"T":{"type":"string"}}}`))
	}
	return []expose.Declaration{
		expose.Query("n.a", ok, output(`{"a":{"$ref":"#/$defs/T"}}`, "a")),
		expose.Query("n.b", ok, output(`{"b":{"type":"integer"}}`, "b")),
		expose.Query("n.c", ok, output(`{"b":{"type":"integer"}}`, "b")),
	}
}

// adorned are actions with what is for people: titles, icons, notes of their own.
func adorned() []expose.Declaration {
	return []expose.Declaration{
		expose.Query("n.a", ok, func(tool *mcp.Tool) {
			tool.Title, tool.Icons = "Ver", []mcp.Icon{{Src: "https://example.com/ver.png"}}
		}, mcp.WithOpenWorldHintAnnotation(false), meta("ver", "general")),
		expose.Mutation("n.b", ok, mcp.WithTitleAnnotation("Mover")),
	}
}

// reserved are the actions of facturas, of which nobody without scopes sees those that
// list and pay.
func reserved() []expose.Declaration {
	declarations := facturas()
	declarations[1].Scopes, declarations[2].Scopes = []string{"listar"}, []string{"pagar"}
	return declarations
}

// clinic are actions that a gateway takes, in namespaces of two levels.
func clinic() []expose.Declaration {
	output := mcp.WithRawOutputSchema([]byte(`{"type":"object","properties":{"cita":{"type":"string"}},"required":["cita"],"additionalProperties":false}`))
	paciente := `"paciente":{"type":"string","maxLength":30,"description":"Documento del paciente"}`
	return []expose.Declaration{
		expose.Query("agenda.citas.ver", ok, text("Consulta una cita."), output, raw(`{`+paciente+`,"cita":{"type":"string","maxLength":8}}`, "paciente", "cita")),
		expose.Mutation("agenda.citas.mover", ok, text("Cambia la fecha de una cita."), output,
			raw(`{`+paciente+`,"cita":{"type":"string","maxLength":8},"fecha":{"type":"string","format":"date"},"sede":{"type":["string","null"],"enum":["norte","sur",null]}}`, "paciente", "cita", "fecha")),
		expose.Mutation("agenda.citas.crear", ok, text("Separa una cita."), output, mcp.WithDestructiveHintAnnotation(false),
			raw(`{`+paciente+`,"fecha":{"type":"string","format":"date"},"sede":{"type":["string","null"],"enum":["norte","sur",null]}}`, "paciente", "fecha")),
		expose.Query("agenda.sedes.ver", ok, text("Lista las sedes.")),
	}
}

// existing are tools of mcp-go as they are.
func existing() []expose.Declaration {
	tools := []server.ServerTool{
		{Tool: mcp.NewTool("consultar_cliente", mcp.WithDescription("Consulta un cliente."), mcp.WithString("documento", mcp.Required()),
			mcp.WithReadOnlyHintAnnotation(true), mcp.WithDestructiveHintAnnotation(false), mcp.WithSchemaAdditionalProperties(false)), Handler: ok},
		{Tool: mcp.NewTool("estado", mcp.WithInputSchema[struct {
			Zona string `json:"zona" jsonschema_description:"La zona"`
		}]()), Handler: ok},
	}
	return expose.FromTools(tools, func(tool mcp.Tool) string {
		if strings.HasSuffix(tool.Name, "_cliente") {
			return "clientes"
		}
		return ""
	})
}

// hints are namespaces with every mixture of what actions declare.
func hints() []expose.Declaration {
	yes, no := true, false
	says := func(destructive, idempotent, openWorld *bool) mcp.ToolOption {
		return mcp.WithToolAnnotation(mcp.ToolAnnotation{DestructiveHint: destructive, IdempotentHint: idempotent, OpenWorldHint: openWorld})
	}
	return []expose.Declaration{
		expose.Query("leen.a", ok), expose.Query("leen.b", ok, says(nil, &yes, &no)),
		expose.Action("leida.a", ok, mcp.WithReadOnlyHintAnnotation(true)), expose.Action("leida.b", ok, mcp.WithReadOnlyHintAnnotation(true)),
		expose.Query("mixta.a", ok), expose.Mutation("mixta.b", ok, says(&no, &yes, &no)),
		expose.Query("peligrosa.a", ok), expose.Mutation("peligrosa.b", ok),
		expose.Action("callada.a", ok), expose.Action("callada.b", ok),
		expose.Query("dudosa.a", ok), expose.Action("dudosa.b", ok),
		expose.Mutation("repetible.a", ok, says(&no, &yes, &yes)), expose.Mutation("repetible.b", ok, says(&no, &yes, &no)),
	}
}

// Scenarios and verbs are united in whichever form a program or a JSON text has them.
func TestMetadataInEveryForm(t *testing.T) {
	t.Parallel()
	noted := func(key, text string) expose.Declaration {
		return expose.Query("n."+key, ok, func(tool *mcp.Tool) {
			var fields map[string]any
			if err := json.Unmarshal([]byte(text), &fields); err != nil {
				t.Error(err)
			}
			tool.Meta = mcp.NewMetaFromMap(fields)
		})
	}
	surface := compile(t, expose.Config{Strategy: expose.Grouped},
		noted("a", `{"com.asixto/capability":"soporte","com.asixto/verb":"ver","a":{"b":[1]},"c":1}`),
		noted("b", `{"com.asixto/capabilities":["lead","general",7],"com.asixto/verb":"ver","a":{"b":[1]},"c":2}`),
		noted("c", `{"com.asixto/capabilities":["general"],"com.asixto/verb":"mover","c":1}`),
		noted("d", `{"com.asixto/capabilities":3,"com.asixto/verb":null}`),
		expose.Query("n.e", ok, meta("pagar", "pqr")))
	got, err := json.Marshal(surface.Tools()[0].Tool.Meta.AdditionalFields)
	want := `{"a":{"b":[1]},"com.asixto/capabilities":["general","lead","pqr","soporte"],"com.asixto/verb":"ver, mover or pagar","equipo":"cobros"}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	if got, want := fmt.Sprint(surface.Findings()), `[hidden: n: its actions do not agree on ["c"] in _meta, which it leaves out]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
