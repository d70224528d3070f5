package redact

import (
	"strings"
	"testing"
)

// Text's golden table: what is taken out, and how much around it stays.
var dirtyTexts = []struct{ name, text, want string }{
	{"bearer header", "Authorization: Bearer x", "Authorization: Bearer " + Placeholder},
	{"bearer upper case", "AUTHORIZATION: BEARER abc", "AUTHORIZATION: BEARER " + Placeholder},
	{"bearer alone", "use bearer a1b2.c3~d4+e5/f6== y siga.", "use bearer " + Placeholder + " y siga."},
	{"bearer on the next line", "Bearer\n  a1b2c3d4 fin", "Bearer\n  " + Placeholder + " fin"},
	{"basic header", "Authorization: Basic dXNlcjpwYXNz, fin", "Authorization: Basic " + Placeholder + ", fin"},
	{"digest header", `Authorization: Digest username="ana", response="1f"` + "\nfin", "Authorization: Digest " + Placeholder + "\nfin"},
	{"bearer in quotes", `Authorization: Bearer "abc def"`, `Authorization: Bearer "` + Placeholder + `"`},
	{"header without scheme", "authorization: a1b2c3", "authorization: " + Placeholder},
	{"cookies", "Cookie: a=1; sid=2\r\nfin", "Cookie: " + Placeholder + "\r\nfin"},
	{"cookies in data", `"Cookie": "a=1; sid=2"`, `"Cookie": "` + Placeholder + `"`},
	{"jwt", "vea eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1.", "vea " + Placeholder + "."},
	{"jwt, alg second", "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x", Placeholder},
	{"jwt, unsigned", "(eyJhbGciOiJub25lIn0.eyJhIjoxfQ.)", "(" + Placeholder + ".)"},
	{"jwe", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..aXY.Y2lwaGVy.dGFn fin", Placeholder + " fin"},
	{"jwt over lines", "eyJhbGciOi\nJIUzI1NiJ9.eyJzdWIi\nOiIxIn0.c2lnbmF0dXJl\nGracias", Placeholder + "\nGracias"},
	{"jwt in json", `{"a":"\neyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}`, `{"a":"\n` + Placeholder + `"}`},

	{"pem", "clave\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nab==\n-----END RSA PRIVATE KEY-----\nfin", "clave\n" + Placeholder + "\nfin"},
	{"pem escaped", `{"k":"-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----\n"}`, `{"k":"` + Placeholder + `\n"}`},
	{"pem on one line", "-----BEGIN EC PRIVATE KEY----- MHcC -----END EC PRIVATE KEY----- fin", Placeholder + " fin"},
	{"pem cut off", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAAScBK\n\nGracias por escribir.", Placeholder + "\n\nGracias por escribir."},
	{"pem encrypted", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\nMIIEvQIBADANBgkqhkiG9w0B fin", Placeholder + " fin"},
	{"pem openpgp", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----", Placeholder},

	{"url with password", "falló postgres://app:s3cr3t@db.ejemplo.com:5432/prod?a=b, reintente", "falló " + Placeholder + ", reintente"},
	{"url without user", "redis://:s3cr3t@cache:6379/0", Placeholder},
	{"url, raw slash in password", "mysql://u:p/w?x@h/db fin", Placeholder + " fin"},
	{"url over two lines", "mongodb+srv://u:pa\nss@h/db fin", Placeholder + " fin"},
	{"url in quotes", `parse "amqp://u:p@h:5672/": error`, `parse "` + Placeholder + `": error`},
	{"web url with password", "https://u:p@ejemplo.com/x", Placeholder},
	{"jdbc", "jdbc:oracle:thin:scott/tiger@h:1521:orcl fin", Placeholder + " fin"},
	{"mysql driver", "abrir app:s3cr3t@tcp(db:3306)/prod?parseTime=true: error", "abrir " + Placeholder + ": error"},
	{"libpq", "host=db.ejemplo.com user=app password=s3cr3t dbname=prod; fin", Placeholder + "; fin"},
	{"libpq, password first", "password='s 3' host=db fin", Placeholder + " fin"},
	{"libpq in quotes", "dsn 'host=h password=x' mal", "dsn '" + Placeholder + "' mal"},
	{"ado.net", "Falló: Server=tcp:h,1433;Initial Catalog=x;User ID=sa;Pwd=abc;Encrypt=true", "Falló: " + Placeholder},
	{"odbc", "Driver={SQL Server};Server=h;Uid=sa;Pwd={a;b};", Placeholder + ";"},
	{"azure storage", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9v+/==;EndpointSuffix=x", Placeholder},
	{"web hook", "https://hooks.slack.com/services/T0/B0/x1 fin", Placeholder + " fin"},

	{"colon", "password: x", "password: " + Placeholder},
	{"equals", "DB_PASSWORD=x y", "DB_PASSWORD=" + Placeholder + " y"},
	{"spaces", "secret = x", "secret = " + Placeholder},
	{"arrow", ":api_key=>x", ":api_key=>" + Placeholder},
	{"camel case", "dbPassword=x, clientSecret: y9", "dbPassword=" + Placeholder + ", clientSecret: " + Placeholder},
	{"dotted", "spring.datasource.password=x", "spring.datasource.password=" + Placeholder},
	{"header", "X-Api-Key: a1b2", "X-Api-Key: " + Placeholder},
	{"two words", "API key: a1b2", "API key: " + Placeholder},
	{"numbered", "password2=x", "password2=" + Placeholder},
	{"json", `{"api_key":"x","user":"ana"}`, `{"api_key":"` + Placeholder + `","user":"ana"}`},
	{"json number", `{"pass": 1234}`, `{"pass": ` + Placeholder + `}`},
	{"json, blanks", "\"token\" :\n\t\"a b\\\"c\"", "\"token\" :\n\t\"" + Placeholder + "\""},
	{"json in a string", `"{\"password\":\"hun ter\",\"x\":\"y\"}"`, `"{\"password\":\"` + Placeholder + `\",\"x\":\"y\"}"`},
	{"json twice in a string", `{\\\"token\\\":\\\"abc\\\",\\\"x\\\":1}`, `{\\\"token\\\":\\\"` + Placeholder + `\\\",\\\"x\\\":1}`},
	{"python", "{'password': 'x', 'a': 1}", "{'password': '" + Placeholder + "', 'a': 1}"},
	{"go struct", "{User:ana Password:hunter2}", "{User:ana Password:" + Placeholder + "}"},
	{"open quote", "token=\"abc def\nfin", "token=\"" + Placeholder + "\nfin"},
	{"xml", "<ns:password>x y</ns:password>", "<ns:password>" + Placeholder + "</ns:password>"},
	{"query", "https://x.co/cb?access_token=abc&page=1#fin", "https://x.co/cb?access_token=" + Placeholder + "&page=1#fin"},
	{"query, short names", "https://x.co/b?sp=r&sig=a%2Bb&key=c", "https://x.co/b?sp=r&sig=" + Placeholder + "&key=" + Placeholder},
	{"query, escaped", `https://x.co/?a=1\u0026token=abc\u0026b=2`, `https://x.co/?a=1\u0026token=` + Placeholder + `\u0026b=2`},
	{"query in a query", "https://x.co/?next=%3Ftoken%3Dabc fin", "https://x.co/?next=%3Ftoken%3D" + Placeholder + " fin"},
	{"html query", "?a=1&amp;token=abc&amp;b=2", "?a=1&amp;token=" + Placeholder + "&amp;b=2"},
	{"aws signature", "X-Amz-Signature=0af1&x=1", "X-Amz-Signature=" + Placeholder + "&x=1"},
	{"escaped line break", `linea\npassword: x\nfin`, `linea\npassword: ` + Placeholder + `\nfin`},
	{"markdown", "**Clave:** abc123 y `token`: x", "**Clave:** " + Placeholder + " y `token`: " + Placeholder},
	{"clave", "Su clave: Abc123*. No la comparta.", "Su clave: " + Placeholder + ". No la comparta."},
	{"clave, one word", "usuario: ana, clave: perrito", "usuario: ana, clave: " + Placeholder},
	{"clave del wifi", "Clave del wifi: Hogar2026", "Clave del wifi: " + Placeholder},
	{"contraseña", "CONTRASEÑA = x", "CONTRASEÑA = " + Placeholder},
	{"contraseña decomposed", "contrasen\u0303a: x9", "contrasen\u0303a: " + Placeholder},
	{"contraseña escaped", `"contrase\u00f1a":"x"`, `"contrase\u00f1a":"` + Placeholder + `"`},
	{"contraseña in a query", "?contrase%C3%B1a=x&a=1", "?contrase%C3%B1a=" + Placeholder + "&a=1"},
	{"soft hyphen in key and value", "pass\u00adword: hun\u00adter2", "pass\u00adword: " + Placeholder},

	{"key with zero-width space", "AKIA\u200bIOSFODNN7EXAMPLE", Placeholder},
	{"key with escaped zero-width space", `AK\u200bIAIOSFODNN7EXAMPLE`, Placeholder},
	{"key over two lines", "vea AKIAIOS\r\n  FODNN7EXAMPLE.", "vea " + Placeholder + "."},
	{"key behind an escape", `\tAKIAIOSFODNN7EXAMPLE %20AKIAIOSFODNN7EXAMPLE`, `\t` + Placeholder + " %20" + Placeholder},
	{"key not over a paragraph", "AKIAIOS\n\nFODNN7EXAMPLE", "AKIAIOS\n\nFODNN7EXAMPLE"},

	{"ipv4", "10.0.0.1, 172.31.255.255; 192.168.1.1.", Placeholder + ", " + Placeholder + "; " + Placeholder + "."},
	{"ipv4, other inside", "127.0.0.1 169.254.169.254 100.64.0.1 0.0.0.0", strings.TrimSuffix(strings.Repeat(Placeholder+" ", 4), " ")},
	{"ipv4 with port", "dial 10.1.2.3:5432: fin", "dial " + Placeholder + ": fin"},
	{"ipv4 with prefix", "10.0.0.0/8 fin", Placeholder + " fin"},
	{"ipv6", "fe80::1%eth0, FD12:3456::1 y ::1.", Placeholder + ", " + Placeholder + " y " + Placeholder + "."},
	{"ipv6 with port", "http://[fd12:3456:789a::1]:8080/x", "http://" + Placeholder + "/x"},
	{"hosts", "api.internal, PG.PROD.LOCAL:5432 y db.x.svc.cluster.local.", Placeholder + ", " + Placeholder + " y " + Placeholder + "."},
	{"more hosts", "a.corp a.lan a.svc a.localdomain", strings.TrimSuffix(strings.Repeat(Placeholder+" ", 4), " ")},
	{"host in a url", "http://api.internal:8080/v1?x=1", "http://" + Placeholder + "/v1?x=1"},
	{"localhost", "localhost:3000 y http://localhost/x", Placeholder + " y http://" + Placeholder + "/x"},
	{"mail of an inside host", "ana@correo.corp", "ana@" + Placeholder},

	{"two that touch", "AKIAIOSFODNN7EXAMPLE,10.0.0.1 y [::1]", Placeholder + "," + Placeholder + " y " + Placeholder},
	{"invalid UTF-8 stays", "\xff token=x \xfe", "\xff token=" + Placeholder + " \xfe"},
}

func TestRedactText(t *testing.T) {
	t.Parallel()
	for _, tt := range dirtyTexts {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, found := Text(tt.text)
			if got != tt.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", tt.text, got, tt.want)
			}
			if want := strings.Count(tt.want, Placeholder); found != want {
				t.Errorf("Text(%q) found %d, want %d", tt.text, found, want)
			}
		})
	}
}

func TestRedactLines(t *testing.T) {
	t.Parallel()
	pem := []string{"-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "-----END PRIVATE KEY-----"}
	for _, test := range []struct {
		name  string
		lines []string
		want  string // x for a line that is marked
	}{
		{"none", []string{"uno", "dos"}, ""},
		{"no lines", nil, ""},
		{"inside of one line", []string{"uno", "password=Tr0ub4dor&3", "dos"}, ""},
		{"a key", pem, "xxx"},
		{"a key among others", append(append([]string{"", "uno"}, pem...), "", "dos"), "..xxx.."},
		{"a line with breaks of its own", append([]string{"uno\ndos"}, pem...), ".xxx"},
		{"two keys", append(append(append([]string{}, pem...), "uno", "password=Tr0ub4dor&3"), pem...), "xxx..xxx"},
	} {
		got := []byte{}
		for _, marked := range Lines(test.lines) {
			got = append(got, map[bool]byte{true: 'x', false: '.'}[marked])
		}
		if string(got) != test.want {
			t.Errorf("%s: marked %q, want %q", test.name, got, test.want)
		}
	}
}
