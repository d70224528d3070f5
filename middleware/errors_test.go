package middleware_test

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
)

// panicsWhenEncoded is what a handler's own type may do.
type panicsWhenEncoded struct{}

func (panicsWhenEncoded) MarshalJSON() ([]byte, error) { panic("dsn postgres://admin:s3cr3t@db") }

func TestErrorsGivesEveryFailureOneShape(t *testing.T) {
	t.Parallel()
	inputRequired := &mcp.CallToolResult{}
	inputRequired.SetResultType(mcp.ResultTypeInputRequired)
	unencodable := mcp.NewToolResultStructured(map[string]any{"total": math.NaN()}, "x")
	envelope := func(raw string) *mcp.CallToolResult {
		return &mcp.CallToolResult{IsError: true, RawStructuredContent: []byte(raw), Content: []mcp.Content{mcp.NewTextContent(raw)}}
	}

	nan := math.NaN()
	withMeta := func(res *mcp.CallToolResult) *mcp.CallToolResult {
		res.Meta = mcp.NewMetaFromMap(map[string]any{"total": nan})
		return res
	}
	badResult := failure("SYSTEM", "Se obtuvo una respuesta, pero no es posible presentarla.", `{"code":"bad_result"}`)

	tests := []struct {
		name    string
		handler handler
		want    string
	}{
		{"typed error", fails(errors.NotFound("No encontré una cita con esos datos.")),
			failure("NOT_FOUND", "No encontré una cita con esos datos.", "")},
		{"wrapped typed error", fails(fmt.Errorf("citas: %w", errors.Validation("Esa cita ya está cancelada.", errors.WithField("cita")))),
			failure("VALIDATION", "Esa cita ya está cancelada.", `{"field":"cita"}`)},
		{"foreign error keeps its text", fails(errors.New("pq: relation clientes does not exist")),
			failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"a missing file is not NOT_FOUND", fails(&fs.PathError{Op: "open", Path: "/etc/clientes", Err: fs.ErrNotExist}),
			failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"deadline", fails(context.DeadlineExceeded),
			failure("SYSTEM", "La respuesta tardó más de lo esperado.", `{"code":"timeout","retryable":true}`)},
		{"neither result nor error", returns(nil),
			failure("SYSTEM", "No llegó ninguna respuesta para esa solicitud.", `{"code":"no_result"}`)},
		{"another round", returns(inputRequired),
			failure("SYSTEM", "Hacen falta más datos para continuar.", `{"code":"input_required"}`)},
		{"content that cannot be encoded", returns(unencodable), badResult},
		{"content whose marshaler panics", returns(mcp.NewToolResultStructured(panicsWhenEncoded{}, "x")), badResult},
		{"raw content that is not JSON", returns(&mcp.CallToolResult{RawStructuredContent: []byte(`{"total":`)}), badResult},
		{"a block that is nil", returns(&mcp.CallToolResult{Content: []mcp.Content{nil}}), badResult},
		{"a block that is a nil pointer", returns(&mcp.CallToolResult{Content: []mcp.Content{(*mcp.TextContent)(nil)}}), badResult},
		{"an annotation that cannot be encoded", returns(&mcp.CallToolResult{Content: []mcp.Content{
			mcp.TextContent{Type: "text", Text: "x", Annotated: mcp.Annotated{Annotations: &mcp.Annotations{Priority: &nan}}},
		}}), badResult},
		{"_meta that cannot be encoded", returns(withMeta(mcp.NewToolResultText("x"))), badResult},
		{"_meta of a failure that cannot be encoded", returns(withMeta(mcp.NewToolResultError("No se pudo."))),
			failure("UNKNOWN", "No se pudo.", "")},
		{"a failure whose marshaler panics", returns(&mcp.CallToolResult{IsError: true, StructuredContent: panicsWhenEncoded{}}),
			failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"marked by the handler, a sentence", returns(mcp.NewToolResultError("El documento debe tener solo números.")),
			failure("UNKNOWN", "El documento debe tener solo números.", "")},
		{"marked by the handler, internals", returns(mcp.NewToolResultError("dial tcp 10.2.3.4:5432: connect: connection refused")),
			failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"marked by the handler, empty", returns(&mcp.CallToolResult{IsError: true}),
			failure("UNKNOWN", "No fue posible confirmar el resultado de la solicitud.", "")},
		{"an envelope of an unknown type", returns(envelope(`{"error":{"error_type":"WEIRD","user_message":"No se pudo."}}`)),
			failure("UNKNOWN", "No se pudo.", "")},
		{"an envelope as text only", returns(mcp.NewToolResultError(`{"error":{"error_type":"BLOCKER","user_message":"Esa línea tiene una orden en curso."}}`)),
			failure("BLOCKER", "Esa línea tiene una orden en curso.", "")},
		{"a message of several lines with markup", fails(errors.Validation("**Falta**\n el `documento`.\x00")),
			failure("VALIDATION", "Falta el documento.", "")},
		{"a message with colours and hidden directions", fails(errors.Validation("Falta \x1b[1;31mel\x1b[0m docu\u202emento.")),
			failure("VALIDATION", "Falta el documento.", "")},
		{"a megabyte", fails(errors.Validation("Falta el documento. " + strings.Repeat("clave=abc123 ", 80_000))),
			failure("VALIDATION", "Falta el documento.", "")},
		{"a secret in a message", fails(errors.Permission("El token Bearer abcdefghijklmnop1234567890 no sirve.")),
			failure("PERMISSION", "El token Bearer [dato oculto] no sirve.", "")},
		{"a message that is too long", fails(errors.Blocker("Hay una orden en curso. " + strings.Repeat("Espere por favor ", 40))),
			failure("BLOCKER", "Hay una orden en curso.", "")},
		{"one long word", fails(errors.Blocker(strings.Repeat("é", 400))),
			failure("BLOCKER", strings.Repeat("é", 299)+"…", "")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := middleware.Errors(middleware.ErrorsConfig{})(tt.handler)(t.Context(), request(nil))
			if err != nil {
				t.Fatalf("got the error %v, want a result", err)
			}
			if got := encode(t, res); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestErrorsLeavesAlone(t *testing.T) {
	t.Parallel()
	raw := `{"error":{"error_type":"NOT_FOUND","user_message":"No está.","details":{"n":9007199254740993}}}`
	tests := []struct {
		name string
		res  *mcp.CallToolResult
		want string
	}{
		{"a valid envelope, to the byte",
			&mcp.CallToolResult{IsError: true, RawStructuredContent: []byte(raw), Content: []mcp.Content{mcp.NewTextContent(raw)}},
			`{"content":[{"type":"text","text":"{\"error\":{\"error_type\":\"NOT_FOUND\",\"user_message\":\"No está.\",\"details\":{\"n\":9007199254740993}}}"}],"isError":true,"structuredContent":` + raw + `}`},
		{"an empty search",
			mcp.NewToolResultStructured(map[string]any{"resultados": []any{}, "total": 0}, "No encontré nada."),
			`{"content":[{"type":"text","text":"No encontré nada."}],"structuredContent":{"resultados":[],"total":0}}`},
		{"no content at all", &mcp.CallToolResult{}, `{"content":[]}`},
		{"an integer above 2^53",
			&mcp.CallToolResult{RawStructuredContent: []byte(`{"z":9007199254740993,"a":1}`)},
			`{"content":[],"structuredContent":{"z":9007199254740993,"a":1}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res, err := middleware.Errors(middleware.ErrorsConfig{})(returns(tt.res))(t.Context(), request(nil))
			if err != nil {
				t.Fatalf("got the error %v, want a result", err)
			}
			if got := encode(t, res); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestErrorsAllowsAnotherRoundWhenAsked(t *testing.T) {
	t.Parallel()
	res := &mcp.CallToolResult{}
	res.SetResultType(mcp.ResultTypeInputRequired)
	h := middleware.Errors(middleware.ErrorsConfig{AllowInputRequired: true})(returns(res))
	got, err := h(t.Context(), request(nil))
	if err != nil || !got.NeedsInput() {
		t.Errorf("got %v, %v; want the round to pass", got, err)
	}
}

func TestErrorsUsesTheTableOfMessages(t *testing.T) {
	t.Parallel()
	h := middleware.Errors(middleware.ErrorsConfig{Messages: errors.Messages{
		errors.CodeTimeout: "Eso tardó demasiado.",
	}})(fails(context.DeadlineExceeded))
	res, _ := h(t.Context(), request(nil))
	if got, want := encode(t, res), failure("SYSTEM", "Eso tardó demasiado.", `{"code":"timeout","retryable":true}`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A handler may return the same result to every call; mcp-go writes into what
// it is given, so two eras at once would race on it and see each other's fields.
func TestErrorsGivesEachCallAResultOfItsOwn(t *testing.T) {
	t.Parallel()
	shared := mcp.NewToolResultStructured(map[string]any{"estado": "activo"}, "Está activo.")
	shared.Meta = mcp.NewMetaFromMap(map[string]any{"origen": "catálogo"})
	srv := newServer(returns(shared), middleware.Errors(middleware.ErrorsConfig{}))

	done := make(chan string, 64)
	for range cap(done) {
		go func() { done <- answer(context.Background(), t, srv, modernCall("prueba", `{}`, "")) }()
	}
	for range cap(done) {
		if got := <-done; !strings.Contains(got, `"resultType":"complete"`) {
			t.Errorf("got %s, want a complete result", got)
		}
	}
	legacy := answer(t.Context(), t, srv, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"prueba"}}`))
	if strings.Contains(legacy, "resultType") || strings.Contains(legacy, "serverInfo") {
		t.Errorf("a legacy client received fields of the modern era: %s", legacy)
	}
}
