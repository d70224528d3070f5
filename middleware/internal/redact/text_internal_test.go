package redact

import (
	"strings"
	"testing"
)

// Text's golden table: what is taken out, and how much around it stays.
var dirtyTexts = []struct{ name, text, want string }{
	{"bearer header", "Authorization: Bearer x", "Authorization: Bearer " + placeholder},
	{"bearer upper case", "AUTHORIZATION: BEARER abc", "AUTHORIZATION: BEARER " + placeholder},
	{"bearer alone", "use bearer a1b2.c3~d4+e5/f6== y siga.", "use bearer " + placeholder + " y siga."},
	{"bearer on the next line", "Bearer\n  a1b2c3d4 fin", "Bearer\n  " + placeholder + " fin"},
	{"basic header", "Authorization: Basic dXNlcjpwYXNz, fin", "Authorization: Basic " + placeholder + ", fin"},
	{"digest header", `Authorization: Digest username="ana", response="1f"` + "\nfin", "Authorization: Digest " + placeholder + "\nfin"},
	{"bearer in quotes", `Authorization: Bearer "abc def"`, `Authorization: Bearer "` + placeholder + `"`},
	{"header without scheme", "authorization: a1b2c3", "authorization: " + placeholder},
	{"cookies", "Cookie: a=1; sid=2\r\nfin", "Cookie: " + placeholder + "\r\nfin"},
	{"cookies in data", `"Cookie": "a=1; sid=2"`, `"Cookie": "` + placeholder + `"`},
	{"jwt", "vea eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1.", "vea " + placeholder + "."},
	{"jwt, alg second", "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.x", placeholder},
	{"jwt, unsigned", "(eyJhbGciOiJub25lIn0.eyJhIjoxfQ.)", "(" + placeholder + ".)"},
	{"jwe", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..aXY.Y2lwaGVy.dGFn fin", placeholder + " fin"},
	{"jwt over lines", "eyJhbGciOi\nJIUzI1NiJ9.eyJzdWIi\nOiIxIn0.c2lnbmF0dXJl\nGracias", placeholder + "\nGracias"},
	{"jwt in json", `{"a":"\neyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}`, `{"a":"\n` + placeholder + `"}`},

	{"pem", "clave\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nab==\n-----END RSA PRIVATE KEY-----\nfin", "clave\n" + placeholder + "\nfin"},
	{"pem escaped", `{"k":"-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----\n"}`, `{"k":"` + placeholder + `\n"}`},
	{"pem on one line", "-----BEGIN EC PRIVATE KEY----- MHcC -----END EC PRIVATE KEY----- fin", placeholder + " fin"},
	{"pem cut off", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAAScBK\n\nGracias por escribir.", placeholder + "\n\nGracias por escribir."},
	{"pem encrypted", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\nMIIEvQIBADANBgkqhkiG9w0B fin", placeholder + " fin"},
	{"pem openpgp", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----", placeholder},

	{"url with password", "falló postgres://app:s3cr3t@db.ejemplo.com:5432/prod?a=b, reintente", "falló " + placeholder + ", reintente"},
	{"url without user", "redis://:s3cr3t@cache:6379/0", placeholder},
	{"url, raw slash in password", "mysql://u:p/w?x@h/db fin", placeholder + " fin"},
	{"url over two lines", "mongodb+srv://u:pa\nss@h/db fin", placeholder + " fin"},
	{"url in quotes", `parse "amqp://u:p@h:5672/": error`, `parse "` + placeholder + `": error`},
	{"web url with password", "https://u:p@ejemplo.com/x", placeholder},
	{"jdbc", "jdbc:oracle:thin:scott/tiger@h:1521:orcl fin", placeholder + " fin"},
	{"mysql driver", "abrir app:s3cr3t@tcp(db:3306)/prod?parseTime=true: error", "abrir " + placeholder + ": error"},
	{"libpq", "host=db.ejemplo.com user=app password=s3cr3t dbname=prod; fin", placeholder + "; fin"},
	{"libpq, password first", "password='s 3' host=db fin", placeholder + " fin"},
	{"libpq in quotes", "dsn 'host=h password=x' mal", "dsn '" + placeholder + "' mal"},
	{"ado.net", "Falló: Server=tcp:h,1433;Initial Catalog=x;User ID=sa;Pwd=abc;Encrypt=true", "Falló: " + placeholder},
	{"odbc", "Driver={SQL Server};Server=h;Uid=sa;Pwd={a;b};", placeholder + ";"},
	{"azure storage", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9v+/==;EndpointSuffix=x", placeholder},
	{"web hook", "https://hooks.slack.com/services/T0/B0/x1 fin", placeholder + " fin"},

	{"colon", "password: x", "password: " + placeholder},
	{"equals", "DB_PASSWORD=x y", "DB_PASSWORD=" + placeholder + " y"},
	{"spaces", "secret = x", "secret = " + placeholder},
	{"arrow", ":api_key=>x", ":api_key=>" + placeholder},
	{"camel case", "dbPassword=x, clientSecret: y9", "dbPassword=" + placeholder + ", clientSecret: " + placeholder},
	{"dotted", "spring.datasource.password=x", "spring.datasource.password=" + placeholder},
	{"header", "X-Api-Key: a1b2", "X-Api-Key: " + placeholder},
	{"two words", "API key: a1b2", "API key: " + placeholder},
	{"numbered", "password2=x", "password2=" + placeholder},
	{"json", `{"api_key":"x","user":"ana"}`, `{"api_key":"` + placeholder + `","user":"ana"}`},
	{"json number", `{"pass": 1234}`, `{"pass": ` + placeholder + `}`},
	{"json, blanks", "\"token\" :\n\t\"a b\\\"c\"", "\"token\" :\n\t\"" + placeholder + "\""},
	{"json in a string", `"{\"password\":\"hun ter\",\"x\":\"y\"}"`, `"{\"password\":\"` + placeholder + `\",\"x\":\"y\"}"`},
	{"json twice in a string", `{\\\"token\\\":\\\"abc\\\",\\\"x\\\":1}`, `{\\\"token\\\":\\\"` + placeholder + `\\\",\\\"x\\\":1}`},
	{"python", "{'password': 'x', 'a': 1}", "{'password': '" + placeholder + "', 'a': 1}"},
	{"go struct", "{User:ana Password:hunter2}", "{User:ana Password:" + placeholder + "}"},
	{"open quote", "token=\"abc def\nfin", "token=\"" + placeholder + "\nfin"},
	{"xml", "<ns:password>x y</ns:password>", "<ns:password>" + placeholder + "</ns:password>"},
	{"query", "https://x.co/cb?access_token=abc&page=1#fin", "https://x.co/cb?access_token=" + placeholder + "&page=1#fin"},
	{"query, short names", "https://x.co/b?sp=r&sig=a%2Bb&key=c", "https://x.co/b?sp=r&sig=" + placeholder + "&key=" + placeholder},
	{"query, escaped", `https://x.co/?a=1\u0026token=abc\u0026b=2`, `https://x.co/?a=1\u0026token=` + placeholder + `\u0026b=2`},
	{"query in a query", "https://x.co/?next=%3Ftoken%3Dabc fin", "https://x.co/?next=%3Ftoken%3D" + placeholder + " fin"},
	{"html query", "?a=1&amp;token=abc&amp;b=2", "?a=1&amp;token=" + placeholder + "&amp;b=2"},
	{"aws signature", "X-Amz-Signature=0af1&x=1", "X-Amz-Signature=" + placeholder + "&x=1"},
	{"escaped line break", `linea\npassword: x\nfin`, `linea\npassword: ` + placeholder + `\nfin`},
	{"markdown", "**Clave:** abc123 y `token`: x", "**Clave:** " + placeholder + " y `token`: " + placeholder},
	{"clave", "Su clave: Abc123*. No la comparta.", "Su clave: " + placeholder + ". No la comparta."},
	{"clave, one word", "usuario: ana, clave: perrito", "usuario: ana, clave: " + placeholder},
	{"clave del wifi", "Clave del wifi: Hogar2026", "Clave del wifi: " + placeholder},
	{"contraseña", "CONTRASEÑA = x", "CONTRASEÑA = " + placeholder},
	{"contraseña decomposed", "contrasen\u0303a: x9", "contrasen\u0303a: " + placeholder},
	{"contraseña escaped", `"contrase\u00f1a":"x"`, `"contrase\u00f1a":"` + placeholder + `"`},
	{"contraseña in a query", "?contrase%C3%B1a=x&a=1", "?contrase%C3%B1a=" + placeholder + "&a=1"},
	{"soft hyphen in key and value", "pass\u00adword: hun\u00adter2", "pass\u00adword: " + placeholder},

	{"key with zero-width space", "AKIA\u200bIOSFODNN7EXAMPLE", placeholder},
	{"key with escaped zero-width space", `AK\u200bIAIOSFODNN7EXAMPLE`, placeholder},
	{"key over two lines", "vea AKIAIOS\r\n  FODNN7EXAMPLE.", "vea " + placeholder + "."},
	{"key behind an escape", `\tAKIAIOSFODNN7EXAMPLE %20AKIAIOSFODNN7EXAMPLE`, `\t` + placeholder + " %20" + placeholder},
	{"key not over a paragraph", "AKIAIOS\n\nFODNN7EXAMPLE", "AKIAIOS\n\nFODNN7EXAMPLE"},

	{"ipv4", "10.0.0.1, 172.31.255.255; 192.168.1.1.", placeholder + ", " + placeholder + "; " + placeholder + "."},
	{"ipv4, other inside", "127.0.0.1 169.254.169.254 100.64.0.1 0.0.0.0", strings.TrimSuffix(strings.Repeat(placeholder+" ", 4), " ")},
	{"ipv4 with port", "dial 10.1.2.3:5432: fin", "dial " + placeholder + ": fin"},
	{"ipv4 with prefix", "10.0.0.0/8 fin", placeholder + " fin"},
	{"ipv6", "fe80::1%eth0, FD12:3456::1 y ::1.", placeholder + ", " + placeholder + " y " + placeholder + "."},
	{"ipv6 with port", "http://[fd12:3456:789a::1]:8080/x", "http://" + placeholder + "/x"},
	{"hosts", "api.internal, PG.PROD.LOCAL:5432 y db.x.svc.cluster.local.", placeholder + ", " + placeholder + " y " + placeholder + "."},
	{"more hosts", "a.corp a.lan a.svc a.localdomain", strings.TrimSuffix(strings.Repeat(placeholder+" ", 4), " ")},
	{"host in a url", "http://api.internal:8080/v1?x=1", "http://" + placeholder + "/v1?x=1"},
	{"localhost", "localhost:3000 y http://localhost/x", placeholder + " y http://" + placeholder + "/x"},
	{"mail of an inside host", "ana@correo.corp", "ana@" + placeholder},

	{"two that touch", "AKIAIOSFODNN7EXAMPLE,10.0.0.1 y [::1]", placeholder + "," + placeholder + " y " + placeholder},
	{"invalid UTF-8 stays", "\xff token=x \xfe", "\xff token=" + placeholder + " \xfe"},
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
			if want := strings.Count(tt.want, placeholder); found != want {
				t.Errorf("Text(%q) found %d, want %d", tt.text, found, want)
			}
		})
	}
}
