package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// done is a store to which every operation is completed, with these bytes.
type done []byte

func (s done) Claim(context.Context, idempotency.Claim) (idempotency.Answer, error) {
	return idempotency.Answer{Status: idempotency.Completed, Result: s}, nil
}

func (done) Complete(context.Context, idempotency.Digest, string, []byte, time.Duration) error {
	return nil
}
func (done) Release(context.Context, idempotency.Digest, string) error { return nil }
func (done) Abandon(context.Context, idempotency.Digest, string) error { return nil }
func (done) Extend(context.Context, idempotency.Digest, string, time.Duration) error {
	return nil
}

// FuzzReplay: whatever a store or a probe holds for a result, the call is
// answered with something that can be sent, nothing runs, and what was kept is
// not written to by whoever adds to the replay.
func FuzzReplay(f *testing.F) {
	noted := mcp.NewTextContent("con nota")
	noted.Annotations = &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser}}
	for _, res := range []*mcp.CallToolResult{
		mcp.NewToolResultText("Radicado 7"),
		mcp.NewToolResultStructured(map[string]any{"radicado": 7}, "Radicado 7"),
		{Content: []mcp.Content{noted, mcp.NewImageContent("aGk=", "image/png")}},
		{Result: mcp.Result{Meta: mcp.NewMetaFromMap(map[string]any{"origen": "catálogo", "progressToken": 1})}},
	} {
		kept, err := middleware.KeptResult(res)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(kept)
	}
	f.Add([]byte("\x01\x00\x01{\x00"))                              // structured content that is no JSON
	f.Add([]byte("\x02\x04null\x00\x00"))                           // no blocks
	f.Add([]byte("\x02\x06[null]\x00\x00"))                         // a block that is nil
	f.Add([]byte("\x01\x00\x00\x04null"))                           // no metadata
	f.Add([]byte("\x01\x00\x00\x00more"))                           // something follows
	f.Add([]byte("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))   // a length beyond all
	f.Add([]byte(`{"content":[{"type":"text","text":"de otro"}]}`)) // a probe's own idea of a result
	f.Fuzz(func(t *testing.T, kept []byte) {
		before := bytes.Clone(kept)
		engine, err := idempotency.New(done(kept), idempotency.Config{})
		if err != nil {
			t.Fatal(err)
		}
		h := middleware.Wrap(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			t.Error("the handler ran")
			return nil, nil
		}, middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(engine))
		res, err := h(t.Context(), keyed(`{}`))
		if err != nil || res == nil {
			t.Fatalf("got %v, %v; want a result", res, err)
		}
		if _, err := json.Marshal(res); err != nil {
			t.Errorf("a replay that cannot be sent: %v", err)
		}
		_ = append(res.RawStructuredContent, "!!!!"...)
		if !bytes.Equal(kept, before) {
			t.Errorf("adding to the replay changed what was kept: %q, was %q", kept, before)
		}
	})
}
