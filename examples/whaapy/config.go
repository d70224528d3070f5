package main

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/transport"
)

// config is what the environment says.
type config struct {
	addr, healthAddr string
	credentials      []transport.Credential
	sessionKeys      [][]byte
}

// readConfig reads the variables that the package comment lists.
func readConfig(getenv func(string) string) (config, error) {
	cfg := config{
		addr:       cmp.Or(strings.TrimSpace(getenv("ADDR")), "127.0.0.1:8080"),
		healthAddr: cmp.Or(strings.TrimSpace(getenv("HEALTH_ADDR")), "127.0.0.1:8081"),
	}
	var errTokens, errKeys error
	cfg.credentials, errTokens = parseTokens(list(getenv("TOKENS")))
	cfg.sessionKeys, errKeys = parseKeys(list(getenv("SESSION_KEYS")))
	return cfg, errors.Join(errTokens, errKeys)
}

// parseTokens returns two credentials per name, for either way to send its secrets. No
// secret is ever part of an error.
func parseTokens(entries []string) ([]transport.Credential, error) {
	if len(entries) == 0 {
		return []transport.Credential{transport.Open()}, nil
	}
	var names []string
	secrets := map[string][]string{}
	for i, entry := range entries {
		name, secret, named := strings.Cut(entry, "=")
		if !named {
			name, secret = "gateway", entry
		}
		if name == "" || secret == "" {
			return nil, fmt.Errorf("TOKENS: entry %d is not name=secret", i+1)
		}
		if secrets[name] == nil {
			names = append(names, name)
		}
		secrets[name] = append(secrets[name], secret)
	}
	var credentials []transport.Credential
	for _, name := range names {
		credentials = append(credentials,
			transport.Bearer(name, secrets[name]...), transport.APIKey("X-API-Key", name, secrets[name]...))
	}
	return credentials, nil
}

// parseKeys reads the keys, or makes one for this process.
func parseKeys(entries []string) ([][]byte, error) {
	if len(entries) == 0 {
		slog.Default().Warn("SESSION_KEYS is not set: sessions end with this process")
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		return [][]byte{key}, nil
	}
	var keys [][]byte
	for i, entry := range entries {
		key, err := hex.DecodeString(entry)
		if err != nil || len(key) < 32 {
			return nil, fmt.Errorf("SESSION_KEYS: key %d is not 64 hexadecimal digits", i+1)
		}
		keys = append(keys, key)
	}
	return keys, nil
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
