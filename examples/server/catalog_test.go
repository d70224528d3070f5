package main_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCatalogue holds the published definitions against what the gateway
// demands of every tool.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	list := gateway{start(t).mcp, secret}.ask(t, "tools/list")
	var catalogue struct {
		Tools []struct {
			Name         string          `json:"name"`
			Description  string          `json:"description"`
			InputSchema  objectSchema    `json:"inputSchema"`
			OutputSchema objectSchema    `json:"outputSchema"`
			Annotations  map[string]bool `json:"annotations"`
			Meta         struct {
				Capabilities []string `json:"com.asixto/capabilities"`
				Verb         string   `json:"com.asixto/verb"`
			} `json:"_meta"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(list, &catalogue); err != nil {
		t.Fatal(err)
	}
	scenarios := strings.Fields("actualizacion_datos agenda busqueda_web cambio_plan cancelacion consulta_estado " +
		"emergencia encuestas_satisfaccion facturacion felicitacion garantia general informacion_empresa " +
		"informacion_productos informacion_servicios lead notificaciones pqr reactivacion reclamo_calidad renovacion " +
		"reporte_fraude seguimiento_postventa solicitud_documentos soporte ventas")
	volatile := regexp.MustCompile(`\d|\$|COP|pesos`)
	writes := []string{"abrir_caso_soporte", "actualizar_cliente", "cancelar_cita", "iniciar_reporte"}
	for _, tool := range catalogue.Tools {
		if !regexp.MustCompile(`^[a-z0-9_]{1,40}$`).MatchString(tool.Name) {
			t.Errorf("name %q", tool.Name)
		}
		if n := utf8.RuneCountInString(tool.Description); n == 0 || n > 700 || !strings.Contains(tool.Description, "No sirve para ") {
			t.Errorf("%s: description of %d characters has to say when not to use it: %q", tool.Name, n, tool.Description)
		}
		if volatile.MatchString(tool.Description) {
			t.Errorf("%s: volatile data in %q", tool.Name, tool.Description)
		}
		if closed, ok := tool.InputSchema.AdditionalProperties.(bool); tool.InputSchema.Type != "object" || !ok || closed {
			t.Errorf("%s: inputSchema is not a closed object", tool.Name)
		}
		if tool.OutputSchema.Type != "object" || len(tool.OutputSchema.Properties) == 0 {
			t.Errorf("%s: outputSchema has no root object", tool.Name)
		}
		for name, property := range tool.InputSchema.Properties {
			property.check(t, tool.Name+"."+name, !slices.Contains(tool.InputSchema.Required, name))
		}
		if len(tool.Annotations) != 4 || tool.Annotations["readOnlyHint"] == slices.Contains(writes, tool.Name) ||
			tool.Annotations["destructiveHint"] && tool.Annotations["readOnlyHint"] || tool.Annotations["openWorldHint"] {
			t.Errorf("%s: annotations = %v", tool.Name, tool.Annotations)
		}
		if len(tool.Meta.Capabilities) == 0 || tool.Meta.Verb == "" {
			t.Errorf("%s: _meta = %+v", tool.Name, tool.Meta)
		}
		for _, key := range tool.Meta.Capabilities {
			if !slices.Contains(scenarios, key) {
				t.Errorf("%s: unknown scenario %q", tool.Name, key)
			}
		}
		if _, pages := tool.OutputSchema.Properties["total"]; pages {
			for _, name := range []string{"limit", "offset"} {
				if got := tool.InputSchema.Properties[name].Type; !slices.Equal(types(got), []string{"integer", "null"}) {
					t.Errorf("%s.%s: type = %v, want a nullable number", tool.Name, name, got)
				}
			}
		}
	}
}

type objectSchema struct {
	Type                 string                    `json:"type"`
	Properties           map[string]propertySchema `json:"properties"`
	Required             []string                  `json:"required"`
	AdditionalProperties any                       `json:"additionalProperties"`
}

type propertySchema struct {
	Type      any      `json:"type"`
	Enum      []any    `json:"enum"`
	MaxLength *int     `json:"maxLength"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	Examples  []any    `json:"examples"`
}

func (p propertySchema) check(t *testing.T, name string, optional bool) {
	t.Helper()
	if len(p.Examples) == 0 {
		t.Errorf("%s has no examples", name)
	}
	if optional != slices.Contains(types(p.Type), "null") {
		t.Errorf("%s: type = %v; optional is %v", name, p.Type, optional)
	}
	if optional && p.Enum != nil && !slices.Contains(p.Enum, nil) {
		t.Errorf("%s: enum = %v lacks null", name, p.Enum)
	}
	switch types(p.Type)[0] {
	case "string":
		if p.MaxLength == nil && p.Enum == nil {
			t.Errorf("%s has no maxLength", name)
		}
	case "integer", "number":
		if p.Minimum == nil || p.Maximum == nil {
			t.Errorf("%s has no bounds", name)
		}
	}
}

// types reads a JSON Schema type: one name or several.
func types(v any) []string {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var names []string
	for _, name := range list {
		s, _ := name.(string)
		names = append(names, s)
	}
	return names
}
