package middleware_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/voice"
)

var updateVoice = flag.Bool("update-voice", false, "write the golden results of Voice again instead of comparing with them")

// bogota is the zone of most tests, without the machine's database.
var bogota = time.FixedZone("-05", -5*60*60)

// inBogota is the configuration of most tests: the year is 2026.
func inBogota() middleware.VoiceConfig {
	return middleware.VoiceConfig{
		Country: voice.CO,
		Zone:    bogota,
		Now:     func() time.Time { return time.Date(2026, time.August, 1, 12, 0, 0, 0, time.UTC) },
	}
}

// onVoice is the _meta of a call by telephone.
const onVoice = `"com.asixto/channel":"voice","com.asixto/requestId":"req_1"`

// onChannel is a call of "prueba" in a channel.
func onChannel(channel string) mcp.CallToolRequest {
	return request(map[string]any{"com.asixto/channel": channel, "com.asixto/requestId": "req_1"})
}

// TestVoiceGolden shapes the result in each file of testdata/voice, of a tool with
// the schema that stands in it, for chat and for the phone.
func TestVoiceGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/voice/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	mw := middleware.Voice(inBogota())
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			var given struct {
				Schema json.RawMessage `json:"schema"`
				Data   json.RawMessage `json:"data"`
				Text   string          `json:"text"`
				Failed bool            `json:"failed"`
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(raw, &given); err != nil {
				t.Fatal(err)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, given.Data); err != nil {
				t.Fatal(err)
			}
			res := &mcp.CallToolResult{RawStructuredContent: compact.Bytes(), IsError: given.Failed}
			if given.Text != "" {
				res.Content = []mcp.Content{mcp.NewTextContent(given.Text)}
			}
			before := encode(t, res)
			h := mw(returns(res))
			chat, err := h(t.Context(), onChannel("chat"))
			if err != nil || chat != res || encode(t, chat) != before {
				t.Errorf("chat: got %s, %v, want it untouched", encode(t, chat), err)
			}
			got := callTool(t, reads(string(given.Schema)), onVoice, returns(res), mw)
			if encode(t, res) != before {
				t.Errorf("the handler's result became %s", encode(t, res))
			}
			golden(t, strings.TrimSuffix(file, ".json")+".golden", readable(t, got))
		})
	}
}

// readable is a result as a golden file shows it: what is said, then the data.
func readable(t *testing.T, r *reply) string {
	t.Helper()
	var data bytes.Buffer
	if err := json.Indent(&data, r.Data, "", "  "); err != nil {
		t.Fatal(err)
	}
	return r.text() + "\n" + data.String() + "\n"
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *updateVoice {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n got %s\nwant %s", file, got, want)
	}
}
