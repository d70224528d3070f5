package middleware

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portavoz/portavoz/middleware/internal/document"
	"github.com/portavoz/portavoz/middleware/internal/redact"
)

// nameRule says what becomes of members of a name.
type nameRule uint8

const (
	plainName      nameRule = iota // nothing
	publicName                     // it stays
	credentialName                 // it goes, unless it says only whether there is one
	forbiddenName                  // it goes, unless it is null
	secretName                     // the name is a secret itself, and cannot be changed
	opaqueName                     // it goes if it is a text that looks random
	cardName                       // the number of a payment card goes from it, and from inside of it
)

// forbids reports whether a member, or one of its items, goes.
func (rule nameRule) forbids(n *document.Node) bool {
	switch rule {
	case credentialName:
		return n.Kind() != document.Null && n.Kind() != document.Bool
	case forbiddenName:
		return n.Kind() != document.Null
	case secretName:
		return true
	case opaqueName:
		return isOpaque(n)
	case plainName, publicName, cardName:
	}
	return false
}

// isOpaque reports whether a text, or one of a list, looks random.
func isOpaque(n *document.Node) bool {
	if n.Kind() != document.Array {
		return redact.Opaque.Holds(n.Text())
	}
	for item := range n.Children() {
		if redact.Opaque.Holds(item.Text()) {
			return true
		}
	}
	return false
}

// hides reports whether a value is hidden that is said to have a name of this kind.
func (rule nameRule) hides() bool { return rule == credentialName || rule == forbiddenName }

// rule is read, which remembers the names of members.
func (r *redactor) rule(name string) nameRule { return r.known.of(name, r.read) }

// read says what becomes of a member of this name.
func (r *redactor) read(name string) nameRule {
	_, found := r.text(name)
	switch {
	case found > 0:
		return secretName
	case r.public.has(name):
		return publicName
	case r.fields.has(name):
		return forbiddenName
	case redact.Name(name), r.hideIDs && isIDName(name) && !isHandle(name):
		return credentialName
	}
	switch redact.DoubtOf(name) {
	case redact.Opaque:
		return opaqueName
	case redact.Card:
		return cardName
	case redact.NoDoubt:
	}
	return plainName
}

// names is a set of names of members, compared without case, separators and
// accents.
type names map[string]struct{}

func newNames(list []string) names {
	if len(list) == 0 {
		return nil
	}
	set := make(names, len(list))
	for _, name := range list {
		set[string(foldName(nil, name))] = struct{}{}
	}
	return set
}

func (set names) has(name string) bool {
	if set == nil {
		return false
	}
	var buffer [64]byte
	_, ok := set[string(foldName(buffer[:0], name))]
	return ok
}

// foldName appends the letters and digits of a name in lower case, without accents.
func foldName(dst []byte, name string) []byte {
	for _, r := range name {
		switch {
		case unicode.IsUpper(r):
			r = unicode.ToLower(r)
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			continue
		}
		dst = utf8.AppendRune(dst, unaccented(r))
	}
	return dst
}

// isHandle reports whether a name is that of an identifier which is made for the client
// to ask with, see [Deferred] and [Approve].
func isHandle(name string) bool { return name == jobIDName || name == approvalIDName }

// isIDName reports whether a name is that of an internal identifier, or of several:
// its first or its last word says so, as in cliente_id, clienteId, clienteID,
// id_cliente, idCliente, _id, uuid.
func isIDName(name string) bool {
	name = strings.Trim(name, "_-. ")
	first, last := name, name
	if i := strings.IndexFunc(name, isSeparator); i >= 0 {
		first, last = name[:i], name[strings.LastIndexFunc(name, isSeparator)+1:]
	}
	return isIDWord(first) || isIDWord(last) || isIDWord(first[:firstHump(first)]) || endsInIDHump(last)
}

func isIDWord(word string) bool {
	switch strings.ToLower(word) {
	case "id", "ids", "uuid", "uuids", "guid", "guids", "oid", "pk":
		return true
	}
	return false
}

func isSeparator(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ' ' }

// firstHump is where the second word of camelCase starts.
func firstHump(word string) int {
	for i := 1; i < len(word); i++ {
		if isUpper(word[i]) && !isUpper(word[i-1]) {
			return i
		}
	}
	return 0
}

// endsInIDHump looks at the last word of camelCase. Behind several capitals there are
// two ways to read it: clienteIDs and urlXMLId.
func endsInIDHump(word string) bool {
	capital := strings.LastIndexFunc(word, unicode.IsUpper)
	if capital < 1 {
		return false
	}
	run := capital
	for run > 0 && isUpper(word[run-1]) {
		run--
	}
	return isIDWord(word[capital:]) || run > 0 && isIDWord(word[run:])
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// text takes out of a text what must not leave, and counts.
func (r *redactor) text(s string) (clean string, found int) {
	clean, found = redact.Text(s)
	for _, p := range r.patterns {
		if n := len(p.FindAllStringIndex(clean, -1)); n > 0 {
			clean, found = p.ReplaceAllLiteralString(clean, redact.Placeholder), found+n
		}
	}
	if r.hideIDs {
		var n int
		clean, n = hideUUIDs(clean)
		found += n
	}
	return clean, found
}

// uuidLen is the length of a UUID as RFC 9562, section 4, writes it.
const uuidLen = 36

// hideUUIDs takes UUIDs out of a text.
func hideUUIDs(s string) (clean string, found int) {
	if len(s) < uuidLen {
		return s, 0
	}
	const firstDash = 8
	var b strings.Builder
	end := 0
	for i := 0; ; {
		dash := strings.IndexByte(s[i:], '-')
		if dash < 0 {
			break
		}
		at := i + dash - firstDash
		i += dash + 1
		if at < end || at+uuidLen > len(s) || !isUUID(s[at:at+uuidLen]) || at > 0 && isAlnum(s[at-1]) ||
			at+uuidLen < len(s) && isAlnum(s[at+uuidLen]) {
			continue
		}
		b.WriteString(s[end:at])
		b.WriteString(redact.Placeholder)
		end, i, found = at+uuidLen, at+uuidLen, found+1
	}
	if found == 0 {
		return s, 0
	}
	b.WriteString(s[end:])
	return b.String(), found
}

func isUUID(s string) bool {
	for i := range uuidLen {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f'):
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
