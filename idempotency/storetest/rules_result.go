package storetest

import (
	"bytes"
	"crypto/rand"

	"github.com/portavoz/portavoz/idempotency"
)

// largestHeld is what an engine keeps at most, unless it is told otherwise: a
// store has to hold it.
const largestHeld = 256 << 10

// results are kept byte for byte, whatever is in them.
var results = []struct {
	name   string
	result []byte
}{
	{"JSON", []byte(`{"total":9007199254740993,"nombre":"Ñandú <&> \u00e1"}`)},
	{"empty", []byte{}},
	{"one NUL", []byte{0}},
	{"NULs within", []byte("a\x00b\x00")},
	{"every byte", everyByte()},
	{"invalid UTF-8", []byte("\xff\xfe\xc3(\xed\xa0\x80")},
	{"line ends", []byte("\r\n$-1\r\n\n")},
	{"spaces around", []byte("  x \t\n")},
	{"nil in writing", []byte("nil")},
	{"null in writing", []byte("null")},
	{"zero in writing", []byte("0")},
	{"false in writing", []byte("false")},
	{"a number with many digits", []byte("9007199254740993.000000000000000001")},
	{"quotes and backslashes", []byte(`"\'` + "`" + `\\`)},
}

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

var resultRules = []rule{
	{"a result is kept byte for byte", func(k *kit) {
		for _, r := range results {
			got := k.expect(rival(k.completed(r.result)), idempotency.Completed)
			if problem := k.differs(got, r.result); problem != "" {
				k.Errorf("%s: %s", r.name, problem)
			}
		}
	}},
	{"a nil result completes, and is found dropped", func(k *kit) {
		k.expectResult(k.completed(nil), nil)
	}},
	{"a large result is kept byte for byte", func(k *kit) {
		large := random(largestHeld)
		k.expectResult(k.completed(large), large)
	}},
	{"an oversized result completes, held or dropped", func(k *kit) {
		oversized := random(4 << 20)
		c := k.completed(oversized)
		got := k.expect(rival(c), idempotency.Completed)
		if !got.Dropped && !bytes.Equal(got.Result, oversized) {
			k.Errorf("the result is neither dropped nor what it was: %s", excerpt(got.Result))
		}
		k.complete(c, oversized)
		k.refuses(c, "Complete")
	}},
	{"the store keeps a copy of the result", func(k *kit) {
		given := []byte("as it was given")
		c := k.completed(given)
		clear(given)
		k.expectResult(c, []byte("as it was given"))
	}},
	{"every claim gets a copy of the result", func(k *kit) {
		c := k.completed([]byte("as it was given"))
		first := k.expect(rival(c), idempotency.Completed)
		second := k.expect(rival(c), idempotency.Completed)
		clear(first.Result)
		if problem := k.differs(second, []byte("as it was given")); problem != "" {
			k.Errorf("after a change of another claim's copy %s", problem)
		}
		k.expectResult(c, []byte("as it was given"))
	}},
	{"results of different operations stay apart", func(k *kit) {
		a, b := k.completed([]byte("of a")), k.completed([]byte("of b"))
		k.expectResult(a, []byte("of a"))
		k.expectResult(b, []byte("of b"))
	}},
}

// random returns bytes that cannot be compressed.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return b
}
