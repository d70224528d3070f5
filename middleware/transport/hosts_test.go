package transport_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/middleware/transport"
)

func TestAllowedHosts(t *testing.T) {
	t.Parallel()
	h := must(t)(transport.AllowedHosts("MCP.example.com.", "api.example.com:8443", "2001:db8:0::1", "[2001:db8::2]:443", "192.0.2.1"))(&seen{})
	for host, want := range map[string]bool{
		"mcp.example.com":           true,
		"Mcp.Example.Com":           true,
		"mcp.example.com.":          true,
		"mcp.example.com:9000":      true,
		"api.example.com:8443":      true,
		"[2001:db8::1]":             true,
		"[2001:DB8::1]:8080":        true,
		"[2001:db8::2]:443":         true,
		"192.0.2.1:80":              true,
		"localhost":                 true,
		"localhost:8080":            true,
		"LOCALHOST":                 true,
		"127.0.0.1:8080":            true,
		"127.9.9.9":                 true,
		"[::1]:8080":                true,
		"[::1]":                     true,
		"[::ffff:127.0.0.1]:80":     true,
		"":                          false,
		":8080":                     false,
		"api.example.com":           false,
		"api.example.com:443":       false,
		"[2001:db8::2]":             false,
		"192.0.2.10":                false,
		"evil.example":              false,
		"evilmcp.example.com":       false,
		"mcp.example.com.evil":      false,
		"localhost.evil.example":    false,
		"127.0.0.1.evil.example":    false,
		"mcp.example.com:80:80":     false,
		"user@mcp.example.com":      false,
		"mcp.example.com/":          false,
		"0.0.0.0":                   false,
		"mcp.example.com\u2028":     false,
		"mcp.example.com, evil.com": false,
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			r := post("{}", "X-Forwarded-Host", "mcp.example.com")
			r.Host = host
			if got := serve(h, r).Code; (got == http.StatusAccepted) != want {
				t.Errorf("status = %d, want allowed: %v", got, want)
			}
		})
	}
}

func TestAllowedHostsRefusal(t *testing.T) {
	t.Parallel()
	h := must(t)(transport.AllowedHosts())(&seen{})
	for host, shown := range map[string]string{
		"evil.example":                 `\"evil.example\"`,
		"evil\u202e\n.example":         `\"evil��.example\"`,
		strings.Repeat("é", 100):       `\"` + strings.Repeat("é", 64) + `…\"`,
		"a" + strings.Repeat("é", 100): `\"a` + strings.Repeat("é", 63) + `…\"`,
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			r := post("{}")
			r.Host = host
			want := refusal(403, -32600, "")
			want.body = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Host ` + shown +
				` is not among the hosts this server answers for (transport.AllowedHosts)."}}` + "\n"
			checkAnswer(t, serve(h, r).Result(), want)
		})
	}
}

func TestAllowedHostsMistakes(t *testing.T) {
	t.Parallel()
	_, err := transport.AllowedHosts("ok.example", "", "https://a.example", "*.example.com", "a.example/mcp", "a.example:http", "a:1:2", "u@a.example", "a.example, b.example")
	const reason = ` is no host, such as "mcp.example.com" or "[::1]:8080"`
	want := []string{"portavoz/transport: AllowedHosts:" + reason}
	for _, host := range []string{"https://a.example", "*.example.com", "a.example/mcp", "a.example:http", "a:1:2", "u@a.example", "a.example, b.example"} {
		want = append(want, "portavoz/transport: AllowedHosts \""+host+"\":"+reason)
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("error = %v\nwant    %s", err, strings.Join(want, "\n"))
	}
}
