package contract_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/contract"
)

// TestLockRoundTrip: what was written is read again, and the order of the tools
// leaves no trace.
func TestLockRoundTrip(t *testing.T) {
	t.Parallel()
	list := good(t)
	raw := lock(t, list).Bytes()
	slices.Reverse(list)
	if again := lock(t, list).Bytes(); !bytes.Equal(raw, again) {
		t.Errorf("the order of the tools changes the file:\n%s\n%s", raw, again)
	}
	read, err := contract.ParseLock(raw)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read.Bytes(), raw) {
		t.Errorf("read and written again:\n%s\nwant\n%s", read.Bytes(), raw)
	}
	if changes := contract.Diff(read, lock(t, list)); len(changes) > 0 {
		t.Errorf("changes = %s", changes.Text(contract.English))
	}
	for tool, digest := range read.Digests() {
		if !strings.HasPrefix(digest, "sha256:") || len(digest) != len("sha256:")+64 {
			t.Errorf("%s: digest %q", tool, digest)
		}
	}
	golden(t, "testdata/contract.lock.json", raw)
}

// TestLockNumbers: integers beyond 2^53 survive, and equal numbers are equal.
func TestLockNumbers(t *testing.T) {
	t.Parallel()
	digests := func(number string) string {
		c, err := contract.ParseList([]byte(`[{"name":"a","inputSchema":{"maximum":` + number + `}}]`))
		if err != nil {
			t.Fatal(err)
		}
		l, err := contract.NewLock(c)
		if err != nil {
			t.Fatal(err)
		}
		return l.Digests()["a"]
	}
	if digests("1e2") != digests("100.0") || digests("100") != digests("1.00e2") {
		t.Error("100 and 1e2 differ")
	}
	if digests("9007199254740993") == digests("9007199254740992") {
		t.Error("2^53+1 and 2^53 are one")
	}
}

func TestLockRefusals(t *testing.T) {
	t.Parallel()
	raw := string(lock(t, good(t)).Bytes())
	conflict := strings.Replace(raw, "  \"tools\": [\n", "<<<<<<< HEAD\n  \"tools\": [\n=======\n  \"tools\": [\n>>>>>>> theirs\n", 1)
	for name, tt := range map[string]struct{ text, want string }{
		"empty":       {``, "EOF"},
		"no object":   {`[]`, "not JSON as it was written"},
		"cut off":     {raw[:len(raw)/2], "unexpected EOF"},
		"two files":   {raw + raw, "something follows"},
		"newer":       {strings.Replace(raw, `"version": 1`, `"version": 2`, 1), "update this module"},
		"no lock":     {`{"name":"package","version":0}`, "it is no lock file"},
		"conflict":    {conflict, "a merge conflict is left in it"},
		"CRLF":        {strings.ReplaceAll(conflict, "\n", "\r\n"), "a merge conflict is left in it"},
		"edited":      {strings.Replace(raw, `"maximum": 30`, `"maximum": 31`, 1), `"consultar_cita" was edited by hand`},
		"name":        {strings.Replace(raw, `"name": "buscar_sedes"`, `"name": "buscar_todo"`, 1), "edited by hand"},
		"both sides":  {strings.Replace(raw, `"tools": [`, `"tools": [`+tools(raw)+",", 1), `two tools named "buscar_sedes"`},
		"definition":  {`{"version":1,"tools":[{"name":"a","digest":"sha256:x","definition":[]}]}`, "no object"},
		"no tool":     {`{"version":1,"tools":[7]}`, "not JSON as it was written"},
		"no contents": {`{"version":1,"tools":[{}]}`, "no object"},
	} {
		if l, err := contract.ParseLock([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: read as %v, %v, want an error with %q", name, l.Digests(), err, tt.want)
		}
	}
	if _, err := contract.ParseLock([]byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
		t.Errorf("with the line ends of Windows: %v", err)
	}
	for name, list := range map[string][]any{
		"two of one name": {map[string]any{"name": "a"}, map[string]any{"name": "a"}},
		"no name":         {map[string]any{}},
		"no object":       {7},
	} {
		if _, err := contract.NewLock(catalog(t, list)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if l, err := contract.ParseLock((contract.Lock{}).Bytes()); err != nil || len(l.Digests()) != 0 {
		t.Errorf("the zero Lock reads as %v, %v", l.Digests(), err)
	}
}

// tools are those of the text of a lock, as a merge by hand puts them in once more.
func tools(raw string) string {
	from, to := strings.Index(raw, "[")+1, strings.LastIndex(raw, "]")
	return raw[from:to]
}
