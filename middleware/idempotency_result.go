package middleware

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
)

// replayedKey marks a replay in _meta.
const replayedKey = "portavoz/replayed"

// A kept result is a version byte and three parts, each preceded by its length:
// content, structured content, _meta. Content is the bare text where it is one
// plain text block, as nearly always, and a JSON array otherwise; the version
// tells which. Structured content is kept byte for byte.
const (
	keptText   = 1
	keptBlocks = 2
)

// encodeResult encodes a sealed result to be kept.
func encodeResult(res *mcp.CallToolResult) []byte {
	var content []byte
	version := byte(keptText)
	if text, ok := plainText(res); ok {
		content = []byte(text)
	} else {
		version = keptBlocks
		content, _ = json.Marshal(res.Content) // blocks are strings and maps of decoded JSON
	}
	var meta []byte
	if res.Meta != nil {
		meta, _ = json.Marshal(res.Meta)
	}
	out := make([]byte, 0, 1+3*binary.MaxVarintLen32+len(content)+len(res.RawStructuredContent)+len(meta))
	out = append(out, version)
	for _, part := range [...][]byte{content, res.RawStructuredContent, meta} {
		out = binary.AppendUvarint(out, uint64(len(part)))
		out = append(out, part...)
	}
	return out
}

// KeptResult encodes a result as [Idempotency] keeps it. It is for the Probe of an
// engine, which finds out how an abandoned operation ended and returns what its
// caller would have got. A result that cannot be encoded is an error.
func KeptResult(res *mcp.CallToolResult) ([]byte, error) {
	if res == nil {
		return nil, errors.New("portavoz/middleware: KeptResult needs a result")
	}
	sealed, err := sealSound(nil, res)
	if err != nil {
		return nil, err
	}
	return encodeResult(sealed), nil
}

func plainText(res *mcp.CallToolResult) (string, bool) {
	if len(res.Content) != 1 {
		return "", false
	}
	t, ok := res.Content[0].(mcp.TextContent)
	return t.Text, ok && t.Meta == nil && t.Annotations == nil
}

// decodeResult makes a fresh result of what was kept, marked as a replay. It
// shares no memory with kept that is written to, also by an append.
func decodeResult(kept []byte) (*mcp.CallToolResult, error) {
	if len(kept) == 0 {
		return nil, errKept
	}
	version, rest := kept[0], kept[1:]
	var parts [3][]byte
	for i := range parts {
		n, width := binary.Uvarint(rest)
		if width <= 0 || n > uint64(len(rest)-width) {
			return nil, errKept
		}
		end := width + int(n)
		parts[i], rest = rest[width:end:end], rest[end:]
	}
	res := &mcp.CallToolResult{RawStructuredContent: parts[1]}
	switch version {
	case keptText:
		res.Content = []mcp.Content{mcp.NewTextContent(string(parts[0]))}
	case keptBlocks:
		if err := decodeBlocks(res, parts[0]); err != nil {
			return nil, errKept
		}
	default:
		return nil, errKept
	}
	if len(parts[2]) > 0 {
		res.Meta = new(mcp.Meta)
		if err := json.Unmarshal(parts[2], res.Meta); err != nil {
			return nil, errKept
		}
	}
	res.EnsureResultMeta().SetMetaField(replayedKey, true)
	return res, nil
}

func decodeBlocks(res *mcp.CallToolResult, raw []byte) error {
	var blocks []json.RawMessage
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return err
	}
	res.Content = make([]mcp.Content, len(blocks))
	for i, block := range blocks {
		c, err := mcp.UnmarshalContent(block)
		if err != nil {
			return err
		}
		res.Content[i] = c
	}
	return nil
}

// errKept is for bytes that another version wrote, or that are damaged: it is
// done, and the result cannot be read.
var errKept = errors.Blocker("", errors.WithCode(errors.CodeAlreadyDone))

// isUnfinished reports whether a success says of itself that nothing has been
// done yet: more information or a confirmation is needed. Beside structured content a
// text counts only if it is an envelope.
func isUnfinished(res *mcp.CallToolResult) bool {
	if statusUnfinished(res.RawStructuredContent) {
		return true
	}
	for _, c := range res.Content {
		text, ok := textOf(c)
		if ok && strings.Contains(text, "status") && (len(res.RawStructuredContent) == 0 || strings.Contains(text, `"ok"`)) &&
			statusUnfinished([]byte(text)) {
			return true
		}
	}
	return false
}

func statusUnfinished(raw []byte) bool {
	if !bytes.Contains(raw, []byte("needs_more_info")) && !bytes.Contains(raw, []byte("pending_confirmation")) {
		return false
	}
	var members map[string]json.RawMessage // whose names count letter by letter
	var status string
	return json.Unmarshal(raw, &members) == nil && json.Unmarshal(members["status"], &status) == nil &&
		(status == "needs_more_info" || status == "pending_confirmation")
}

// rawArguments are the arguments as JSON: as they came, or encoded if the
// request was built in Go.
func rawArguments(req *mcp.CallToolRequest) []byte {
	if len(req.Params.RawArguments) > 0 {
		return req.Params.RawArguments
	}
	if req.Params.Arguments == nil {
		return nil
	}
	raw, err := json.Marshal(req.Params.Arguments)
	if err != nil {
		return []byte("!") // not JSON: the fingerprint refuses it
	}
	return raw
}
