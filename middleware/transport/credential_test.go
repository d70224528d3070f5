package transport_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

func TestAuthenticateMistakes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("s", 4097)
	for name, tc := range map[string]struct {
		credentials []transport.Credential
		want        string
	}{
		"none":             {want: `portavoz/transport: Authenticate: needs at least one credential; Open() lets everybody in`},
		"the zero value":   {credentials: creds(transport.Credential{}), want: `portavoz/transport: Credential: is the zero value; make it with one of the constructors`},
		"no secret":        {credentials: creds(transport.Bearer(current)), want: `portavoz/transport: Bearer: needs a name and at least one secret`},
		"no name":          {credentials: creds(transport.Bearer("", current)), want: `portavoz/transport: Bearer: the name must be printable, not blank, without space around it, 255 bytes at most`},
		"an empty secret":  {credentials: creds(transport.Bearer("asixto", "")), want: `portavoz/transport: Bearer "asixto": a secret is blank`},
		"a blank secret":   {credentials: creds(transport.Bearer("asixto", current, " \t")), want: `portavoz/transport: Bearer "asixto": a secret is blank`},
		"a line break":     {credentials: creds(transport.Bearer("asixto", current+"\n")), want: `portavoz/transport: Bearer "asixto": a secret has space around it or a control character, which no header can carry`},
		"a NUL":            {credentials: creds(transport.Bearer("asixto", current+"\x00x")), want: `portavoz/transport: Bearer "asixto": a secret has space around it or a control character, which no header can carry`},
		"a peer's header":  {credentials: creds(transport.TrustedHeader("X Consumer", "10.0.0.0/8")), want: `portavoz/transport: TrustedHeader: the header name is not a token of RFC 9110`},
		"a long secret":    {credentials: creds(transport.APIKey("X-Api-Key", "asixto", long)), want: `portavoz/transport: APIKey "asixto": a secret is longer than 4096 bytes`},
		"a header name":    {credentials: creds(transport.APIKey("X Api Key", "asixto", current)), want: `portavoz/transport: APIKey "asixto": a header name is not a token of RFC 9110`},
		"no headers":       {credentials: creds(transport.CustomHeaders("asixto", nil)), want: `portavoz/transport: CustomHeaders "asixto": needs at least one header`},
		"a header twice":   {credentials: creds(transport.CustomHeaders("asixto", map[string]string{"x-a": current, "X-A": previous})), want: `portavoz/transport: CustomHeaders "asixto": a header is given twice, in different case`},
		"a nil verifier":   {credentials: creds(transport.Verifier(nil)), want: `portavoz/transport: Verifier: the function is nil`},
		"open beside":      {credentials: creds(transport.Open(), transport.Bearer("asixto", current)), want: `portavoz/transport: Open: lets everybody in, so no other credential can stand beside it`},
		"no network":       {credentials: creds(transport.TrustedHeader("X-Consumer")), want: `portavoz/transport: TrustedHeader "X-Consumer": needs at least one network whose word is taken`},
		"no network text":  {credentials: creds(transport.TrustedHeader("X-Consumer", "10.0.0.0/33")), want: `portavoz/transport: TrustedHeader "X-Consumer": network "10.0.0.0/33" is no CIDR and no address`},
		"the internet":     {credentials: creds(transport.TrustedHeader("X-Consumer", "0.0.0.0/0")), want: `portavoz/transport: TrustedHeader "X-Consumer": network "0.0.0.0/0" trusts the whole internet`},
		"the old internet": {credentials: creds(transport.TrustedHeader("X-Consumer", "::ffff:0.0.0.0/96")), want: `portavoz/transport: TrustedHeader "X-Consumer": network "::ffff:0.0.0.0/96" trusts the whole internet`},
		"beyond its mask":  {credentials: creds(transport.TrustedHeader("X-Consumer", "10.0.0.5/8")), want: `portavoz/transport: TrustedHeader "X-Consumer": network "10.0.0.5/8" has bits beyond its mask; 10.0.0.0/8 is the network`},
		"one secret, two names": {
			credentials: creds(transport.Bearer("asixto", current), transport.APIKey("X-Api-Key", "whaapy", current)),
			want:        `portavoz/transport: APIKey "whaapy": shares a secret with another name, so it proves neither`,
		},
		"one set, two names": {
			credentials: creds(transport.CustomHeaders("a", map[string]string{"X-A": current, "X-B": "b"}), transport.CustomHeaders("b", map[string]string{"X-B": "b", "x-a": current})),
			want:        `portavoz/transport: CustomHeaders "b": shares a secret with another name, so it proves neither`,
		},
		"all at once": {
			credentials: creds(transport.Bearer("asixto", ""), transport.APIKey("", "whaapy", long)),
			want: "portavoz/transport: Bearer \"asixto\": a secret is blank\n" +
				"portavoz/transport: APIKey \"whaapy\": a header name is not a token of RFC 9110\n" +
				"portavoz/transport: APIKey \"whaapy\": a secret is longer than 4096 bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			auth, err := transport.Authenticate(tc.credentials...)
			if err == nil || auth != nil {
				t.Fatalf("Authenticate = %v, nil, want an error alone", auth != nil)
			}
			if err.Error() != tc.want {
				t.Errorf("error = %q\nwant    %q", err, tc.want)
			}
			var config *transport.ConfigError
			if !errors.As(err, &config) || config.Part == "" || config.Reason == "" {
				t.Errorf("error %v holds no ConfigError", err)
			}
			if strings.Contains(err.Error(), current) {
				t.Error("the error holds a secret")
			}
		})
	}
}

func TestAuthenticateAllowsOneNameTwice(t *testing.T) {
	t.Parallel()
	_, err := transport.Authenticate(
		transport.Bearer("asixto", current, current),
		transport.APIKey("X-Api-Key", "asixto", current),
		transport.CustomHeaders("whaapy", map[string]string{"X-Client": "gateway", "X-Secret": previous}),
		transport.CustomHeaders("other", map[string]string{"X-Client": "gateway", "X-Secret": "other-secret-01234"}))
	if err != nil {
		t.Errorf("error = %v, want none", err)
	}
}

func TestCredentialPrintsNoSecret(t *testing.T) {
	t.Parallel()
	bearer := transport.Bearer("asixto", current)
	nested := struct{ c any }{bearer}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "credential", bearer)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "credential", bearer)
	encoded, err := json.Marshal([]any{bearer})
	if err != nil {
		t.Fatal(err)
	}
	printed := fmt.Sprintf("%v %+v %#v %s %q %d %x %v %+v %#v %v", bearer, bearer, bearer, bearer, bearer, bearer, bearer, nested, nested, nested, &bearer)
	sum := sha256.Sum256([]byte(current))
	for _, leak := range []string{current, strings.Trim(fmt.Sprint(sum[:4]), "[]"), hex.EncodeToString(sum[:4]), fmt.Sprintf("%#x", sum[0]) + ", " + fmt.Sprintf("%#x", sum[1])} {
		for _, text := range []string{printed, log.String(), string(encoded)} {
			if strings.Contains(text, leak) {
				t.Errorf("a secret or its digest (%s) was printed: %s", leak, text)
			}
		}
	}
	for verb, want := range map[string]string{"%v": `Bearer("asixto")`, "%+v": `Bearer("asixto")`, "%#v": `Bearer("asixto")`} {
		if got := fmt.Sprintf(verb, bearer); got != want {
			t.Errorf("%s prints %s, want %s", verb, got, want)
		}
	}
	if got := transport.Open().String(); got != "Open()" {
		t.Errorf("String() = %s, want Open()", got)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		credential transport.Credential
		want       string
	}{
		"open":         {transport.Open(), `level=WARN msg="weak credential" credential=Open() risk="everybody is let in, without a name"` + "\n"},
		"short":        {transport.Bearer("asixto", current, "short-secret"), `level=WARN msg="weak credential" credential="Bearer(\"asixto\")" risk="a secret is shorter than 16 bytes and can be guessed"` + "\n"},
		"short values": {transport.CustomHeaders("whaapy", map[string]string{"X-A": "a", "X-B": "b"}), `level=WARN msg="weak credential" credential="CustomHeaders(\"whaapy\")" risk="no value has 16 bytes or more, so they can be guessed"` + "\n"},
		"strong":       {transport.Bearer("asixto", current), ""},
		"one strong":   {transport.CustomHeaders("whaapy", map[string]string{"X-A": "a", "X-B": current}), ""},
		"a verifier":   {fixed(call.Caller{}, nil), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			logger, got := lines()
			config := transport.GatewayConfig{Credentials: creds(tc.credential), Logger: logger}
			if _, err := config.Wrap(http.NotFoundHandler()); err != nil {
				t.Fatal(err)
			}
			if got.String() != tc.want {
				t.Errorf("log = %q, want %q", got, tc.want)
			}
		})
	}
}
