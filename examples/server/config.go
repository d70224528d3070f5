package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
	"github.com/portavoz/portavoz/middleware/transport"
)

// config is what the environment says.
type config struct {
	addr        string
	healthAddr  string
	credentials []transport.Credential
	publicHosts []string   // nil unless a reverse proxy hands them on
	limit       call.Limit // of each client; the zero one is the preset's
	readers     []string   // clients that may only read
}

// readConfig reads the variables that the package comment lists.
func readConfig(getenv func(string) string) (config, error) {
	cfg := config{
		addr:        orDefault(getenv("ADDR"), "127.0.0.1:8080"),
		healthAddr:  orDefault(getenv("HEALTH_ADDR"), "127.0.0.1:8081"),
		publicHosts: list(getenv("PUBLIC_HOSTS")),
		readers:     list(getenv("READERS")),
	}
	var errTokens, errLimit error
	cfg.credentials, errTokens = parseTokens(getenv("TOKENS"))
	cfg.limit, errLimit = parseLimit(getenv("RATE_LIMIT"))
	return cfg, errors.Join(errTokens, errLimit)
}

// parseLimit reads "50ms,40".
func parseLimit(s string) (call.Limit, error) {
	parts := list(s)
	if len(parts) == 0 {
		return call.Limit{}, nil
	}
	if len(parts) == 2 {
		every, errEvery := time.ParseDuration(parts[0])
		burst, errBurst := strconv.Atoi(parts[1])
		if errEvery == nil && errBurst == nil && every > 0 && burst > 0 {
			return call.Limit{Every: every, Burst: burst}, nil
		}
	}
	return call.Limit{}, fmt.Errorf("RATE_LIMIT: %q is not a duration and a number, such as 50ms,40", s)
}

// nameless is the principal of the secrets that were given without a name.
const nameless = "gateway"

// parseTokens returns one credential per name. Without a secret everybody may
// call, of which transport warns. No secret is ever part of an error.
func parseTokens(s string) ([]transport.Credential, error) {
	var names []string
	secrets := map[string][]string{}
	for i, entry := range list(s) {
		name, secret, named := strings.Cut(entry, "=")
		if !named {
			name, secret = nameless, entry
		}
		name, secret = strings.TrimSpace(name), strings.TrimSpace(secret)
		if name == "" || strings.Trim(secret, "=") == "" {
			return nil, fmt.Errorf("TOKENS: entry %d is not name=secret; a secret that ends in = needs a name", i+1)
		}
		if _, known := secrets[name]; !known {
			names = append(names, name)
		}
		secrets[name] = append(secrets[name], secret)
	}
	switch {
	case strings.TrimSpace(s) == "":
		return []transport.Credential{transport.Open()}, nil
	case len(names) == 0:
		return nil, errors.New("TOKENS: there is no secret between the commas")
	}
	var credentials []transport.Credential
	for _, name := range names {
		credentials = append(credentials, transport.Bearer(name, secrets[name]...))
	}
	return credentials, nil
}

// list splits a comma-separated value and drops what is blank.
func list(s string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func orDefault(s, byDefault string) string {
	if s = strings.TrimSpace(s); s == "" {
		return byDefault
	}
	return s
}
