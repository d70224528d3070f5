package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// pieces are the stuff of which hard texts are made: keys, values,
// separators, and what could be taken for one of them.
var pieces = strings.Split("password|token|clave|contraseña|contrase\\u00f1a|sig|key|secret|Authorization|Bearer|basic|user|host|Server|"+
	"Pwd|jdbc|http|postgres|bot123456789|123456789|at |async |foo.bar|File |line 3|goroutine 1 [|panic|Traceback (most recent call last)|"+
	"Caused by: x|TypeError|Error|Exception|main.go:12|x.js:1:2|10.0.0.1|192.168|1.1|fe80::1|fd12:|::1|localhost|db.local|.internal|"+
	"AKIAIOSFODNN7EXAMPLE|sk-abcdefghij0123456789|eyJhbGciOiJIUzI1NiJ9|eyJzdWIiOiIxIn0|-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|"+
	"MIIEowIBAAKCAQEA7|abcdefghijklmnop0123456789|la|que|usted|vencida|1234|8|$|x|ñ|é|"+
	" | |:|:|=|=|://|/|@|@tcp(|(|)|[|]|{|}|<|>|\"|'|`|\\\"|\\n|\\t|\\r\\n|\\u0026|%3D|%20|&|?|;|,|.|.|-|_|*|**|\n|\n|\n\n|\t|\u200b|\u00ad|"+
	Placeholder+"|[dato| oculto]|null|****|•", "|")

// TestRedactTextTwice: what was taken out once leaves nothing to take out, in
// texts that a fuzzer takes long to find.
func TestRedactTextTwice(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range 1 + rnd.IntN(14) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		s := b.String()
		clean, _ := Text(s)
		if again, n := Text(clean); again != clean {
			t.Fatalf("Text(%q)\n= %q, and once more\n= %q (%d)", s, clean, again, n)
		}
		if !utf8.ValidString(clean) {
			t.Fatalf("Text(%q) = %q, which is not UTF-8", s, clean)
		}
	}
}
