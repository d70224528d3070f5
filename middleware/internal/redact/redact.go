// Package redact takes out of a text what must never leave the server. What is
// recognised, and where its form comes from:
//
//   - Credentials named by a key (assign.go, value.go):
//     password, secret, token, API key, access key, contraseña, clave and the
//     like, followed by ':' or '=' or inside an XML element; bare, quoted, in
//     JSON that is itself inside a string, in a query string. A query string
//     also has sig=, key= and signature= (Azure SAS, Google API keys, AWS
//     signature version 4).
//   - "Bearer" credentials (RFC 6750, section 2.1) and JSON web tokens
//     (RFC 7515, section 3.1: the first part decodes to JSON that has "alg").
//   - Private keys in PEM (RFC 7468, RFC 1421, OpenPGP's RFC 9580 6.2), also
//     on one line, with \n written out, or cut off before the end.
//   - Keys with a public prefix (keys.go), as their vendors document
//     them.
//   - Connection strings (url.go): a URL with a password (RFC 3986,
//     section 3.2.1), JDBC, the keyword lists of libpq, ODBC and ADO.NET, the
//     form of Go's MySQL driver, and incoming web hooks, whose URL is the
//     secret. They go as a whole, so that the host goes too.
//   - Addresses of the inside (net.go): private (RFC 1918), shared
//     (RFC 6598), loopback and link-local IPv4 (RFC 1122, RFC 3927), unique
//     local, link-local and loopback IPv6 (RFC 4193, RFC 4291), with their
//     port; hosts below .internal (ICANN, 2024), .local (RFC 6762), .svc,
//     .corp, .lan and .localdomain; localhost with a port (RFC 6761). A person
//     may have a reason to say "192.168.1.1"; it is taken out all the same.
//   - Stack traces (trace.go): goroutine dumps and panics of Go, and
//     the traces of Java, Python, JavaScript, .NET and PHP, each as a whole.
//
// Invisible characters inside of a secret do not hide it, nor does a line
// break; an empty line ends whatever came before it.
//
// What is not recognised: a secret in a sentence ("mi clave es ..."), a
// passphrase of plain words after a colon, PINs and one-time codes (tools send
// those on purpose), a key without a name or a public form, a host with one
// label, a public address, and text that was encoded (base64, percent signs,
// homoglyphs). Text knows nothing of the field in which a text stands; for whoever
// walks the data there is [Name].
//
// The text is read once, from left to right: every place at which something
// may start costs a bounded look around, or takes out what it reads. Whatever
// was taken out is opaque to what follows, which makes a second pass find
// nothing. A text with invisible characters is read twice.
package redact

import "strings"

// Placeholder stands for whatever was taken out. It can be said.
const Placeholder = "[dato oculto]"

// Text takes secrets and the inside of the server out of s and says how
// many pieces it replaced. When there are none it returns s itself and, unless
// s has invisible characters, allocates nothing. Applying it twice is the same
// as applying it once. Bytes that are not UTF-8 pass as they are; a piece never
// begins or ends inside a character.
func Text(s string) (clean string, found int) {
	spans := find(s)
	if len(spans) == 0 {
		return s, 0
	}
	var b strings.Builder
	b.Grow(len(s) + len(Placeholder))
	end := 0
	for _, p := range spans {
		b.WriteString(s[end:p.lo])
		b.WriteString(Placeholder)
		end = p.hi
	}
	b.WriteString(s[end:])
	return b.String(), len(spans)
}

// Lines marks the lines of a text that hold a piece which goes over several of them,
// as private keys and stack traces do. It is nil if there is none.
func Lines(lines []string) (marked []bool) {
	at, i := 0, 0 // where line i begins
	for _, p := range find(strings.Join(lines, "\n")) {
		for ; at+len(lines[i]) < p.lo; i++ {
			at += len(lines[i]) + len("\n")
		}
		if p.hi <= at+len(lines[i]) {
			continue
		}
		if marked == nil {
			marked = make([]bool, len(lines))
		}
		for from, k := at, i; from < p.hi; k++ {
			marked[k] = true
			from += len(lines[k]) + len("\n")
		}
	}
	return marked
}

// cutSpan is a piece of a text to be taken out.
type cutSpan struct {
	lo, hi int
	trace  bool // the piece is a stack trace
}

// find returns the pieces of s to take out, in order, apart from each
// other.
func find(s string) []cutSpan {
	r := scanner{s: s}
	if r.scan() && !r.hides() {
		return r.spans
	}
	r = scanner{s: visible(s), view: true}
	r.scan()
	mapBack(s, r.spans)
	return r.spans
}

// scanner reads one text.
type scanner struct {
	s      string
	view   bool // s is what is visible of the caller's text
	done   int  // the last finding ends there
	floor  int  // nothing before it belongs to what comes next: a finding or an escape ends there
	chain  int  // keyword lists that start before it were read and hold no password
	barren int  // no JSON web token starts before it
	spans  []cutSpan
}

// scan collects the pieces of the text. It gives up and reports false at an
// invisible character, unless the text is a view already: the caller has to
// come back with the visible text.
func (r *scanner) scan() bool {
	s := r.s
	for i := 0; i < len(s); {
		kind := byteClass[s[i]]
		switch {
		case kind&alnum != 0:
			head := &keyHeads[s[i]&127]
			if i+1 < len(s) && head.second>>(s[i+1]&63)&1 != 0 {
				if next := r.word(i, head.keys); next > i {
					i = next
					continue
				}
			}
			for i++; i < len(s) && byteClass[s[i]]&alnum != 0; i++ {
			}
		case kind&lead != 0 && !r.view && invisibleEnd(s, i) > 0:
			return false
		case kind&markByte != 0:
			i = r.mark(i)
		default:
			i++
		}
	}
	return true
}

// hides reports whether scan passed over an invisible character inside of what
// it found.
func (r *scanner) hides() bool {
	for _, p := range r.spans {
		for i := p.lo; i < p.hi; i++ {
			if skipInvisible(r.s, i) > 0 {
				return true
			}
		}
	}
	return false
}

// word looks at the word that starts at i, which may be one of the keys or
// begin something else, and returns the end of what it took out, or i.
func (r *scanner) word(i int, keys []keyForm) int {
	s := r.s
	lo, hi := i, 0
	switch s[i] {
	case '0', '1':
		hi = r.ipv4(i)
	case 'f', 'F':
		lo, hi = r.ipv6(i)
	case 'b', 'B':
		lo, hi = bearer(s, i)
	case 'e':
		hi = r.jwt(i)
	}
	if hi == 0 {
		lo, hi = i, vendorKey(s, i, keys)
	}
	if hi > 0 {
		return r.take(lo, hi, false)
	}
	if lo, hi = r.trace(i); hi > 0 {
		return r.take(lo, hi, true)
	}
	return i
}

// mark looks at the punctuation at i and returns where to go on: behind it, or
// behind what it took out.
func (r *scanner) mark(i int) int {
	s := r.s
	lo, hi := 0, 0
	switch s[i] {
	case '[':
		if strings.HasPrefix(s[i:], Placeholder) {
			r.done = i + len(Placeholder)
			r.floor = r.done
			return r.done
		}
	case '\\', '%':
		return r.escape(i)
	case '-':
		lo, hi = i, pemEnd(s, i)
	case '.':
		lo, hi = r.host(i)
	case '@':
		lo, hi = r.driverDSN(i)
	case '>':
		lo, hi = r.assign(i, 1, '>')
	case '=':
		if lo, hi = r.keywordList(i); hi == 0 {
			lo, hi = r.assign(i, 1, '=')
		}
	case ':':
		lo, hi = r.colon(i)
	}
	if hi > 0 {
		return r.take(lo, hi, false)
	}
	return i + 1
}

// colon looks at the busiest mark of all.
func (r *scanner) colon(i int) (lo, hi int) {
	if lo, hi = r.url(i); hi > 0 || strings.HasPrefix(r.s[i:], "://") {
		return lo, hi
	}
	if lo, hi = r.localhost(i); hi > 0 {
		return lo, hi
	}
	if lo, hi = r.telegram(i); hi > 0 {
		return lo, hi
	}
	if lo, hi = r.ipv6(i); hi > 0 {
		return lo, hi
	}
	return r.assign(i, 1, ':')
}

// separators are the separators that an escape may stand for.
var separators = [...]struct {
	escape string
	sep    byte
}{{"%3d", '='}, {"%3a", ':'}, {`\u003d`, '='}, {`\u003e`, '>'}}

// escape steps over the escape at i, so that a word starts behind it. An
// escaped separator separates.
func (r *scanner) escape(i int) int {
	w := escapeEnd(r.s, i)
	if w == 0 {
		return i + 1
	}
	for _, e := range separators {
		if !fold(r.s, i, e.escape) {
			continue
		}
		if lo, hi := r.assign(i, w, e.sep); hi > 0 {
			return r.take(lo, hi, false)
		}
	}
	r.floor = i + w
	return r.floor
}

// take records a finding and returns its end. A trace reaches back to its
// header and swallows what was found in there; findings that touch are one.
func (r *scanner) take(lo, hi int, trace bool) int {
	for n := len(r.spans); n > 0 && lo <= r.spans[n-1].hi; n-- {
		last := r.spans[n-1]
		lo, trace = min(lo, last.lo), trace || last.trace
		r.spans = r.spans[:n-1]
	}
	r.spans = append(r.spans, cutSpan{lo: lo, hi: hi, trace: trace})
	r.done, r.floor = hi, hi
	return hi
}
