package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
)

// NewDigest hashes a tuple of texts. Each part goes in with its length, so that
// ("a|b", "c") and ("a", "b|c") differ. It does not allocate for tuples of up to
// 512 bytes.
func NewDigest(parts ...string) Digest {
	var stack [512]byte
	buf := stack[:0]
	for _, part := range parts {
		buf = binary.AppendUvarint(buf, uint64(len(part)))
		buf = append(buf, part...)
	}
	return sha256.Sum256(buf)
}
