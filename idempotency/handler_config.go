package idempotency

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
)

// HandlerConfig tunes [Handler]. The zero value is that of the defaults.
type HandlerConfig struct {
	// Methods are those whose requests run once per key. Default: POST and PATCH.
	Methods []string
	// RequireKey refuses a request of these methods without a key. Default:
	// false, it runs unprotected.
	RequireKey bool
	// Wait is how long a request waits for an earlier one with its key that still
	// runs, before it is answered 409. Default: 10 seconds.
	Wait time.Duration
	// MaxBody is the longest request body, in bytes. It is held in memory while
	// its request runs. Default: 1 MiB.
	MaxBody int64
	// KeepHeaders are the headers of an answer that are kept with it. Those that
	// belong to one caller or one moment, such as Set-Cookie and Date, have no
	// place here. Default: Content-Type, Content-Encoding, Content-Language,
	// Content-Disposition, Content-Location, Location, Link, ETag and
	// Last-Modified.
	KeepHeaders []string
	// Classify says what becomes of the key after an answer. Default: an answer
	// below 400 is kept. One from 400 to 499, and so 429, frees the key: the
	// request was refused and nothing happened. One from 500 on does not prove
	// that, so that the outcome is unknown and the request is not run again,
	// unless the engine has a Probe or is told to Rerun. A handler that knows
	// better can say so in a header of its own, which Classify then reads.
	Classify func(status int, header http.Header) Verdict
	// Route names what the request asks for, so that one key may be used on two
	// routes. It must not change between retries. Default: the method and the
	// escaped path of the URL. [http.StripPrefix] shortens that path: outside of
	// it, two routes that differ in the prefix only are told apart.
	Route func(*http.Request) string
	// Docs is the page on which the API explains its use of keys, as the draft
	// asks for. Default: this package's.
	Docs string
}

const defaultDocs = "https://pkg.go.dev/github.com/portavoz/portavoz/idempotency"

func (c HandlerConfig) withDefaults() (HandlerConfig, error) {
	var problems []error
	wrong := func(field, reason string) { problems = append(problems, &ConfigError{field, reason}) }
	if c.Wait < 0 {
		wrong("Wait", "is negative")
	}
	if c.MaxBody < 0 {
		wrong("MaxBody", "is negative")
	}
	if slices.ContainsFunc(c.Methods, isNoToken) {
		wrong("Methods", "one of them is no method")
	}
	if slices.ContainsFunc(c.KeepHeaders, isNoToken) {
		wrong("KeepHeaders", "one of them is no header name")
	}
	if u, err := url.Parse(c.Docs); err != nil || c.Docs != "" && (!u.IsAbs() || u.Fragment != "") {
		wrong("Docs", "is not an absolute URL without a fragment")
	}
	if c.Methods == nil {
		c.Methods = []string{http.MethodPost, http.MethodPatch}
	}
	if c.Wait == 0 {
		c.Wait = 10 * time.Second
	}
	if c.MaxBody == 0 {
		c.MaxBody = 1 << 20
	}
	if c.KeepHeaders == nil {
		c.KeepHeaders = []string{
			"Content-Type", "Content-Encoding", "Content-Language", "Content-Disposition",
			"Content-Location", "Location", "Link", "ETag", "Last-Modified",
		}
	}
	c.Methods, c.KeepHeaders = slices.Clone(c.Methods), slices.Clone(c.KeepHeaders)
	for i, name := range c.KeepHeaders {
		c.KeepHeaders[i] = http.CanonicalHeaderKey(name)
	}
	if c.Classify == nil {
		c.Classify = classify
	}
	if c.Route == nil {
		c.Route = func(r *http.Request) string { return r.Method + " " + r.URL.EscapedPath() }
	}
	if c.Docs == "" {
		c.Docs = defaultDocs
	}
	return c, errors.Join(problems...)
}

func classify(status int, _ http.Header) Verdict {
	switch {
	case status < http.StatusBadRequest:
		return Keep
	case status < http.StatusInternalServerError:
		return Release
	default:
		return Abandon
	}
}

// isNoToken reports whether s is not a token of RFC 9110, which methods and
// header names are.
func isNoToken(s string) bool {
	for i := range len(s) {
		if b := s[i]; b <= ' ' || b >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, b) >= 0 {
			return true
		}
	}
	return s == ""
}
