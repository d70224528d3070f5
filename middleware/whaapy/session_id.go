package whaapy

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

// An id is, in base64url (RFC 4648, section 5), a version, the second of its making, 16
// random bytes, the name of the client, and the first 16 bytes of the HMAC-SHA256 of
// all that and of the caller, who is not in it.
const (
	idVersion = 1
	minKey    = 32 // bytes
	randomLen = 16
	macLen    = 16
	headLen   = 1 + 8 + randomLen
	maxClient = 64  // bytes
	maxID     = 192 // characters
)

// session is what an id says.
type session struct {
	name   string // of the session, for [Closed]
	issued time.Time
	client string
}

// issue makes an id for the caller of ctx. The name of a client that is too long is left
// out.
func (s *Sessions) issue(ctx context.Context, client string) string {
	id := make([]byte, headLen, headLen+maxClient+macLen)
	id[0] = idVersion
	binary.BigEndian.PutUint64(id[1:], uint64(time.Now().Unix()))
	_, _ = rand.Read(id[1+8:]) // never fails
	if len(client) <= maxClient {
		id = append(id, client...)
	}
	return base64.RawURLEncoding.EncodeToString(append(id, sign(s.cfg.Keys[0], callerOf(ctx), id)...))
}

// parse reads an id that one of the keys has signed for the caller of ctx and that has
// not expired.
func (s *Sessions) parse(ctx context.Context, id string) (session, error) {
	if len(id) > maxID {
		return session{}, errUnknown
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(raw) < headLen+macLen {
		return session{}, errUnknown
	}
	body, mac := raw[:len(raw)-macLen], raw[len(raw)-macLen:]
	known, caller := false, callerOf(ctx)
	for _, key := range s.cfg.Keys {
		known = hmac.Equal(mac, sign(key, caller, body)) || known
	}
	if !known || body[0] != idVersion {
		return session{}, errUnknown
	}
	found := session{
		name:   base64.RawURLEncoding.EncodeToString(body[1+8 : headLen]),
		issued: time.Unix(int64(binary.BigEndian.Uint64(body[1:])), 0),
		client: string(body[headLen:]),
	}
	if time.Since(found.issued) >= s.cfg.TTL {
		return session{}, errExpired
	}
	return found, nil
}

// sign is for these ids alone: a key that signs other things, too, does not sign them
// by accident.
func sign(key, caller, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("portavoz/whaapy session\n"))
	h.Write(caller)
	h.Write(body)
	return h.Sum(nil)[:macLen]
}

// callerOf is who calls, each part behind its length, so that no two callers and bodies
// read alike.
func callerOf(ctx context.Context) []byte {
	caller, _ := call.CallerFrom(ctx)
	var b []byte
	for _, part := range [...]string{caller.Name, caller.Tenant} {
		b = append(binary.AppendUvarint(b, uint64(len(part))), part...)
	}
	return b
}
