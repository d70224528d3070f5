package idempotency_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/idempotency"
)

func fingerprint(tb testing.TB, text string) idempotency.Digest {
	tb.Helper()
	d, err := idempotency.Fingerprint([]byte(text))
	if err != nil {
		tb.Fatalf("Fingerprint(%q): %v", text, err)
	}
	return d
}

func TestFingerprintSame(t *testing.T) {
	t.Parallel()
	long := `"` + strings.Repeat("x", 400) + `"`
	for name, texts := range map[string][]string{
		"no arguments":    {"", " \t\r\n", "null", " null ", "{}", " { } "},
		"order":           {`{"a":1,"b":2}`, `{"b":2,"a":1}`, "\n{ \"b\" : 2 ,\t\"a\" : 1 }\n"},
		"order inside":    {`{"x":[{"a":1,"b":2}]}`, `{"x":[{"b":2,"a":1}]}`},
		"order of long":   {`{"a":` + long + `,"b":{"c":` + long + `,"d":1}}`, `{"b":{"d":1,"c":` + long + `},"a":` + long + `}`},
		"names by value":  {`{"a":1,"\u00e9":2}`, `{"é":2,"\u0061":1}`},
		"last counts":     {`{"a":1}`, `{"a":{"b":2},"a":1}`, `{"a":3,"\u0061":2,"a":1}`},
		"last counts, z":  {`{"a":1,"z":0}`, `{"z":0,"a":2,"a":1}`},
		"escapes":         {`"é/\"\\"`, `"\u00e9\/\u0022\u005c"`, `"\u00E9/\"\\"`},
		"control":         {`"\b\f\n\r\t"`, `"\u0008\u000c\u000A\u000d\u0009"`},
		"pair":            {`"😀"`, `"\ud83d\ude00"`, `"\uD83D\uDE00"`},
		"half a pair":     {`"\ufffd"`, `"\ud83d"`, `"\ude00"`, "\"\xff\"", "\"\xc3\""},
		"halves":          {`"\ufffdx\ufffd"`, `"\ud83dx\ude00"`},
		"two high halves": {`"\ufffd😀"`, `"\ud83d\ud83d\ude00"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := fingerprint(t, texts[0])
			for _, text := range texts[1:] {
				if fingerprint(t, text) != want {
					t.Errorf("%q and %q differ, want the same", text, texts[0])
				}
			}
		})
	}
}

func TestFingerprintDifferent(t *testing.T) {
	t.Parallel()
	texts := []string{
		`{}`, `[]`, `""`, `0`, `false`, `true`, `[null]`, `{"":null}`, `"null"`, `[[]]`, `[{}]`, `[[],[]]`,
		`1`, `1.0`, `1e0`, `1E0`, `10e-1`, `-0`, `-1`, `"1"`,
		`9007199254740992`, `9007199254740993`,
		`[1,2]`, `[2,1]`, `[12]`, `["1,2"]`, `["1","2"]`,
		`{"a":1}`, `{"a":"1"}`, `{"a":null}`, `{"b":1}`, `{"A":1}`, `{"a":1,"b":1}`, `{"a":{"b":1}}`,
		`{"a":[1],"b":[]}`, `{"a":[],"b":[1]}`, `{"a\":1,\"b":2}`, `{"a":1,"b":2}`,
		`"#"`, `"é"`, `"e\u0301"`, `"\u0000"`, `"\ufffd"`, `"\ufffd\ufffd"`, `"a b"`, `"a  b"`,
	}
	seen := map[idempotency.Digest]string{}
	for _, text := range texts {
		d := fingerprint(t, text)
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have the same fingerprint", other, text)
		}
		seen[d] = text
	}
}

func TestFingerprintRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"!", "{", "}", "[", "[1", "[1 2]", "[1,]", "[,1]", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{a:1}`, `{1:1}`,
		`"`, `"a`, `"\`, `"\x"`, `"\u12"`, `"\u12G4"`, `"\ud800\uZZZZ"`, "\"\n\"", "\"\x00\"", "'a'",
		"01", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "NaN", "nul", "nulla", "True", "1 1", "{}{}", "null,", "\ufeff{}", "\x00",
		strings.Repeat("[", 1002) + strings.Repeat("]", 1002),
		strings.Repeat("[", 1<<20),
		strings.Repeat(`{"a":`, 1<<18),
	} {
		if _, err := idempotency.Fingerprint([]byte(text)); err == nil {
			t.Errorf("Fingerprint(%.40q) = nil error, want one", text)
		}
	}
	fingerprint(t, strings.Repeat("[", 1000)+"1"+strings.Repeat("]", 1000))
}

// TestFingerprintStays pins what stores hold for a week: it must not change.
func TestFingerprintStays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`: "44136fa355b3678a",
		`{"monto":89900.00,"ids":[1,2],"nota":"a\"b"}`:               "411e52d145ce2d4e",
		`{"b":"` + strings.Repeat("x", 300) + `","a":{"z":1,"y":2}}`: "b580b285f8f14ee7",
	} {
		d := fingerprint(t, text)
		if got := hex.EncodeToString(d[:8]); got != want {
			t.Errorf("Fingerprint(%.60s) = %s..., want %s", text, got, want)
		}
	}
}

// reference is a slow reading of the same rules on encoding/json.
func reference(tb testing.TB, text []byte) (string, bool) {
	tb.Helper()
	if len(bytes.Trim(text, " \t\r\n")) == 0 {
		return "{}", true
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil || decoder.More() || !json.Valid(text) {
		return "", false
	}
	if v == nil {
		return "{}", true
	}
	out, err := json.Marshal(v)
	if err != nil {
		tb.Fatalf("reference: %v", err)
	}
	return string(out), true
}

// FuzzFingerprint holds two texts to the reference: they have one fingerprint
// exactly if they are one value.
func FuzzFingerprint(f *testing.F) {
	for _, pair := range [][2]string{
		{`{"a":1,"b":[true,null,"x"]}`, `{"b":[true,null,"x"],"a":1}`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`"\ud800\udc00"`, "\"\xf0\x90\x80\x80\""},
		{`"\ud800"`, "\"\xff\""},
		{`1.0`, `1`},
		{``, `null`},
		{`[[[{"z":{"y":"` + strings.Repeat("q", 300) + `","x":1}}]]]`, `{"#":"#"}`},
	} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var digests [2]idempotency.Digest
		var values [2]string
		for i, text := range [][]byte{a, b} {
			value, ok := reference(t, text)
			d, err := idempotency.Fingerprint(text)
			if depth(text) > 1000 {
				return
			}
			if (err == nil) != ok {
				t.Fatalf("Fingerprint(%q): %v, valid: %v", text, err, ok)
			}
			if err != nil {
				return
			}
			digests[i], values[i] = d, value
		}
		if (digests[0] == digests[1]) != (values[0] == values[1]) {
			t.Errorf("%q and %q: same fingerprint %v, same value %v", a, b, digests[0] == digests[1], values[0] == values[1])
		}
	})
}

// depth is an upper bound for how deep a text is nested.
func depth(text []byte) int { return bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")) }

// FuzzFingerprintOrder makes a value from a seed, writes it with its members in
// another order and other escapes, and changes one leaf.
func FuzzFingerprintOrder(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Add(uint64(42), uint64(7))
	f.Fuzz(func(t *testing.T, seed, order uint64) {
		v := anyValue(rand.New(rand.NewPCG(seed, 0)), 4)
		plain := write(nil, v, nil)
		want := fingerprint(t, string(plain))
		shuffled := write(nil, v, rand.New(rand.NewPCG(order, 1)))
		if fingerprint(t, string(shuffled)) != want {
			t.Errorf("%s and %s differ, want the same", plain, shuffled)
		}
		if c := (&changer{at: rand.New(rand.NewPCG(order, 2)).IntN(leaves(v) + 1)}); c.change(&v) {
			if changed := write(nil, v, nil); fingerprint(t, string(changed)) == want {
				t.Errorf("%s and %s have the same fingerprint", plain, changed)
			}
		}
	})
}

// object keeps its members in order, unlike a map.
type object []field

type field struct {
	name  string
	value any
}

func anyValue(r *rand.Rand, depth int) any {
	kind := r.IntN(7)
	if depth == 0 {
		kind = r.IntN(5)
	}
	switch kind {
	case 0:
		return r.IntN(2) == 0
	case 1:
		return nil
	case 2:
		return r.IntN(100)
	case 3:
		return r.Uint64()
	case 4:
		return strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(120))
	case 5:
		list := make([]any, r.IntN(5))
		for i := range list {
			list[i] = anyValue(r, depth-1)
		}
		return list
	default:
		var o object
		for i := range r.IntN(6) {
			o = append(o, field{string(rune('a'+r.IntN(26))) + string(rune('0'+i)), anyValue(r, depth-1)})
		}
		return o
	}
}

// write writes v as JSON, in disorder if r is not nil.
func write(dst []byte, v any, r *rand.Rand) []byte {
	gap := func() {
		if r != nil {
			dst = append(dst, " \n\t\r "[:r.IntN(3)]...)
		}
	}
	gap()
	switch v := v.(type) {
	case object:
		fields := slices.Clone(v)
		if r != nil {
			r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		}
		dst = append(dst, '{')
		for i, f := range fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = write(dst, f.name, r)
			gap()
			dst = append(dst, ':')
			dst = write(dst, f.value, r)
		}
		gap()
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = write(dst, e, r)
		}
		return append(dst, ']')
	case string:
		dst = append(dst, '"')
		for _, b := range []byte(v) {
			if r != nil && r.IntN(4) == 0 {
				dst = append(dst, `\u00`...)
				dst = append(dst, "0123456789abcdef"[b>>4], "0123456789ABCDEF"[b&15])
				continue
			}
			dst = append(dst, b)
		}
		return append(dst, '"')
	default:
		text, _ := json.Marshal(v)
		return append(dst, text...)
	}
}

func leaves(v any) int {
	switch v := v.(type) {
	case object:
		n := 0
		for _, f := range v {
			n += leaves(f.value)
		}
		return n
	case []any:
		n := 0
		for _, e := range v {
			n += leaves(e)
		}
		return n
	default:
		return 1
	}
}

// changer changes the leaf with a number, counted from 0.
type changer struct{ at int }

func (c *changer) change(v *any) bool {
	switch x := (*v).(type) {
	case object:
		for i := range x {
			if c.change(&x[i].value) {
				return true
			}
		}
		return false
	case []any:
		for i := range x {
			if c.change(&x[i]) {
				return true
			}
		}
		return false
	}
	if c.at > 0 {
		c.at--
		return false
	}
	*v = "changed to what no leaf is"
	return true
}

func BenchmarkFingerprint(b *testing.B) {
	small := `{"cita_id":"cita_8841","documento":"CC1032456789","fecha":"2026-09-03T09:00:00-05:00",` +
		`"motivo":"El cliente pidió mover la visita","notificar":true,"prioridad":3,"tags":["norte","fibra"]}`
	if len(small) < 180 || len(small) > 220 {
		b.Fatalf("the small text has %d bytes, want about 200", len(small))
	}
	unsorted := `{"tags":["norte","fibra"],"prioridad":3,"notificar":true,"motivo":"El cliente pidió mover la visita",` +
		`"fecha":"2026-09-03T09:00:00-05:00","documento":"CC1032456789","cita_id":"cita_8841"}`
	list := `{"items":[` + strings.TrimSuffix(strings.Repeat(small+",", 9), ",") + `],"total":9}`
	// What sorting at every level of a deep text could make expensive.
	nested := strings.Repeat(`{"b":0,"a":`, 900) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", 900)
	for _, bc := range []struct{ name, text string }{
		{"200B", small}, {"200B/unsorted", unsorted}, {"2KB", list}, {"1MB/nested", nested},
	} {
		b.Run(bc.name, func(b *testing.B) {
			text := []byte(bc.text)
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := idempotency.Fingerprint(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
