package redact

import (
	"slices"
	"strings"
)

// keyName is the end of a key that names a credential, in lower case and
// without separators: "password" stands for DB_PASSWORD, too, and for
// spring.datasource.password.
type keyName struct {
	word  string
	whole bool     // a word of the language could end like it: it must start at a separator
	form  keyClass // how the value must be attached
}

// keyClass is how a key and its value are written.
type keyClass uint8

const (
	isProse  keyClass = iota // clave: x
	data                     // clave=x, "clave": x, <clave>x
	queryKey                 // ?clave=x
	placeKey                 // no credential: a keyword of connection strings
)

var keyNames = []keyName{
	{word: "password"}, {word: "passwd"}, {word: "pwd"}, {word: "passphrase"}, {word: "passwordhash"},
	{word: "secret"}, {word: "secretkey"}, {word: "secretkeybase"},
	{word: "token"}, {word: "bearer", whole: true}, {word: "authorization"},
	{word: "apikey"}, {word: "accesskey"}, {word: "privatekey"}, {word: "accountkey"}, {word: "masterkey"},
	{word: "signingkey"}, {word: "encryptionkey"}, {word: "subscriptionkey"}, {word: "authkey"},
	{word: "contrasena"}, {word: "contrasenia"}, {word: "clave", whole: true}, {word: "secreto", whole: true},
	{word: "claveapi"}, {word: "clavesecreta"}, {word: "claveprivada"}, {word: "llavesecreta"}, {word: "llaveprivada"},
	{word: "pass", whole: true, form: data}, {word: "auth", whole: true, form: data},
	{word: "credential", form: data}, {word: "credentials", form: data},
	{word: "signature", form: data}, {word: "cookie", whole: true},
	{word: "sessionid", form: data}, {word: "sessid", form: data},
	{word: "sig", whole: true, form: queryKey}, {word: "key", whole: true, form: queryKey},
}

// places are the keywords that tell a connection string from other pairs:
// of libpq ("Parameter Key Words"), ODBC, ADO.NET and Azure Storage.
var places = []string{
	"server", "datasource", "host", "hostaddr", "hostname", "addr", "address", "networkaddress", "port", "driver",
	"provider", "endpoint", "defaultendpointsprotocol", "accountname", "user", "userid", "uid", "username", "dbname",
	"database", "initialcatalog", "sslmode",
}

// cursors end like a credential and are places in a list.
var cursors = [...]string{"pagetoken", "nexttoken", "continuationtoken", "paginatoken", "siguientetoken"}

// keyQualifiers may stand between a key and its colon: "clave del wifi:",
// "contraseña temporal:".
var keyQualifiers = [...]string{
	"de", "del", "la", "su", "acceso", "actual", "correo", "cuenta", "dinámica", "dinamica", "inicial", "módem", "modem", "nueva", "portal",
	"provisional", "red", "router", "seguridad", "temporal", "usuario", "wifi", "wi-fi",
}

// nouns make an adjective of the "clave" behind them.
var nouns = [...]string{
	"aspecto", "aspectos", "cifra", "cifras", "concepto", "conceptos", "dato", "datos", "elemento", "elementos",
	"factor", "factores", "fecha", "fechas", "hecho", "hechos", "idea", "ideas", "información", "mensaje", "mensajes",
	"momento", "momentos", "palabra", "palabras", "persona", "personas", "pieza", "piezas", "punto", "puntos",
	"requisito", "requisitos", "tema", "temas",
}

// enyes are the ways in which the ñ of contraseña arrives: composed,
// decomposed, escaped for JSON, a URL or HTML, or read as Latin-1.
var enyes = [...]string{
	"ñ", "Ñ", "n\u0303", "N\u0303", `\u00f1`, `\u00F1`, `\u00d1`, `\u00D1`, "%C3%B1", "%c3%b1", "%C3%91", "&ntilde;", "Ã±",
}

// namesByEnd is the index of keyNames and places by last
// letter. It is never written to.
//
//nolint:gochecknoglobals // a table, computed once from the ones that people read
var namesByEnd = indexNames()

func indexNames() (index [128][]keyName) {
	names := slices.Clone(keyNames)
	for _, place := range places {
		names = append(names, keyName{word: place, whole: true, form: placeKey})
	}
	for _, n := range names {
		last := n.word[len(n.word)-1]
		index[last] = append(index[last], n)
	}
	return index
}

// keyBefore returns the name that ends at end, if there is one, and where it
// starts. Digits may follow it, as in password2.
func (r *scanner) keyBefore(end int) (name keyName, start int, ok bool) {
	for n := 0; n < 3 && r.before(end, digit); n++ {
		end--
	}
	if !r.before(end, letter) {
		return name, 0, false
	}
	for _, name = range namesByEnd[r.s[end-1]|0x20] {
		if start, ok = r.endsWith(end, name.word); ok && (!name.whole || r.wordStart(start)) {
			break
		}
		ok = false
	}
	if !ok {
		return name, 0, false
	}
	for _, cursor := range cursors {
		if _, found := r.endsWith(end, cursor); found {
			return name, 0, false
		}
	}
	if name.word == "clave" {
		if noun, _ := r.wordBefore(start); oneOf(noun, nouns[:]) {
			return name, 0, false
		}
	}
	return name, start, true
}

// endsWith reports whether the text before end spells the word, in any case and
// with at most one separator between two letters, and where it starts.
func (r *scanner) endsWith(end int, word string) (start int, ok bool) {
	s, i := r.s, end
spell:
	for k := len(word) - 1; k >= 0; k-- {
		if k < len(word)-1 && r.before(i, dash|dot|blank) {
			i--
		}
		if r.before(i, letter) && s[i-1]|0x20 == word[k] {
			i--
			continue
		}
		if word[k] == 'n' {
			for _, enye := range enyes {
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
func (r *scanner) wordStart(i int) bool {
	if i <= r.floor {
		return true
	}
	last := r.s[i-1]
	return last < 0x80 && byteClass[last]&letter == 0 ||
		byteClass[last]&lower != 0 && isByte(r.s, i, upper)
}

// wordBefore returns the word before i and one blank, and where it starts.
func (r *scanner) wordBefore(i int) (word string, start int) {
	if !r.before(i, blank) {
		return "", i
	}
	end := i - 1
	start = end
	for end-start < 16 && start > r.floor && (r.s[start-1] >= 0x80 || r.before(start, alnum|dash)) {
		start--
	}
	return r.s[start:end], start
}

func oneOf(word string, list []string) bool {
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
func (r *scanner) assign(i, w int, sep byte) (lo, hi int) {
	form := isProse
	if sep != ':' {
		form = data
	}
	end := i
skip:
	for n := 0; n < 8 && end > r.floor; n++ {
		switch r.s[end-1] {
		case '"', '\'', '`', '\\', ']':
			form = data
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
	case !ok, name.form == placeKey, name.form == data && form == isProse:
		return 0, 0
	case name.form == queryKey && !(form == data && end == i && r.inQuery(start)):
		return 0, 0
	case sep == '>' && !r.inElement(start):
		return 0, 0
	}
	return r.value(i+w, sep, name)
}

// qualified is keyBefore for a key with a few words behind it, as in "clave de
// acceso".
func (r *scanner) qualified(end int) (name keyName, start int, ok bool) {
	for range 4 {
		from := end
		for end-from < 16 && from > r.floor && (r.s[from-1] >= 0x80 || r.before(from, letter|dash)) {
			from--
		}
		if !oneOf(r.s[from:end], keyQualifiers[:]) || !r.before(from, blank) {
			return name, 0, false
		}
		end = from - 1
		if name, start, ok = r.keyBefore(end); ok {
			return name, start, name.form == isProse
		}
	}
	return name, 0, false
}

// inQuery reports whether the key that starts at i is a parameter of a URL.
func (r *scanner) inQuery(i int) bool {
	for r.before(i, alnum|dash) {
		i--
	}
	head := r.s[:i]
	return i > 0 && strings.IndexByte("?&;#", head[i-1]) >= 0 ||
		strings.HasSuffix(head, `\u0026`) || strings.HasSuffix(head, "%26") || strings.HasSuffix(head, "%3F")
}

// inElement reports whether the name that starts at i, perhaps with a prefix, is
// that of an XML element.
func (r *scanner) inElement(i int) bool {
	for n := 0; n < 64 && (r.before(i, alnum|dash|dot) || i > r.floor && r.s[i-1] == ':'); n++ {
		i--
	}
	return i > r.floor && r.s[i-1] == '<' || strings.HasSuffix(r.s[:i], `\u003c`) || strings.HasSuffix(r.s[:i], `\u003C`)
}
