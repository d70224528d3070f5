package transport

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// AllowedHosts refuses requests for any other host with 403. It replaces
// mcp-go's protection against DNS rebinding where a reverse proxy on the same
// machine hands on the public host, which that protection refuses: give
// mcp-go's server WithDisableLocalhostProtection(true), and this the public
// hosts.
//
// A host is a name or an address, alone or with a port ("mcp.example.com",
// "mcp.example.com:8443", "[2001:db8::1]:8443"); without a port it stands for
// every port. Case and a final dot do not matter. Loopback hosts are always
// allowed; with no hosts given, only they are. X-Forwarded-Host plays no part.
//
// The error is a [ConfigError] for each host that is none: blank, with a
// scheme, a path or a wildcard.
func AllowedHosts(hosts ...string) (func(http.Handler) http.Handler, error) {
	var errs []error
	allowed := make(map[string]bool, len(hosts))
	for _, h := range hosts {
		name, port := splitHost(h)
		if !isHost(name, port) {
			errs = append(errs, &ConfigError{Part: "AllowedHosts", Name: h, Reason: `is no host, such as "mcp.example.com" or "[::1]:8080"`})
			continue
		}
		allowed[joinHost(name, port)] = true
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name, port := splitHost(r.Host)
			if !isLoopback(name) && !allowed[name] && !allowed[joinHost(name, port)] {
				strangeHost(r.Host).send(w, r, nil)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}

func strangeHost(host string) refusal {
	return refusal{
		status:  http.StatusForbidden,
		code:    codeInvalidRequest,
		reason:  "host_not_allowed",
		message: "Host " + strconv.Quote(printable(host)) + " is not among the hosts this server answers for (transport.AllowedHosts).",
	}
}

// splitHost returns the name of a host in its one normal form, and the port or
// "".
func splitHost(s string) (name, port string) {
	name, port, err := net.SplitHostPort(s)
	if err != nil {
		name, port = s, ""
		if inner, ok := strings.CutPrefix(s, "["); ok {
			name = strings.TrimSuffix(inner, "]")
		}
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if addr, err := netip.ParseAddr(name); err == nil {
		name = addr.String()
	}
	return name, port
}

// isHost reports whether a host that was configured can ever match.
func isHost(name, port string) bool {
	if _, err := netip.ParseAddr(name); err != nil && strings.ContainsAny(name, ":/*@, ") {
		return false
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return name != "" && (port == "" || err == nil)
}

func joinHost(name, port string) string {
	if port == "" {
		return name
	}
	return net.JoinHostPort(name, port)
}
