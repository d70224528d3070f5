package idempotency

import "crypto/sha256"

// Fingerprint is the digest of a JSON value, such as the arguments of a tool.
// Two texts have the same fingerprint if they are the same value to a careful
// reader:
//
//   - the order of an object's members does not count, and of members with one
//     name the last counts, as in encoding/json;
//   - white space does not count;
//   - strings count by value, however they are escaped. What is no text (bytes
//     that are not UTF-8, half a surrogate pair) reads as U+FFFD, as in
//     encoding/json;
//   - numbers count as they are written: 1, 1.0 and 1e0 differ, and so do
//     9007199254740993 and 9007199254740992;
//   - no bytes, white space and null are the empty object, so that "no
//     arguments" is one thing.
//
// Anything that is not one JSON value, and one that is nested deeper than 1,000
// levels, is an error. The digest is the same in every process and version.
func Fingerprint(raw []byte) (Digest, error) {
	var (
		text    [1024]byte
		members [16]member
		open    [8]frame
	)
	c, d := canon{in: raw}, draft{text[:0], members[:0], open[:0]}
	if c.space(); c.pos == len(c.in) {
		return sha256.Sum256([]byte("{}")), nil
	}
	d, err := c.rewrite(d)
	if err != nil {
		return Digest{}, err
	}
	if c.space(); c.pos < len(c.in) {
		return Digest{}, c.fail("something follows the value")
	}
	if string(d.text) == "null" {
		d.text = append(d.text[:0], "{}"...)
	}
	return sha256.Sum256(d.text), nil
}
