package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/transport"
)

// config is what the environment says.
type config struct {
	addr        string
	healthAddr  string
	credentials []transport.Credential
	redis       *redis.Options
	lease       time.Duration
	probe       bool
}

// readConfig reads the environment:
//
//	REDIS_URL    where Redis is; default redis://127.0.0.1:6379
//	ADDR         where MCP listens; default 127.0.0.1:8080, port 0 is any free one
//	HEALTH_ADDR  where health listens; default 127.0.0.1:8081
//	TOKENS       bearer secrets, comma-separated, each "name=secret"; several of
//	             one name prove one client; default: everybody may call
//	LEASE        for how long a process may be silent before its writes count as
//	             abandoned; default 30s
//	PROBE        1 asks the help desk how an abandoned write ended; default: the
//	             answer is UNKNOWN
func readConfig(getenv func(string) string) (config, error) {
	cfg := config{
		addr:       cmp.Or(getenv("ADDR"), "127.0.0.1:8080"),
		healthAddr: cmp.Or(getenv("HEALTH_ADDR"), "127.0.0.1:8081"),
		probe:      getenv("PROBE") == "1",
	}
	var errTokens, errRedis, errLease error
	cfg.credentials, errTokens = parseTokens(getenv("TOKENS"))
	if cfg.redis, errRedis = redis.ParseURL(cmp.Or(getenv("REDIS_URL"), "redis://127.0.0.1:6379")); errRedis != nil {
		errRedis = errors.New("REDIS_URL is not a URL of Redis") // which may hold a password
	}
	if cfg.lease, errLease = time.ParseDuration(cmp.Or(getenv("LEASE"), "30s")); errLease != nil {
		errLease = fmt.Errorf("LEASE: %w", errLease)
	}
	return cfg, errors.Join(errTokens, errRedis, errLease)
}

// parseTokens reads TOKENS. No secret is ever part of an error.
func parseTokens(s string) ([]transport.Credential, error) {
	if s == "" {
		return []transport.Credential{transport.Open()}, nil
	}
	var credentials []transport.Credential
	for i, entry := range strings.Split(s, ",") {
		name, secret, ok := strings.Cut(strings.TrimSpace(entry), "=")
		if !ok {
			return nil, fmt.Errorf("TOKENS: entry %d is not name=secret", i+1)
		}
		credentials = append(credentials, transport.Bearer(name, secret))
	}
	return credentials, nil
}
