package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// keyForm is how a vendor writes its keys: a public prefix, then at least
// min bytes of the classes.
type keyForm struct {
	prefix string
	class  uint16
	min    int
	exact  bool // min bytes and no more, and no alphanumeric behind them
	random bool // the prefix alone proves little: what follows must be no word
}

// keyForms lists the public forms. Each vendor prints the prefix in its
// own documentation, so that scanners can find leaked keys. Lengths are the
// shortest in use, or a little less.
var keyForms = []keyForm{
	{prefix: "AKIA", class: upper | digit, min: 16, exact: true},  // AWS, "Unique identifiers" of IAM
	{prefix: "ASIA", class: upper | digit, min: 16, exact: true},  // AWS, temporary
	{prefix: "AIza", class: url64, min: 35},                       // Google API key
	{prefix: "ya29.", class: url64 | dot, min: 20},                // Google OAuth access token
	{prefix: "GOCSPX-", class: url64, min: 24},                    // Google OAuth client secret
	{prefix: "sk-", class: url64, min: 20, random: true},          // OpenAI, Anthropic (sk-ant-), DeepSeek, ...
	{prefix: "sk_live_", class: alnum, min: 10},                   // Stripe and those who copied it
	{prefix: "sk_test_", class: alnum, min: 10},                   //
	{prefix: "rk_live_", class: alnum, min: 10},                   // Stripe, restricted
	{prefix: "rk_test_", class: alnum, min: 10},                   //
	{prefix: "whsec_", class: any64, min: 16},                     // Stripe and Standard Webhooks, signing secret
	{prefix: "APP_USR-", class: url64, min: 20},                   // Mercado Pago
	{prefix: "prv_prod_", class: alnum, min: 12},                  // Wompi, private key
	{prefix: "prv_test_", class: alnum, min: 12},                  //
	{prefix: "prod_integrity_", class: alnum, min: 12},            // Wompi, integrity secret
	{prefix: "test_integrity_", class: alnum, min: 12},            //
	{prefix: "prod_events_", class: alnum, min: 12, random: true}, // Wompi, events secret
	{prefix: "test_events_", class: alnum, min: 12, random: true}, //
	{prefix: "ghp_", class: alnum, min: 30},                       // GitHub, "token formats"
	{prefix: "gho_", class: alnum, min: 30},                       //
	{prefix: "ghu_", class: alnum, min: 30},                       //
	{prefix: "ghs_", class: url64 | dot, min: 30},                 //
	{prefix: "ghr_", class: alnum, min: 30},                       //
	{prefix: "github_pat_", class: url64, min: 22},                //
	{prefix: "glpat-", class: url64 | dot, min: 20},               // GitLab, "token prefixes"
	{prefix: "glrt-", class: url64 | dot, min: 20},                //
	{prefix: "gldt-", class: url64 | dot, min: 20},                //
	{prefix: "glptt-", class: url64 | dot, min: 20},               //
	{prefix: "xoxa-", class: url64, min: 10},                      // Slack, "token types"
	{prefix: "xoxb-", class: url64, min: 10},                      //
	{prefix: "xoxe-", class: url64, min: 10},                      //
	{prefix: "xoxe.", class: url64, min: 10},                      //
	{prefix: "xoxp-", class: url64, min: 10},                      //
	{prefix: "xoxr-", class: url64, min: 10},                      //
	{prefix: "xoxs-", class: url64, min: 10},                      //
	{prefix: "xapp-", class: url64, min: 10},                      //
	{prefix: "SG.", class: url64 | dot, min: 40},                  // SendGrid
	{prefix: "SK", class: hex | digit, min: 32, exact: true},      // Twilio API key
	{prefix: "key-", class: hex | digit, min: 32, exact: true},    // Mailgun
	{prefix: "EAA", class: alnum, min: 24, random: true},          // Meta Graph API, WhatsApp Cloud API
	{prefix: "npg_", class: alnum, min: 8, random: true},          // Neon password
	{prefix: "npm_", class: alnum, min: 30},                       // npm
	{prefix: "pypi-", class: url64, min: 20},                      // PyPI
	{prefix: "hf_", class: alnum, min: 30},                        // Hugging Face
	{prefix: "hvs.", class: url64, min: 20},                       // HashiCorp Vault
	{prefix: "dop_v1_", class: hex | digit, min: 32},              // DigitalOcean
	{prefix: "dapi", class: hex | digit, min: 32},                 // Databricks
	{prefix: "shpat_", class: hex | digit, min: 32},               // Shopify
	{prefix: "shpca_", class: hex | digit, min: 32},               //
	{prefix: "shppa_", class: hex | digit, min: 32},               //
	{prefix: "shpss_", class: hex | digit, min: 32},               //
	{prefix: "sbp_", class: hex | digit, min: 32},                 // Supabase
	{prefix: "sb_secret_", class: url64, min: 20},                 //
	{prefix: "ATATT3", class: any64, min: 40},                     // Atlassian
}

// keyHead tells what may start with one ASCII character.
type keyHead struct {
	second uint64 // bit c&63 is set if something goes on with c
	keys   []keyForm
}

// keyHeads is the index by first character. It is never written to.
//
//nolint:gochecknoglobals // a table, computed once from the ones that people read
var keyHeads = indexHeads()

func indexHeads() (heads [128]keyHead) {
	for _, f := range keyForms {
		h := &heads[f.prefix[0]]
		h.keys = append(h.keys, f)
		h.second |= 1<<(f.prefix[1]&63) | 1<<'\n' | 1<<'\r' // the line may break there
	}
	for _, start := range []string{
		"be", "bE", "Be", "BE", "ey", "e\n", "e\r", // Bearer, JWT
		"10", "17", "19", "12", "16", "0.", // IPv4
		"fc", "fd", "fe", "fC", "fD", "fE", "Fc", "Fd", "Fe", "FC", "FD", "FE", // IPv6
		"at", "go", "pa", "fa", "Tr", "Ex", "Fi", "St", // traces
	} {
		heads[start[0]].second |= 1 << (start[1] & 63)
	}
	return heads
}

// vendorKey returns the end of the vendor's key that starts at i, 0 if there is
// none.
func vendorKey(s string, i int, forms []keyForm) int {
	for k := range forms {
		f := &forms[k]
		from := prefixEnd(s, i, f.prefix)
		if from == 0 {
			continue
		}
		to := keyBody(s, from, f.min, f.class)
		switch {
		case to == 0, f.exact && glued(s, to), f.random && !looksRandom(s[from:]):
		case f.exact:
			return to
		default:
			return wrapped(s, runEnd(s, to, f.class), f.class)
		}
	}
	return 0
}

// prefixEnd returns the end of the prefix at i, 0 if there is none. The line
// may break inside of it.
func prefixEnd(s string, i int, prefix string) int {
	for k := range len(prefix) {
		if k > 0 && !(i < len(s) && s[i] == prefix[k]) {
			i = breakEnd(s, i)
		}
		if i >= len(s) || s[i] != prefix[k] {
			return 0
		}
		i++
	}
	return i
}

// keyBody returns the end of the first n bytes of the class at i, 0 if there
// are fewer. Lines may break between them.
func keyBody(s string, i, n int, class uint16) int {
	for range n {
		if !isByte(s, i, class) {
			i = breakEnd(s, i)
		}
		if !isByte(s, i, class) {
			return 0
		}
		i++
	}
	return i
}

// bearer returns the credential that follows the word Bearer at i. A word
// of the language ("Bearer authentication"), the parameter of a challenge
// (`Bearer realm="x"`) and an example ("Bearer <token>") are none.
func bearer(s string, i int) (lo, hi int) {
	const token = any64 | dot | tilde
	if !fold(s, i, "bearer") {
		return 0, 0
	}
	end := i + len("bearer")
	if lo = runEnd(s, end, blank); newline(s, lo) > 0 {
		lo = breakEnd(s, end)
	}
	hi = runEnd(s, lo, token)
	if lo == end || strings.HasPrefix(s[hi:], `"`) && strings.HasSuffix(s[lo:hi], "=") {
		return 0, 0
	}
	hi = lo + len(strings.TrimRight(s[lo:hi], "."))
	if end = wrapped(s, hi, token); end == hi && (hi-lo < 4 || plainWord(s[lo:hi])) {
		return 0, 0
	}
	return lo, end
}

// jwt returns the end of the JSON web token that starts at i, 0 if there is
// none: parts of base64url, the first of them an object with "alg". A line may
// break anywhere in it.
func (r *scanner) jwt(i int) int {
	const (
		longest = 1024 // bytes of the first part, which has 100 as a rule
		part    = url64 | dot
	)
	s := r.s
	if i < r.barren || prefixEnd(s, i, "eyJ") == 0 {
		return 0
	}
	var head [longest]byte
	n := 0
	for ; ; n++ {
		if !isByte(s, i, url64) {
			if j := breakEnd(s, i); isByte(s, j, part) {
				i = j
			}
			if !isByte(s, i, url64) {
				break
			}
		}
		if n < longest {
			head[n] = s[i]
		}
		i++
	}
	switch {
	case !isByte(s, i, dot):
		r.barren = i
		return 0
	case n > longest:
		r.barren = i - longest
		return 0
	}
	var text [longest]byte
	m, err := base64.RawURLEncoding.Decode(text[:], head[:n])
	if err != nil || !bytes.Contains(text[:m], []byte(`"alg"`)) {
		return 0
	}
	end := runEnd(s, i, part)
	for dots := strings.Count(s[i:end], "."); ; {
		next := breakEnd(s, end)
		to := runEnd(s, next, part)
		line := strings.TrimRight(s[next:to], ".")
		more := dots < 2 && strings.Contains(line, ".") // a signed token has two dots
		if next == end || !more && (len(line) < 16 || !looksRandom(line)) {
			return i + len(strings.TrimRight(s[i:end], "."))
		}
		dots += strings.Count(line, ".")
		end = to
	}
}

// telegram returns the token of a Telegram bot whose colon is at i: the number
// of the bot, and 35 bytes; hi is 0 if there is none.
func (r *scanner) telegram(i int) (lo, hi int) {
	lo = i
	for i-lo < 11 && r.before(lo, digit) {
		lo--
	}
	if i-lo < 8 || i-lo > 10 || r.before(lo, alnum) && !fold(r.s, lo-len("bot"), "bot") {
		return 0, 0
	}
	if hi = keyBody(r.s, i+1, 35, url64); hi == 0 || glued(r.s, hi) {
		return 0, 0
	}
	return lo, hi
}
