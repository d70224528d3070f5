package contract

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// lockVersion is the form of the file.
const lockVersion = 1

// Lock is the catalogue as it was published, for a file beside the code
// (contract.lock.json): a change of a definition shows up in a review, and [Diff]
// says what it breaks. It is immutable; the zero Lock has no tools.
type Lock struct{ tools []lockedTool }

type lockedTool struct {
	Name       string          `json:"name"`
	Digest     string          `json:"digest"`
	Definition json.RawMessage `json:"definition"`

	object map[string]any
}

// NewLock makes the lock of a catalogue. It fails, with all of them named, if
// there are definitions that are no objects, have no name, or one that occurs
// twice.
func NewLock(c Catalog) (Lock, error) {
	var lock Lock
	var problems []error
	for i := range c.tools {
		d := &c.tools[i]
		switch {
		case d.object == nil:
			problems = append(problems, fmt.Errorf("portavoz/contract: tool %s %s", d.label(), d.problem))
		case d.name() == "":
			problems = append(problems, fmt.Errorf("portavoz/contract: tool %s has no name", d.label()))
		default:
			lock.tools = append(lock.tools, newLockedTool(d.object))
		}
	}
	slices.SortStableFunc(lock.tools, byName)
	return lock, errors.Join(append(problems, lock.duplicates()...)...)
}

func byName(a, b lockedTool) int { return cmp.Compare(a.Name, b.Name) }

func newLockedTool(object map[string]any) lockedTool {
	object, _ = canonical(object).(map[string]any)
	name, _ := object["name"].(string)
	raw := compact(object)
	return lockedTool{Name: name, Digest: digest(raw), Definition: raw, object: object}
}

func (l Lock) duplicates() []error {
	var problems []error
	for i := range l.tools {
		if i > 0 && l.tools[i].Name == l.tools[i-1].Name {
			problems = append(problems, fmt.Errorf("portavoz/contract: there are two tools named %q", clip(l.tools[i].Name)))
		}
	}
	return problems
}

// digest is the SHA-256 of canonical JSON.
func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// conflict is what git puts where it could not merge.
var conflict = regexp.MustCompile(`(?m)^(<{7}|={7}|>{7})( |\r?$)`)

// ParseLock reads what [Lock.Bytes] wrote. It fails if a merge conflict is left in it, if
// a newer version of this package wrote it, and if a definition and its digest do not go
// together, as after a merge by hand.
func ParseLock(raw []byte) (Lock, error) {
	var file struct {
		Version int          `json:"version"`
		Tools   []lockedTool `json:"tools"`
	}
	if err := decode(raw, &file); err != nil {
		if conflict.Match(raw) {
			return Lock{}, errors.New("portavoz/contract: lock file: a merge conflict is left in it")
		}
		return Lock{}, fmt.Errorf("portavoz/contract: lock file: not JSON as it was written: %w", err)
	}
	switch {
	case file.Version > lockVersion:
		return Lock{}, fmt.Errorf("portavoz/contract: lock file: version %d, and %d is the newest known here: update this module", file.Version, lockVersion)
	case file.Version != lockVersion:
		return Lock{}, fmt.Errorf("portavoz/contract: lock file: version %d, want %d: it is no lock file", file.Version, lockVersion)
	}
	var lock Lock
	for _, tool := range file.Tools {
		var object map[string]any
		if err := decode(tool.Definition, &object); err != nil || object == nil {
			return Lock{}, fmt.Errorf("portavoz/contract: lock file: the definition of %q is no object", clip(tool.Name))
		}
		read := newLockedTool(object)
		if read.Digest != tool.Digest || read.Name != tool.Name {
			return Lock{}, fmt.Errorf("portavoz/contract: lock file: %q was edited by hand; write the file again", clip(tool.Name))
		}
		lock.tools = append(lock.tools, read)
	}
	slices.SortStableFunc(lock.tools, byName)
	return lock, errors.Join(lock.duplicates()...)
}

// Bytes is the text of the file: indented JSON with sorted keys and a last line
// feed. Equal catalogues have equal texts, whatever the order of their tools.
func (l Lock) Bytes() []byte {
	tools := l.tools
	if tools == nil {
		tools = []lockedTool{}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(map[string]any{"version": lockVersion, "tools": tools}) // decoded JSON always encodes
	return buf.Bytes()
}

// Digests returns the digest of each tool by its name: "sha256:" and 64
// hexadecimal digits over its canonical JSON.
func (l Lock) Digests() map[string]string {
	digests := make(map[string]string, len(l.tools))
	for i := range l.tools {
		digests[l.tools[i].Name] = l.tools[i].Digest
	}
	return digests
}

// canonical returns a decoded value in which equal numbers are written alike:
// as the shortest text of the float64, and whole ones without a fraction as they
// are, so that nothing is lost beyond 2^53.
func canonical(v any) any {
	switch t := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(t))
		for name, value := range t {
			out[name] = canonical(value)
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i, value := range t {
			out[i] = canonical(value)
		}
		return out
	case json.Number:
		if !strings.ContainsAny(string(t), ".eE") {
			return t
		}
		f, err := t.Float64()
		if err != nil {
			return t
		}
		raw, err := json.Marshal(f)
		if err != nil {
			return t
		}
		return json.Number(raw)
	}
	return v
}
