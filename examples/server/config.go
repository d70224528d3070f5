package main

import (
	"fmt"
	"slices"
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
	credentials, names, errTokens := parseTokens(getenv("TOKENS"))
	cfg.credentials = credentials
	var errReaders, errLimit error
	for _, reader := range cfg.readers {
		if errTokens == nil && !slices.Contains(names, reader) { // who was to be held back would not be
			errReaders = errors.Join(errReaders, fmt.Errorf("READERS: %q is no name in TOKENS", reader))
		}
	}
	cfg.limit, errLimit = parseLimit(getenv("RATE_LIMIT"))
	return cfg, errors.Join(errTokens, errReaders, errLimit)
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

// parseTokens returns one credential per client, and their names. Without a
// secret everybody may call, of which transport warns. No secret is ever part of
// an error.
func parseTokens(s string) (credentials []transport.Credential, names []string, err error) {
	if strings.TrimSpace(s) == "" {
		return []transport.Credential{transport.Open()}, nil, nil
	}
	type client struct{ name, tenant string }
	var clients []client
	secrets := map[client][]string{}
	for i, entry := range list(s) {
		label, secret, named := strings.Cut(entry, "=")
		if !named {
			label, secret = nameless, entry
		}
		name, tenant, bound := strings.Cut(label, "@")
		c := client{strings.TrimSpace(name), strings.TrimSpace(tenant)}
		secret = strings.TrimSpace(secret)
		if c.name == "" || bound && c.tenant == "" || strings.Trim(secret, "=") == "" {
			return nil, nil, fmt.Errorf("TOKENS: entry %d is neither name=secret nor name@tenant=secret; "+
				"a secret that ends in = needs a name", i+1)
		}
		if _, known := secrets[c]; !known {
			clients = append(clients, c)
		}
		secrets[c] = append(secrets[c], secret)
	}
	if len(clients) == 0 {
		return nil, nil, errors.New("TOKENS: there is no secret between the commas")
	}
	for _, c := range clients {
		credentials = append(credentials, transport.Bearer(c.name, secrets[c]...).Tenant(c.tenant))
		names = append(names, c.name)
	}
	return credentials, names, nil
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
