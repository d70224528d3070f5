package middleware

import (
	"slices"
	"strings"
)

// redactKeyName is the end of a key that names a credential, in lower case and
// without separators: "password" stands for DB_PASSWORD, too, and for
// spring.datasource.password.
type redactKeyName struct {
	word  string
	whole bool       // a word of the language could end like it: it must start at a separator
	form  redactForm // how the value must be attached
}

// redactForm is how a key and its value are written.
type redactForm uint8

const (
	redactProse redactForm = iota // clave: x
	redactData                    // clave=x, "clave": x, <clave>x
	redactQuery                   // ?clave=x
	redactPlace                   // no credential: a keyword of connection strings
)

var redactKeyNames = []redactKeyName{
	{word: "password"}, {word: "passwd"}, {word: "pwd"}, {word: "passphrase"}, {word: "passwordhash"},
	{word: "secret"}, {word: "secretkey"}, {word: "secretkeybase"},
	{word: "token"}, {word: "bearer", whole: true}, {word: "authorization"},
	{word: "apikey"}, {word: "accesskey"}, {word: "privatekey"}, {word: "accountkey"}, {word: "masterkey"},
	{word: "signingkey"}, {word: "encryptionkey"}, {word: "subscriptionkey"}, {word: "authkey"},
	{word: "contrasena"}, {word: "contrasenia"}, {word: "clave", whole: true}, {word: "secreto", whole: true},
	{word: "claveapi"}, {word: "clavesecreta"}, {word: "claveprivada"}, {word: "llavesecreta"}, {word: "llaveprivada"},
	{word: "pass", whole: true, form: redactData}, {word: "auth", whole: true, form: redactData},
	{word: "credential", form: redactData}, {word: "credentials", form: redactData},
	{word: "signature", form: redactData}, {word: "cookie", whole: true},
	{word: "sessionid", form: redactData}, {word: "sessid", form: redactData},
	{word: "sig", whole: true, form: redactQuery}, {word: "key", whole: true, form: redactQuery},
}

// redactPlaces are the keywords that tell a connection string from other pairs:
// of libpq ("Parameter Key Words"), ODBC, ADO.NET and Azure Storage.
var redactPlaces = []string{
	"server", "datasource", "host", "hostaddr", "hostname", "addr", "address", "networkaddress", "port", "driver",
	"provider", "endpoint", "defaultendpointsprotocol", "accountname", "user", "userid", "uid", "username", "dbname",
	"database", "initialcatalog", "sslmode",
}

// redactCursors end like a credential and are places in a list.
var redactCursors = [...]string{"pagetoken", "nexttoken", "continuationtoken"}

// redactQualifiers may stand between a key and its colon: "clave del wifi:",
// "contraseña temporal:".
var redactQualifiers = [...]string{
	"de", "del", "la", "su", "acceso", "actual", "correo", "cuenta", "inicial", "módem", "modem", "nueva", "portal",
	"provisional", "red", "router", "seguridad", "temporal", "usuario", "wifi", "wi-fi",
}

// redactNouns make an adjective of the "clave" behind them.
var redactNouns = [...]string{
	"aspecto", "aspectos", "cifra", "cifras", "concepto", "conceptos", "dato", "datos", "elemento", "elementos",
	"factor", "factores", "fecha", "fechas", "hecho", "hechos", "idea", "ideas", "información", "mensaje", "mensajes",
	"momento", "momentos", "palabra", "palabras", "persona", "personas", "pieza", "piezas", "punto", "puntos",
	"requisito", "requisitos", "tema", "temas",
}

// redactEnyes are the ways in which the ñ of contraseña arrives: composed,
// decomposed, escaped for JSON, a URL or HTML, or read as Latin-1.
var redactEnyes = [...]string{
	"ñ", "Ñ", "n\u0303", "N\u0303", `\u00f1`, `\u00F1`, `\u00d1`, `\u00D1`, "%C3%B1", "%c3%b1", "%C3%91", "&ntilde;", "Ã±",
}

// redactNamesByEnd is the index of redactKeyNames and redactPlaces by last
// letter. It is never written to.
//
//nolint:gochecknoglobals // a table, computed once from the ones that people read
var redactNamesByEnd = redactIndexNames()

func redactIndexNames() (index [128][]redactKeyName) {
	names := slices.Clone(redactKeyNames)
	for _, place := range redactPlaces {
		names = append(names, redactKeyName{word: place, whole: true, form: redactPlace})
	}
	for _, n := range names {
		last := n.word[len(n.word)-1]
		index[last] = append(index[last], n)
	}
	return index
}

// keyBefore returns the name that ends at end, if there is one, and where it
// starts. Digits may follow it, as in password2.
func (r *redactScanner) keyBefore(end int) (name redactKeyName, start int, ok bool) {
	for n := 0; n < 3 && r.before(end, redactDigit); n++ {
		end--
	}
	if !r.before(end, redactLetter) {
		return name, 0, false
	}
	for _, name = range redactNamesByEnd[r.s[end-1]|0x20] {
		if start, ok = r.endsWith(end, name.word); ok && (!name.whole || r.wordStart(start)) {
			break
		}
		ok = false
	}
	if !ok {
		return name, 0, false
	}
	for _, cursor := range redactCursors {
		if _, found := r.endsWith(end, cursor); found {
			return name, 0, false
		}
	}
	if name.word == "clave" {
		if noun, _ := r.wordBefore(start); redactOneOf(noun, redactNouns[:]) {
			return name, 0, false
		}
	}
	return name, start, true
}

// endsWith reports whether the text before end spells the word, in any case and
// with at most one separator between two letters, and where it starts.
func (r *redactScanner) endsWith(end int, word string) (start int, ok bool) {
	s, i := r.s, end
spell:
	for k := len(word) - 1; k >= 0; k-- {
		if k < len(word)-1 && r.before(i, redactDash|redactDot|redactSpace) {
			i--
		}
		if r.before(i, redactLetter) && s[i-1]|0x20 == word[k] {
			i--
			continue
		}
		if word[k] == 'n' {
			for _, enye := range redactEnyes {
				if strings.HasSuffix(s[r.floor:i], enye) {
					i -= len(enye)
					continue spell
				}
			}
		}
		return 0, false
	}
	return i, true
}

// wordStart reports whether a word starts at i: after something else than a
// letter, or with the capital of camelCase.
func (r *redactScanner) wordStart(i int) bool {
	if i <= r.floor {
		return true
	}
	last := r.s[i-1]
	return last < 0x80 && redactBytes[last]&redactLetter == 0 ||
		redactBytes[last]&redactLower != 0 && redactIs(r.s, i, redactUpper)
}

// wordBefore returns the word before i and one blank, and where it starts.
func (r *redactScanner) wordBefore(i int) (word string, start int) {
	if !r.before(i, redactSpace) {
		return "", i
	}
	end := i - 1
	start = end
	for end-start < 16 && start > r.floor && (r.s[start-1] >= 0x80 || r.before(start, redactAlnum|redactDash)) {
		start--
	}
	return r.s[start:end], start
}

func redactOneOf(word string, list []string) bool {
	for _, w := range list {
		if len(word) == len(w) && strings.EqualFold(word, w) {
			return true
		}
	}
	return false
}

// assign returns the value that is attached to the name of a credential by the
// separator (':', '=' or the '>' of an element) that is written at i in w bytes;
// hi is 0 if there is none.
func (r *redactScanner) assign(i, w int, sep byte) (lo, hi int) {
	form := redactProse
	if sep != ':' {
		form = redactData
	}
	end := i
skip:
	for n := 0; n < 8 && end > r.floor; n++ {
		switch r.s[end-1] {
		case '"', '\'', '`', '\\', ']':
			form = redactData
		case ' ', '\t', '*':
		default:
			break skip
		}
		end--
	}
	name, start, ok := r.keyBefore(end)
	if !ok {
		name, start, ok = r.qualified(end)
	}
	switch {
	case !ok, name.form == redactPlace, name.form == redactData && form == redactProse:
		return 0, 0
	case name.form == redactQuery && !(form == redactData && end == i && r.inQuery(start)):
		return 0, 0
	case sep == '>' && !r.inElement(start):
		return 0, 0
	}
	return r.value(i+w, sep, name)
}

// qualified is keyBefore for a key with a few words behind it, as in "clave de
// acceso".
func (r *redactScanner) qualified(end int) (name redactKeyName, start int, ok bool) {
	for range 4 {
		from := end
		for end-from < 16 && from > r.floor && (r.s[from-1] >= 0x80 || r.before(from, redactLetter|redactDash)) {
			from--
		}
		if !redactOneOf(r.s[from:end], redactQualifiers[:]) || !r.before(from, redactSpace) {
			return name, 0, false
		}
		end = from - 1
		if name, start, ok = r.keyBefore(end); ok {
			return name, start, name.form == redactProse
		}
	}
	return name, 0, false
}

// inQuery reports whether the key that starts at i is a parameter of a URL.
func (r *redactScanner) inQuery(i int) bool {
	for r.before(i, redactAlnum|redactDash) {
		i--
	}
	head := r.s[:i]
	return i > 0 && strings.IndexByte("?&;#", head[i-1]) >= 0 ||
		strings.HasSuffix(head, `\u0026`) || strings.HasSuffix(head, "%26") || strings.HasSuffix(head, "%3F")
}

// inElement reports whether the name that starts at i, perhaps with a prefix, is
// that of an XML element.
func (r *redactScanner) inElement(i int) bool {
	for n := 0; n < 64 && (r.before(i, redactAlnum|redactDash|redactDot) || i > r.floor && r.s[i-1] == ':'); n++ {
		i--
	}
	return i > r.floor && r.s[i-1] == '<' || strings.HasSuffix(r.s[:i], `\u003c`) || strings.HasSuffix(r.s[:i], `\u003C`)
}
