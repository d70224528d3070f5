package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/portavoz/portavoz/middleware/internal/schema"
)

// TestVerify: a pattern is wrong if no engine reads it, and not if only Go does not.
func TestVerify(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]bool{
		`^[A-Z]{3}$`: true, `^(?!\.)[a-z.]+$`: true, `(?<year>\d{4})-\k<year>`: true, `(a)\1`: true, `a{1,2000}`: true, `\cA\u00e1`: true,
		`[`: false, `(`: false, `a**`: false, `*`: false, `a)`: false,
	} {
		text, err := json.Marshal(map[string]any{"type": "string", "pattern": pattern})
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Verify(text); (err == nil) != want {
			t.Errorf("%s: %v, want it right: %t", pattern, err, want)
		}
	}
	for text, want := range map[string]bool{
		`{"type":"object"}`: true, `true`: true, `{"$ref":"#/$defs/a","$defs":{"a":{}}}`: true,
		`{"type":"text"}`: false, `{"maxLength":"9"}`: false, `{"$ref":"#/$defs/a"}`: false, `{"$ref":"https://example.com/a"}`: false, `7`: false, `{`: false,
	} {
		if err := schema.Verify([]byte(text)); (err == nil) != want {
			t.Errorf("%s: %v, want it right: %t", text, err, want)
		}
	}
}
