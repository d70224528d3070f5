package middleware

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

const redactRounds = 40

const (
	redactLower62 = "abcdefghijklmnopqrstuvwxyz"
	redactUpper62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	redactDigits  = "0123456789"
	redactBase62  = redactLower62 + redactUpper62 + redactDigits
)

// redactSource makes secrets from a seed.
type redactSource struct{ *rand.Rand }

func (r redactSource) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func (r redactSource) pick(list ...string) string { return list[r.IntN(len(list))] }

// password is what a person or a generator chooses: never a plain word.
func (r redactSource) password() string {
	return r.of(redactBase62, 4) + r.of(redactDigits, 1) + r.of(redactBase62+"!@#$%^*+-_.~/:?()|", 6+r.IntN(20)) + r.of(redactDigits, 1)
}

func (r redactSource) anyCase(s string) string {
	return r.pick(s, strings.ToUpper(s), strings.ToUpper(s[:1])+s[1:])
}

func (r redactSource) jwt() string {
	b64 := base64.RawURLEncoding
	head := r.pick(`{"alg":"HS256","typ":"JWT"}`, `{"alg":"RS256"}`, `{"typ":"JWT","kid":"`+r.of(redactBase62, 8)+`","alg":"ES256"}`)
	return b64.EncodeToString([]byte(head)) + "." +
		b64.EncodeToString([]byte(`{"sub":"`+r.of(redactBase62, 20)+`"}`)) + "." + r.of(redactBase62+"-_", 43)
}

// redactKind makes a text with a secret in it. wraps says that the secret is
// found even with a line break inside of it.
type redactKind struct {
	name  string
	wraps bool
	make  func(r redactSource) (text, secret string)
}

// redactKinds are all kinds of secrets. The forms of vendors are written down
// once more, as they are in the wild, apart from the table under test.
func redactKinds() []redactKind {
	kinds := []redactKind{
		{"bearer", true, func(r redactSource) (string, string) {
			s := r.of(redactBase62+"-_~+/", 40) + "7aA"
			return r.pick("Authorization: ", "", "authorization=") + r.anyCase("bearer") + " " + s, s
		}},
		{"basic", false, func(r redactSource) (string, string) {
			s := base64.StdEncoding.EncodeToString([]byte("ana:" + r.password()))
			return r.anyCase("authorization") + ": Basic " + s, s
		}},
		{"jwt", true, func(r redactSource) (string, string) { s := r.jwt(); return s, s }},
		{"pem", true, func(r redactSource) (string, string) {
			label := r.pick("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ") + "PRIVATE KEY-----"
			lines := r.of(redactBase62+"+/", 64) + "\n" + r.of(redactBase62+"+/", 64) + "\n" + r.of(redactBase62+"+/", 22) + "=="
			return "-----BEGIN " + label + "\n" + lines + r.pick("\n-----END "+label, "\n"), lines
		}},
		{"url", true, func(r redactSource) (string, string) {
			s := r.of(redactLower62, 1) + r.of(redactBase62+"!$*_-.~%", 12)
			return r.pick("postgres", "mysql", "mongodb+srv", "redis", "amqps", "https") + "://" + r.of(redactLower62, r.IntN(6)) + ":" + s + "@h" + r.pick("", ":99/x", ".ejemplo.com/x?y=1"), s
		}},
		{"mysql driver", false, func(r redactSource) (string, string) {
			s := r.of(redactBase62+"!$*_-.~%", 12)
			return "app:" + s + "@tcp(h:3306)/x", s
		}},
		{"libpq", false, func(r redactSource) (string, string) {
			s := r.of(redactBase62+"!$*_-.~%", 12)
			return r.pick("host=h user=u password="+s+" dbname=x", "password="+s+" host=h", "user=u password='"+s+"' sslmode=off"), s
		}},
		{"ado.net", false, func(r redactSource) (string, string) {
			s := r.of(redactBase62+"!$*_-.~%", 12)
			return r.pick("Server=h;Uid=u;Pwd="+s+";", "Data Source=h;User ID=u;Password="+s, "Driver={x};Server=h;PWD={"+s+"}"), s
		}},
		{"web hook", false, func(r redactSource) (string, string) {
			s := r.of(redactBase62, 24)
			return "https://" + r.pick("hooks.slack.com/services/T0/B0/", "discord.com/api/webhooks/12/") + s, s
		}},
		{"telegram", true, func(r redactSource) (string, string) {
			s := "AA" + r.of(redactBase62+"-_", 33)
			return r.pick("", "https://api.telegram.org/bot") + "1" + r.of(redactDigits, 9) + ":" + s, s
		}},
		{"query", false, func(r redactSource) (string, string) {
			s := url.QueryEscape(r.password())
			return "https://x.co/a?b=c&" + r.pick("token", "access_token", "sig", "key", "api_key", "X-Amz-Signature", "clave") + "=" + s + r.pick("", "&d=e", "#f"), s
		}},
		{"xml", false, func(r redactSource) (string, string) {
			s := r.password()
			name := r.pick("password", "x:Token", "clave")
			return "<" + name + ">" + s + "</" + name + ">", s
		}},
		{"ipv4", false, func(r redactSource) (string, string) {
			s := r.pick("10.", "127.", "172.16.", "172.31.", "192.168.", "169.254.", "100.64.", "100.127.")
			for strings.Count(s, ".") < 3 {
				s += strconv.Itoa(r.IntN(256)) + "."
			}
			s += strconv.Itoa(r.IntN(256))
			return s + r.pick("", ":8080", "/24"), s
		}},
		{"ipv6", false, func(r redactSource) (string, string) {
			s := r.pick("fe80::", "fd12:3456:", "FC00:1::", "fdAB::") + r.of("123456789abcdef", 3) + r.pick(":1:2:3:4:5", "")
			if strings.HasPrefix(s, "fd12") {
				s = "fd12:3456::" + r.of("123456789abcdef", 3)
			} else if strings.HasPrefix(s, "FC00") {
				s = "FC00:1::" + r.of("123456789ABCDEF", 3)
			}
			return r.pick(s, "["+s+"]:80"), s
		}},
		{"host", false, func(r redactSource) (string, string) {
			s := r.of(redactLower62, 8) + "-" + r.of(redactDigits, 2) + r.pick(".internal", ".local", ".corp", ".lan", ".prod.svc", ".x.svc.cluster.local")
			return r.pick("", "http://", "tcp://u@") + r.pick(s, strings.ToUpper(s)) + r.pick("", ":5432", "/x"), s
		}},
	}
	for _, key := range []string{
		"password", "passwd", "pwd", "db_password", "DB_PASSWORD", "dbPassword", "spring.datasource.password", "passphrase",
		"secret", "client_secret", "clientSecret", "token", "access_token", "refreshToken", "X-Auth-Token", "api_key", "apikey",
		"API key", "X-Api-Key", "private_key", "secret_access_key", "AccountKey", "contraseña", "CONTRASEÑA", "contrasena",
		"clave", "Clave", "clave wifi", "Contraseña de acceso", "mi_clave", "secreto",
	} {
		kinds = append(kinds, redactKind{"key " + key, false, func(r redactSource) (string, string) {
			s := r.password()
			return key + r.pick(": ", ":", "=", " = ", "=>") + s, s
		}}, redactKind{"quoted " + key, false, func(r redactSource) (string, string) {
			s := r.password() + " " + r.password()
			return `"` + key + `"` + r.pick(":", ": ", " = ") + `"` + s + `"`, s
		}}, redactKind{"long " + key, true, func(r redactSource) (string, string) {
			s := r.of(redactBase62, 17) + "a1" + r.of(redactBase62, 17)
			return key + r.pick(":", "=") + s, s
		}})
	}
	for _, form := range []struct {
		prefix, alphabet string
		n                int
	}{
		{"AK" + "IA", redactUpper62 + "234567", 16}, {"AS" + "IA", redactUpper62 + "234567", 16}, {"AI" + "za", redactBase62 + "-_", 35},
		{"ya29" + ".", redactBase62 + "-_", 60}, {"GOC" + "SPX-", redactBase62, 28}, {"s" + "k-", redactBase62, 48},
		{"s" + "k-proj-", redactBase62 + "-_", 64}, {"s" + "k-ant-api03-", redactBase62 + "-_", 95}, {"s" + "k_live_", redactBase62, 24},
		{"s" + "k_test_", redactBase62, 99}, {"r" + "k_live_", redactBase62, 24}, {"wh" + "sec_", redactBase62, 32},
		{"APP" + "_USR-", redactDigits + "abcdef-", 64}, {"prv" + "_prod_", redactBase62, 32}, {"prv" + "_test_", redactBase62, 32},
		{"prod" + "_integrity_", redactBase62, 32}, {"prod" + "_events_", redactBase62, 32}, {"gh" + "p_", redactBase62, 36},
		{"gh" + "o_", redactBase62, 36}, {"gh" + "s_", redactBase62, 36}, {"github" + "_pat_", redactBase62 + "_", 82},
		{"gl" + "pat-", redactBase62 + "-_", 20}, {"xo" + "xb-", redactDigits + "-" + redactBase62, 50}, {"xo" + "xp-", redactDigits + "-" + redactBase62, 70},
		{"xa" + "pp-1-", redactBase62 + "-", 80}, {"S" + "G." + strings.Repeat("a", 22) + ".", redactBase62 + "-_", 43}, {"S" + "K", "0123456789abcdef", 32},
		{"ke" + "y-", "0123456789abcdef", 32}, {"EA" + "AC", redactBase62, 180}, {"np" + "g_", redactBase62, 12}, {"np" + "m_", redactBase62, 36},
		{"py" + "pi-AgEIcHlwaS5vcmc", redactBase62 + "-_", 60}, {"h" + "f_", redactLower62 + redactUpper62, 34}, {"hv" + "s.", redactBase62 + "-_", 24},
		{"dop" + "_v1_", "0123456789abcdef", 64}, {"da" + "pi", "0123456789abcdef", 32}, {"sh" + "pat_", "0123456789abcdef", 32},
		{"sb" + "p_", "0123456789abcdef", 40}, {"AT" + "ATT3", redactBase62 + "-_=", 186},
	} {
		kinds = append(kinds, redactKind{"form " + form.prefix, true, func(r redactSource) (string, string) {
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

// redactFragment returns a piece of the secret of that length that a text still
// has, "" if it has none.
func redactFragment(text, secret string, length int) string {
	text = redactVisible(strings.NewReplacer("\n", "", `\n`, "").Replace(text))
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
	words := strings.Fields(strings.ReplaceAll(strings.Join(redactCleanTexts[1:12], " "), "$", "")) // "$ 10.0.0.1" is an amount
	dresses := []struct {
		name  string
		wraps bool
		piece int // no longer piece of the secret may be left
		dress func(r redactSource, text, secret string) string
	}{
		{"plain", false, 6, func(_ redactSource, text, _ string) string { return text }},
		{"in JSON", false, 6, func(_ redactSource, text, _ string) string {
			raw, _ := json.Marshal(map[string]string{"mensaje": "aviso\n" + text, "z": "z"})
			return string(raw)
		}},
		{"invisible", false, 6, func(r redactSource, text, secret string) string {
			at := 1 + r.IntN(len(secret)-1)
			return strings.Replace(text, secret, secret[:at]+r.pick("\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d")+secret[at:], 1)
		}},
		{"two lines", true, 16, func(r redactSource, text, secret string) string {
			at := 1 + r.IntN(len(secret)-1)
			return strings.Replace(text, secret, secret[:at]+r.pick("\n", "\r\n", "\n  ")+secret[at:], 1)
		}},
	}
	for i, kind := range redactKinds() {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			r := redactSource{rand.New(rand.NewPCG(uint64(i), 7))}
			for range redactRounds {
				for _, d := range dresses {
					if d.wraps && !kind.wraps {
						continue
					}
					text, secret := kind.make(r)
					at := 4 + r.IntN(len(words)-8)
					dressed := strings.Join(words[at-4:at], " ") + r.pick(" ", "\n", " (", "\n\n") + d.dress(r, text, secret) +
						r.pick(" ", "\n", ". ", ", ", "\n\n") + strings.Join(words[at:at+4], " ")
					got, _ := redactText(dressed)
					if piece := redactFragment(got, secret, d.piece); piece != "" {
						t.Fatalf("%s: redactText(%q)\n= %q\nstill has %q of %q", d.name, dressed, got, piece, secret)
					}
				}
			}
		})
	}
}
