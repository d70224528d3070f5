package transport

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/call"
)

// Credential is one way in which a client proves who it is. Make it with
// [Bearer], [APIKey], [CustomHeaders], [TrustedHeader], [Verifier] or [Open],
// and hand it to [Authenticate] or [Gateway], which report what is wrong with
// it. A Credential is not changed after it was made, and holds digests, not
// secrets; nothing of them is printed by any verb.
type Credential struct { //nolint:recvcheck // constructors fill it in; everybody else has copies
	kind     string // the constructor
	name     string // of the principal, or of the header that names it
	tenant   string
	scopes   []string
	proof    proof
	problems []string
}

// proof looks for one credential in a request. It returns errAbsent,
// *rejection, or any error of a Verifier.
type proof interface {
	prove(r *http.Request) (call.Caller, error)
}

// Tenant returns the credential bound to a tenant: [call.Caller.Tenant] of
// whoever presents it.
func (c Credential) Tenant(tenant string) Credential {
	c.tenant = tenant
	return c
}

// Scopes returns the credential with what it allows: [call.Caller.Scopes] of
// whoever presents it.
func (c Credential) Scopes(scopes ...string) Credential {
	c.scopes = slices.Clone(scopes)
	return c
}

// bind puts what the credential is bound to into the caller it proved.
func (c Credential) bind(who call.Caller) call.Caller {
	if c.tenant != "" {
		who.Tenant = c.tenant
	}
	if c.scopes != nil {
		who.Scopes = c.scopes
	}
	return who
}

// String names the credential, such as Bearer("asixto").
func (c Credential) String() string {
	if c.name == "" {
		return c.kind + "()"
	}
	return c.kind + "(" + strconv.Quote(c.name) + ")"
}

// Format prints [Credential.String] for every verb, %+v and %#v included.
func (c Credential) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// maxName bounds the name of a principal, in bytes. It becomes part of keys
// and of log lines.
const maxName = 255

// validName reports whether a name can stand for a principal: printable, not
// blank, without space around it, 255 bytes at most.
func validName(name string) bool {
	return name != "" && len(name) <= maxName && utf8.ValidString(name) &&
		strings.TrimSpace(name) == name &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// validHeader reports whether name is a header name (RFC 9110, token).
func validHeader(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// line returns the only line of a header. None is errAbsent; two are refused,
// since another reader may believe the other one.
func line(r *http.Request, header string) (string, error) {
	switch lines := r.Header[header]; len(lines) {
	case 0:
		return "", errAbsent
	case 1:
		return lines[0], nil
	default:
		return "", &rejection{reason: "repeated_credential", final: true}
	}
}
