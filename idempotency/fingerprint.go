package idempotency

import (
	"bytes"
	"encoding/json"

	"github.com/portavoz/portavoz/errors"
)

// Fingerprint is the digest of a JSON value, whatever the order of its keys. No
// bytes, and null, are the empty object.
func Fingerprint(raw []byte) (Digest, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return Digest{}, errors.Validation("", errors.WithCause(err))
	}
	canonical, err := json.Marshal(v)
	if err != nil {
		return Digest{}, err
	}
	return NewDigest(string(canonical)), nil
}
