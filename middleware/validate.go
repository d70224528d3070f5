package middleware

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// ValidateConfig tunes [Validate]. The zero value holds arguments to their schema,
// to the letter, and leaves results alone.
type ValidateConfig struct {
	// Tolerate lists the mistakes of models that are corrected instead of refused.
	// Default: none.
	Tolerate []Tolerance
	// Tolerated counts what was corrected. Default: nobody counts; the log line of
	// the call says it all the same.
	Tolerated *ToleranceCounter
	// CheckResults holds results to the tool's outputSchema, too. What breaks it
	// becomes SYSTEM if the tool is read-only; the result of a write is delivered,
	// since its effect has happened, and the log line says what is wrong with it.
	// Default: results are not looked at.
	CheckResults bool
	// StrictResults is CheckResults for tests: the result of a write that breaks
	// its schema becomes SYSTEM, too. Default: see CheckResults.
	StrictResults bool
	// Messages replaces the sentences about arguments, by code; see
	// [errors.Messages]. Default: [errors.DefaultMessages].
	Messages errors.Messages
}

// Bounds of arguments. Those that a model writes stay far below; beyond them a
// validator can be made to work for seconds, or for ever, and a list of what is wrong
// with each of a million values fills the memory.
const (
	maxArgumentDepth  = 64     // arrays and objects in each other
	maxArgumentValues = 10_000 // elements, members, and the whole
	maxArgumentWork   = 50_000 // schemas held against a value, see [schema.Schema.Check]
)

// Validate holds the arguments of a call to the tool's inputSchema, before
// anything happens: JSON Schema 2020-12, or the draft that its $schema names. A
// schema is compiled once per definition.
//
// What is wrong is VALIDATION and proves that nothing happened. The sentence for
// the person names what has to be corrected; details holds everything at once for
// the model: code, field (the first one), fields, and problems, a list of at most
// eight of
//
//	{"field":"limit","rule":"maximum","expected":25,"message":"Conviene revisar limit, ..."}
//
// where field is the path, with dots ("direccion.ciudad", "items.2.sku"), rule is
// the keyword of JSON Schema, expected is what the schema has for it, and
// suggestion is the nearest name or value, if there is a near one; more_problems says
// how many were left out. Values that the caller sent are never repeated, and of names
// only those that are short and plain: "etiquetas.*" has another one.
//
// The rules of JSON come first: arguments are an object (none, and null, are an
// empty one), no name occurs twice in it, it is at most 64 levels deep and has at
// most 10,000 values. Two readers of such JSON could read two things, or work on it
// for long. So could the validator where a schema refers to itself in several of its
// alternatives: what would take it more than 50,000 steps is refused, too.
//
// A tool without an inputSchema takes any object, and so does one whose definition
// is not known, as in a test that calls a handler directly. A schema that cannot be
// compiled is SYSTEM for each call; [CheckSchemas] tells at start.
//
// Where a schema takes names that it does not have, it takes none that encoding/json
// reads as one that it has: "Limit" would be the field "limit" of a struct, with
// whatever value, and is refused as where additionalProperties is false. Names that the
// schema has not are not told apart for the reader: in a map, "Casa" and "casa" are two.
//
// Leave mcp-go's WithInputSchemaValidation off where Validate is on: it comes
// first, answers in English and is seen by no middleware. A middleware that changes
// arguments has to change both req.Params.Arguments and RawArguments; Validate does
// so when it corrects something.
//
// It panics if the configuration names a tolerance that does not exist.
func Validate(cfg ValidateConfig) server.ToolHandlerMiddleware {
	if err := checkTolerances(cfg.Tolerate); err != nil {
		panic(fmt.Sprintf("portavoz/middleware: Validate: %v", err))
	}
	v := &validator{cfg: cfg, schemas: newPerDefinition(compileSchemas)}
	v.cfg.Tolerate = slices.Clone(cfg.Tolerate)
	v.cfg.CheckResults = cfg.CheckResults || cfg.StrictResults
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			var schemas toolSchemas
			if tool := rec.Definition(ctx); tool != nil {
				schemas = v.schemas.of(tool)
			}
			if err := v.usable(schemas); err != nil {
				return nil, rec.refuse(err)
			}
			if err := v.arguments(rec, schemas.input, &req); err != nil {
				return nil, rec.refuse(err)
			}
			res, err := next(ctx, req)
			if err != nil || schemas.output == nil || !v.cfg.CheckResults {
				return res, err
			}
			return v.result(rec, schemas.output, res, rec.ReadOnly(ctx))
		}
	}
}

type validator struct {
	cfg     ValidateConfig
	schemas *perDefinition[toolSchemas]
}

// usable refuses a call while the schemas that it would be held to are broken:
// afterwards, nothing could be said about a result that counts.
func (v *validator) usable(s toolSchemas) error {
	err := s.inputErr
	if v.cfg.CheckResults {
		err = errors.Join(s.inputErr, s.outputErr)
	}
	if err == nil {
		return nil
	}
	return errors.System("", errors.WithCode(errors.CodeBadSchema), errors.WithCause(err))
}

// toolSchemas are the schemas of one definition, nil where it declares none.
type toolSchemas struct {
	input, output       *schema.Schema
	inputErr, outputErr error
}

func compileSchemas(tool *mcp.Tool) (s toolSchemas) {
	s.input, s.inputErr = compileSchema(tool, inputSchemaOf)
	s.output, s.outputErr = compileSchema(tool, outputSchemaOf)
	if s.inputErr != nil {
		s.inputErr = fmt.Errorf("inputSchema of tool %q: %w", tool.Name, s.inputErr)
	}
	if s.outputErr != nil {
		s.outputErr = fmt.Errorf("outputSchema of tool %q: %w", tool.Name, s.outputErr)
	}
	return s
}

func compileSchema(tool *mcp.Tool, textOf func(*mcp.Tool) (json.RawMessage, error)) (*schema.Schema, error) {
	text, err := textOf(tool)
	if err != nil || text == nil {
		return nil, err
	}
	return schema.Compile(text)
}

// CheckSchemas compiles the schemas of all tools that a server has, and returns
// what is wrong with any of them, joined. mcp-go takes every schema; call this once
// the tools are added, so that a broken one ends the start of the program and not
// the first call. Tools of sessions are not looked at.
func CheckSchemas(srv *server.MCPServer) error {
	tools := srv.ListTools()
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		s := compileSchemas(&tools[name].Tool)
		problems = append(problems, s.inputErr, s.outputErr)
	}
	return errors.Join(problems...)
}
