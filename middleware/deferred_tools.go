package middleware

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// jobIDName is the member, and the argument, that names a job.
const jobIDName = "jobId"

// Schemas of the tools of a job.
const (
	jobInput = `{"type":"object","properties":{"jobId":{"type":"string","minLength":1,"maxLength":64,` +
		`"description":"El jobId que se recibió al iniciar","examples":["7ZTQ4M2XK6N5WBJYH3CREAVDLP"]}},"required":["jobId"],"additionalProperties":false}`
	queuedOutput = `{"type":"object","properties":{"status":{"const":"queued"},"jobId":{"type":"string"},` +
		`"queuedAt":{"type":"string","format":"date-time"}},"required":["status","jobId","queuedAt"]}`
)

// jobSchema is the outputSchema of a job, with that of the definition as its result.
func jobSchema(definition *mcp.Tool) (string, error) {
	declared := map[string]json.RawMessage{}
	raw, err := outputSchemaOf(definition)
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &declared)
	}
	if err != nil {
		return "", err
	}
	root := hoist(declared)
	root["required"] = json.RawMessage(`["status","jobId","queuedAt"]`)
	root["properties"], err = json.Marshal(map[string]any{
		"status":   map[string]any{"enum": []string{"queued", "running", "cancelling", "cancelled", "done"}},
		"jobId":    map[string]any{"type": "string"},
		"queuedAt": map[string]any{"type": "string", "format": "date-time"},
		"percent":  map[string]any{"type": "integer", "minimum": 0, "maximum": 100},
		"progress": map[string]any{"type": "string"},
		"result":   declared,
	})
	if err != nil {
		return "", err
	}
	schema, err := json.Marshal(root)
	return string(schema), err
}

// hoist begins the schema of an object around another schema. It takes out of that
// what belongs to the root, where its references begin.
func hoist(inner map[string]json.RawMessage) map[string]json.RawMessage {
	root := map[string]json.RawMessage{"type": json.RawMessage(`"object"`)}
	for _, name := range [...]string{"$schema", "$defs", "definitions"} {
		if held, ok := inner[name]; ok {
			root[name] = held
			delete(inner, name)
		}
	}
	return root
}

// startTool takes the arguments of the definition.
func (d *deferred) startTool() mcp.Tool {
	tool := d.definition
	tool.Name = d.startName()
	tool.Description = strings.TrimSpace(tool.Description + " Toma unos minutos: el resultado se obtiene con " + d.readName() + ".")
	tool.Meta = d.meta("iniciar")
	tool.OutputSchema, tool.RawOutputSchema = mcp.ToolOutputSchema{}, json.RawMessage(queuedOutput)
	return tool
}

func (d *deferred) readTool() mcp.Tool {
	tool := d.jobTool(d.readName(), "Consulta el avance y el resultado de lo que empezó con "+d.startName()+". No sirve para iniciarlo.", "consultar")
	tool.Annotations.ReadOnlyHint, tool.Annotations.DestructiveHint = mcp.ToBoolPtr(true), mcp.ToBoolPtr(false)
	tool.Annotations.IdempotentHint = mcp.ToBoolPtr(true)
	return tool
}

func (d *deferred) cancelTool() mcp.Tool {
	tool := d.jobTool(d.cancelName(), "Cancela lo que empezó con "+d.startName()+" y no ha terminado. No sirve para deshacer lo que ya terminó.", "cancelar")
	tool.Annotations.ReadOnlyHint, tool.Annotations.DestructiveHint = mcp.ToBoolPtr(false), mcp.ToBoolPtr(true)
	tool.Annotations.IdempotentHint = mcp.ToBoolPtr(true)
	return tool
}

// jobTool takes a jobId and gives a job.
func (d *deferred) jobTool(name, description, verb string) mcp.Tool {
	tool := mcp.Tool{
		Name: name, Description: description, Meta: d.meta(verb),
		RawInputSchema: json.RawMessage(jobInput), RawOutputSchema: json.RawMessage(d.output),
	}
	tool.Annotations.OpenWorldHint = mcp.ToBoolPtr(false)
	return tool
}

// verbMeta is what Asixto Gateway tells the model of a tool.
const verbMeta = "com.asixto/verb"

// meta is that of the definition, its scenarios too, with the verb of this tool.
func (d *deferred) meta(verb string) *mcp.Meta {
	if d.definition.Meta == nil {
		return nil
	}
	meta := *d.definition.Meta
	meta.AdditionalFields = maps.Clone(meta.AdditionalFields)
	if _, ok := meta.AdditionalFields[verbMeta]; ok {
		meta.AdditionalFields[verbMeta] = verb + " " + strings.ReplaceAll(d.cfg.Name, "_", " ")
	}
	return &meta
}
