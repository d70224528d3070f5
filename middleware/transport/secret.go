package transport

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/portavoz/portavoz/middleware/call"
)

// Bounds of a secret, in bytes. A shorter one is accepted with a warning: the
// operator may have no say in it.
const (
	weakSecret = 16
	maxSecret  = 4096
)

type digest [sha256.Size]byte

// Bearer accepts an Authorization header with scheme Bearer (RFC 6750) and one
// of the secrets. All of them prove the principal name, so that a secret can
// be rotated: Bearer("asixto", current, previous).
//
// [Authenticate] refuses a secret that no header can carry as it is (blank,
// space around it, control characters), that is longer than 4096 bytes, or that
// is given to another name too, and warns of one shorter than 16 bytes.
func Bearer(name string, secrets ...string) Credential {
	return secret("Bearer", name, "Authorization", "Bearer", secrets)
}

// APIKey accepts a header of its own, such as X-API-Key, that holds one of the
// secrets; see [Bearer] for the rest.
func APIKey(header, name string, secrets ...string) Credential {
	return secret("APIKey", name, header, "", secrets)
}

func secret(kind, name, header, scheme string, secrets []string) Credential {
	c := Credential{kind: kind, name: name}
	if len(secrets) == 0 {
		c.name = "" // it may be the secret, given in the wrong place
		c.problems = append(c.problems, "needs a name and at least one secret")
		return c
	}
	c.checkName()
	c.checkHeader(header)
	p := &secretProof{caller: call.Caller{Name: name}, header: http.CanonicalHeaderKey(header), scheme: scheme}
	for _, s := range secrets {
		c.checkSecret(s)
		p.weak = p.weak || len(s) < weakSecret
		p.digests = append(p.digests, sha256.Sum256([]byte(s)))
	}
	c.proof = p
	return c
}

// CustomHeaders accepts a request that carries all of the headers with exactly
// these values. Headers that are no secret, such as a client's name, may be
// among them. To rotate a value, give two CustomHeaders of the same name.
func CustomHeaders(name string, headers map[string]string) Credential {
	c := Credential{kind: "CustomHeaders", name: name}
	if len(headers) == 0 {
		c.problems = append(c.problems, "needs at least one header")
		return c
	}
	c.checkName()
	all := headersProof{caller: call.Caller{Name: name}}
	seen := map[string]bool{}
	for _, header := range slices.Sorted(maps.Keys(headers)) {
		c.checkHeader(header)
		c.checkSecret(headers[header])
		canonical := http.CanonicalHeaderKey(header)
		if seen[canonical] {
			c.problems = append(c.problems, "a header is given twice, in different case")
		}
		seen[canonical] = true
		all.values = append(all.values, headerValue{canonical, sha256.Sum256([]byte(headers[header]))})
		all.strong = all.strong || len(headers[header]) >= weakSecret
	}
	slices.SortFunc(all.values, func(a, b headerValue) int { return strings.Compare(a.header, b.header) })
	c.proof = &all
	return c
}

func (c *Credential) checkName() {
	if !validName(c.name) {
		c.problems = append(c.problems, "the name must be printable, not blank, without space around it, 255 bytes at most")
	}
}

// checkHeader does not quote the header: a secret may stand in its place.
func (c *Credential) checkHeader(header string) {
	if !validHeader(header) {
		c.problems = append(c.problems, "a header name is not a token of RFC 9110")
	}
}

func (c *Credential) checkSecret(s string) {
	switch {
	case strings.TrimSpace(s) == "":
		c.problems = append(c.problems, "a secret is blank")
	case strings.TrimSpace(s) != s, strings.ContainsFunc(s, unicode.IsControl):
		c.problems = append(c.problems, "a secret has space around it or a control character, which no header can carry")
	case len(s) > maxSecret:
		c.problems = append(c.problems, "a secret is longer than 4096 bytes")
	}
}

// secretProof is one header with one of several secrets.
type secretProof struct {
	caller  call.Caller
	header  string
	scheme  string // before the secret, or ""
	digests []digest
	weak    bool
}

func (p *secretProof) prove(r *http.Request) (call.Caller, error) {
	value, err := line(r, p.header)
	if err != nil {
		return call.Caller{}, err
	}
	if p.scheme != "" {
		scheme, rest, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, p.scheme) {
			return call.Caller{}, errAbsent
		}
		value = strings.Trim(rest, " ")
	}
	if len(value) > maxSecret {
		return call.Caller{}, errWrong
	}
	// The digests hide the length, and every one is compared, so that the
	// time taken says nothing about the secrets.
	got := digest(sha256.Sum256([]byte(value)))
	match := 0
	for i := range p.digests {
		match |= subtle.ConstantTimeCompare(got[:], p.digests[i][:])
	}
	if match != 1 {
		return call.Caller{}, errWrong
	}
	return p.caller, nil
}

// headersProof is several headers, each with its value.
type headersProof struct {
	caller call.Caller
	values []headerValue
	strong bool
}

type headerValue struct {
	header string
	digest digest
}

func (p *headersProof) prove(r *http.Request) (call.Caller, error) {
	match, present := 1, false
	for _, v := range p.values {
		value, err := line(r, v.header)
		if err != nil && !errors.Is(err, errAbsent) {
			return call.Caller{}, err
		}
		present = present || err == nil
		got := digest{}
		if err == nil && len(value) <= maxSecret {
			got = sha256.Sum256([]byte(value))
		}
		match &= subtle.ConstantTimeCompare(got[:], v.digest[:])
	}
	switch {
	case match == 1:
		return p.caller, nil
	case present:
		return call.Caller{}, errWrong
	default:
		return call.Caller{}, errAbsent
	}
}
