package redact

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

const rounds = 40

const (
	lower62       = "abcdefghijklmnopqrstuvwxyz"
	upper62       = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	decimalDigits = "0123456789"
	base62        = lower62 + upper62 + decimalDigits
)

// source makes secrets from a seed.
type source struct{ *rand.Rand }

func (r source) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func (r source) pick(list ...string) string { return list[r.IntN(len(list))] }

// password is what a person or a generator chooses: never a plain word.
func (r source) password() string {
	return r.of(base62, 4) + r.of(decimalDigits, 1) + r.of(base62+"!@#$%^*+-_.~/:?()|", 6+r.IntN(20)) + r.of(decimalDigits, 1)
}

func (r source) anyCase(s string) string {
	return r.pick(s, strings.ToUpper(s), strings.ToUpper(s[:1])+s[1:])
}

func (r source) jwt() string {
	b64 := base64.RawURLEncoding
	head := r.pick(`{"alg":"HS256","typ":"JWT"}`, `{"alg":"RS256"}`, `{"typ":"JWT","kid":"`+r.of(base62, 8)+`","alg":"ES256"}`)
	return b64.EncodeToString([]byte(head)) + "." +
		b64.EncodeToString([]byte(`{"sub":"`+r.of(base62, 20)+`"}`)) + "." + r.of(base62+"-_", 43)
}

// secretKind makes a text with a secret in it. wraps says that the secret is
// found even with a line break inside of it.
type secretKind struct {
	name  string
	wraps bool
	make  func(r source) (text, secret string)
}

// secretKinds are all kinds of secrets. The forms of vendors are written down
// once more, as they are in the wild, apart from the table under test.
func secretKinds() []secretKind {
	kinds := []secretKind{
		{"bearer", true, func(r source) (string, string) {
			s := r.of(base62+"-_~+/", 40) + "7aA"
			return r.pick("Authorization: ", "", "authorization=") + r.anyCase("bearer") + " " + s, s
		}},
		{"basic", false, func(r source) (string, string) {
			s := base64.StdEncoding.EncodeToString([]byte("ana:" + r.password()))
			return r.anyCase("authorization") + ": Basic " + s, s
		}},
		{"jwt", true, func(r source) (string, string) { s := r.jwt(); return s, s }},
		{"pem", true, func(r source) (string, string) {
			label := r.pick("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ") + "PRIVATE KEY-----"
			lines := r.of(base62+"+/", 64) + "\n" + r.of(base62+"+/", 64) + "\n" + r.of(base62+"+/", 22) + "=="
			return "-----BEGIN " + label + "\n" + lines + r.pick("\n-----END "+label, "\n"), lines
		}},
		{"url", true, func(r source) (string, string) {
			s := r.of(lower62, 1) + r.of(base62+"!$*_-.~%", 12)
			return r.pick("postgres", "mysql", "mongodb+srv", "redis", "amqps", "https") + "://" + r.of(lower62, r.IntN(6)) + ":" + s + "@h" + r.pick("", ":99/x", ".ejemplo.com/x?y=1"), s
		}},
		{"mysql driver", false, func(r source) (string, string) {
			s := r.of(base62+"!$*_-.~%", 12)
			return "app:" + s + "@tcp(h:3306)/x", s
		}},
		{"libpq", false, func(r source) (string, string) {
			s := r.of(base62+"!$*_-.~%", 12)
			return r.pick("host=h user=u password="+s+" dbname=x", "password="+s+" host=h", "user=u password='"+s+"' sslmode=off"), s
		}},
		{"ado.net", false, func(r source) (string, string) {
			s := r.of(base62+"!$*_-.~%", 12)
			return r.pick("Server=h;Uid=u;Pwd="+s+";", "Data Source=h;User ID=u;Password="+s, "Driver={x};Server=h;PWD={"+s+"}"), s
		}},
		{"web hook", false, func(r source) (string, string) {
			s := r.of(base62, 24)
			return "https://" + r.pick("hooks.slack.com/services/T0/B0/", "discord.com/api/webhooks/12/") + s, s
		}},
		{"telegram", true, func(r source) (string, string) {
			s := "AA" + r.of(base62+"-_", 33)
			return r.pick("", "https://api.telegram.org/bot") + "1" + r.of(decimalDigits, 9) + ":" + s, s
		}},
		{"query", false, func(r source) (string, string) {
			s := url.QueryEscape(r.password())
			return "https://x.co/a?b=c&" + r.pick("token", "access_token", "sig", "key", "api_key", "X-Amz-Signature", "clave") + "=" + s + r.pick("", "&d=e", "#f"), s
		}},
		{"xml", false, func(r source) (string, string) {
			s := r.password()
			name := r.pick("password", "x:Token", "clave")
			return "<" + name + ">" + s + "</" + name + ">", s
		}},
		{"ipv4", false, func(r source) (string, string) {
			s := r.pick("10.", "127.", "172.16.", "172.31.", "192.168.", "169.254.", "100.64.", "100.127.")
			for strings.Count(s, ".") < 3 {
				s += strconv.Itoa(r.IntN(256)) + "."
			}
			s += strconv.Itoa(r.IntN(256))
			return s + r.pick("", ":8080", "/24"), s
		}},
		{"ipv6", false, func(r source) (string, string) {
			s := r.pick("fe80::", "fd12:3456:", "FC00:1::", "fdAB::") + r.of("123456789abcdef", 3) + r.pick(":1:2:3:4:5", "")
			if strings.HasPrefix(s, "fd12") {
				s = "fd12:3456::" + r.of("123456789abcdef", 3)
			} else if strings.HasPrefix(s, "FC00") {
				s = "FC00:1::" + r.of("123456789ABCDEF", 3)
			}
			return r.pick(s, "["+s+"]:80"), s
		}},
		{"host", false, func(r source) (string, string) {
			s := r.of(lower62, 8) + "-" + r.of(decimalDigits, 2) + r.pick(".internal", ".local", ".corp", ".lan", ".prod.svc", ".x.svc.cluster.local")
			return r.pick("", "http://", "tcp://u@") + r.pick(s, strings.ToUpper(s)) + r.pick("", ":5432", "/x"), s
		}},
	}
	for _, key := range []string{
		"password", "passwd", "pwd", "db_password", "DB_PASSWORD", "dbPassword", "spring.datasource.password", "passphrase",
		"secret", "client_secret", "clientSecret", "token", "access_token", "refreshToken", "X-Auth-Token", "api_key", "apikey",
		"API key", "X-Api-Key", "private_key", "secret_access_key", "AccountKey", "contraseña", "CONTRASEÑA", "contrasena",
		"clave", "Clave", "clave wifi", "Contraseña de acceso", "mi_clave", "secreto",
	} {
		kinds = append(kinds, secretKind{"key " + key, false, func(r source) (string, string) {
			s := r.password()
			return key + r.pick(": ", ":", "=", " = ", "=>") + s, s
		}}, secretKind{"quoted " + key, false, func(r source) (string, string) {
			s := r.password() + " " + r.password()
			return `"` + key + `"` + r.pick(":", ": ", " = ") + `"` + s + `"`, s
		}}, secretKind{"long " + key, true, func(r source) (string, string) {
			s := r.of(base62, 17) + "a1" + r.of(base62, 17)
			return key + r.pick(":", "=") + s, s
		}})
	}
	for _, form := range []struct {
		prefix, alphabet string
		n                int
	}{
		{"AK" + "IA", upper62 + "234567", 16}, {"AS" + "IA", upper62 + "234567", 16}, {"AI" + "za", base62 + "-_", 35},
		{"ya29" + ".", base62 + "-_", 60}, {"GOC" + "SPX-", base62, 28}, {"s" + "k-", base62, 48},
		{"s" + "k-proj-", base62 + "-_", 64}, {"s" + "k-ant-api03-", base62 + "-_", 95}, {"s" + "k_live_", base62, 24},
		{"s" + "k_test_", base62, 99}, {"r" + "k_live_", base62, 24}, {"wh" + "sec_", base62, 32},
		{"APP" + "_USR-", decimalDigits + "abcdef-", 64}, {"prv" + "_prod_", base62, 32}, {"prv" + "_test_", base62, 32},
		{"prod" + "_integrity_", base62, 32}, {"prod" + "_events_", base62, 32}, {"gh" + "p_", base62, 36},
		{"gh" + "o_", base62, 36}, {"gh" + "s_", base62, 36}, {"github" + "_pat_", base62 + "_", 82},
		{"gl" + "pat-", base62 + "-_", 20}, {"xo" + "xb-", decimalDigits + "-" + base62, 50}, {"xo" + "xp-", decimalDigits + "-" + base62, 70},
		{"xa" + "pp-1-", base62 + "-", 80}, {"S" + "G." + strings.Repeat("a", 22) + ".", base62 + "-_", 43}, {"S" + "K", "0123456789abcdef", 32},
		{"ke" + "y-", "0123456789abcdef", 32}, {"EA" + "AC", base62, 180}, {"np" + "g_", base62, 12}, {"np" + "m_", base62, 36},
		{"py" + "pi-AgEIcHlwaS5vcmc", base62 + "-_", 60}, {"h" + "f_", lower62 + upper62, 34}, {"hv" + "s.", base62 + "-_", 24},
		{"dop" + "_v1_", "0123456789abcdef", 64}, {"da" + "pi", "0123456789abcdef", 32}, {"sh" + "pat_", "0123456789abcdef", 32},
		{"sb" + "p_", "0123456789abcdef", 40}, {"AT" + "ATT3", base62 + "-_=", 186},
	} {
		kinds = append(kinds, secretKind{"form " + form.prefix, true, func(r source) (string, string) {
			s := form.prefix + r.of(form.alphabet, form.n-2) + r.pick("A2", "7B")
			if strings.HasSuffix(form.alphabet, "abcdef") {
				s = strings.ToLower(s[len(form.prefix):])
				s = form.prefix + s
			}
			return s, s
		}})
	}
	return kinds
}

// fragment returns a piece of the secret of that length that a text still
// has, "" if it has none.
func fragment(text, secret string, length int) string {
	text = visible(strings.NewReplacer("\n", "", `\n`, "").Replace(text))
	secret = strings.ReplaceAll(secret, "\n", "")
	length = min(length, len(secret))
	for i := 0; i+length <= len(secret); i++ {
		if piece := secret[i : i+length]; strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}

// TestRedactTextSecretsNeverComeOut puts secrets of every kind in every place
// of a text, in every dress.
func TestRedactTextSecretsNeverComeOut(t *testing.T) {
	t.Parallel()
	words := strings.Fields(strings.ReplaceAll(strings.Join(cleanTexts[1:12], " "), "$", "")) // "$ 10.0.0.1" is an amount
	dresses := []struct {
		name  string
		wraps bool
		piece int // no longer piece of the secret may be left
		dress func(r source, text, secret string) string
	}{
		{"plain", false, 6, func(_ source, text, _ string) string { return text }},
		{"in JSON", false, 6, func(_ source, text, _ string) string {
			raw, _ := json.Marshal(map[string]string{"mensaje": "aviso\n" + text, "z": "z"})
			return string(raw)
		}},
		{"invisible", false, 6, func(r source, text, secret string) string {
			at := 1 + r.IntN(len(secret)-1)
			return strings.Replace(text, secret, secret[:at]+r.pick("\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d")+secret[at:], 1)
		}},
		{"two lines", true, 16, func(r source, text, secret string) string {
			at := 1 + r.IntN(len(secret)-1)
			return strings.Replace(text, secret, secret[:at]+r.pick("\n", "\r\n", "\n  ")+secret[at:], 1)
		}},
	}
	for i, kind := range secretKinds() {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			r := source{rand.New(rand.NewPCG(uint64(i), 7))}
			for range rounds {
				for _, d := range dresses {
					if d.wraps && !kind.wraps {
						continue
					}
					text, secret := kind.make(r)
					at := 4 + r.IntN(len(words)-8)
					dressed := strings.Join(words[at-4:at], " ") + r.pick(" ", "\n", " (", "\n\n") + d.dress(r, text, secret) +
						r.pick(" ", "\n", ". ", ", ", "\n\n") + strings.Join(words[at:at+4], " ")
					got, _ := Text(dressed)
					if piece := fragment(got, secret, d.piece); piece != "" {
						t.Fatalf("%s: Text(%q)\n= %q\nstill has %q of %q", d.name, dressed, got, piece, secret)
					}
				}
			}
		})
	}
}
