package storetest

import (
	"strings"

	"github.com/portavoz/portavoz/idempotency"
)

// tokens that a store might take for each other, or cut, or read as something
// else than text.
var tokens = []string{
	"a", "A", "ab", " a", "a ", "á", "a\u0301",
	"0", "00", "-0", "0.0", "1e3", "1000", "9007199254740992", "9007199254740993",
	"nil", "null", "true", `""`, `"`, "'", `\`, "{}", "{a}", "%s", "$1", "?", "*", ":", ";--",
	"\n", "\r\n", "\t", "\x7f", "\u2028", "\U0001F512",
	strings.Repeat("x", 63), strings.Repeat("x", 64), strings.Repeat("x", 63) + "y",
	strings.Repeat("ñ", 32), strings.Repeat("9", 64), strings.Repeat("f", 32),
}

var hostileRules = []rule{
	{"keys that differ in one byte are different operations", func(k *kit) {
		c := newClaim()
		k.expect(c, idempotency.Acquired)
		for i := range c.Key {
			other := rival(c)
			other.Key[i] ^= 1
			k.expect(other, idempotency.Acquired)
		}
		k.complete(c, []byte("the first one's"))
		k.expectResult(c, []byte("the first one's"))
	}},
	{"fingerprints that differ in one byte are a conflict", func(k *kit) {
		c := k.acquired()
		for i := range c.Fingerprint {
			other := c
			other.Fingerprint[i] ^= 0x80
			k.expect(other, idempotency.Conflict)
		}
		k.complete(c, nil)
	}},
	{"keys and fingerprints may be any bytes", func(k *kit) {
		for _, fill := range []byte{0x00, 0x01, '\t', '\n', '\r', ' ', '"', '%', '*', ':', '\\', '{', '}', 0x7f, 0x80, 0xc3, 0xff} {
			c := newClaim()
			for i := range c.Key[:16] { // the rest keeps it from others who share the store
				c.Key[i] = fill
			}
			c.Key[31] = fill
			for i := range c.Fingerprint {
				c.Fingerprint[i] = fill
			}
			k.expect(c, idempotency.Acquired)
			k.conflicts(c)
			k.complete(c, []byte{fill})
			k.expectResult(c, []byte{fill})
		}
	}},
	{"a key may be its own fingerprint", func(k *kit) {
		c := newClaim()
		c.Fingerprint = c.Key
		k.expect(c, idempotency.Acquired)
		k.conflicts(c)
		k.complete(c, nil)
	}},
	{"a token is compared byte for byte", func(k *kit) {
		for i, token := range tokens {
			c := newClaim()
			c.Token = token
			k.expect(c, idempotency.Acquired)
			k.expect(c, idempotency.Acquired)
			for _, other := range []int{i + 1, i + len(tokens) - 1} {
				stranger := c
				stranger.Token = tokens[other%len(tokens)]
				k.expect(stranger, idempotency.InProgress)
				k.refuses(stranger)
			}
			k.extend(c, longLease)
			k.complete(c, []byte(token))
			k.complete(c, []byte(token))
			k.expectResult(c, []byte(token))
		}
	}},
}
