package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
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
	limit       call.Limit // of each client; the zero one is none
	limitWait   time.Duration
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
//	RATE_LIMIT   how often each client may call all processes together, and how
//	             often at once: "50ms,40" is 20 calls a second and 40 at once;
//	             default: no limit
//	LIMIT_WAIT   for how long a call waits for Redis to count it, before this process
//	             counts it alone; default 100ms
func readConfig(getenv func(string) string) (config, error) {
	cfg := config{
		addr:       cmp.Or(getenv("ADDR"), "127.0.0.1:8080"),
		healthAddr: cmp.Or(getenv("HEALTH_ADDR"), "127.0.0.1:8081"),
		probe:      getenv("PROBE") == "1",
	}
	var errTokens, errRedis, errLease, errLimit, errWait error
	cfg.credentials, errTokens = parseTokens(getenv("TOKENS"))
	if cfg.redis, errRedis = redis.ParseURL(cmp.Or(getenv("REDIS_URL"), "redis://127.0.0.1:6379")); errRedis != nil {
		errRedis = errors.New("REDIS_URL is not a URL of Redis") // which may hold a password
	}
	if cfg.lease, errLease = time.ParseDuration(cmp.Or(getenv("LEASE"), "30s")); errLease != nil {
		errLease = fmt.Errorf("LEASE: %w", errLease)
	}
	cfg.limit, errLimit = parseLimit(getenv("RATE_LIMIT"))
	if cfg.limitWait, errWait = time.ParseDuration(cmp.Or(getenv("LIMIT_WAIT"), "100ms")); errWait != nil {
		errWait = fmt.Errorf("LIMIT_WAIT: %w", errWait)
	}
	return cfg, errors.Join(errTokens, errRedis, errLease, errLimit, errWait)
}

// parseLimit reads "50ms,40".
func parseLimit(s string) (call.Limit, error) {
	if s == "" {
		return call.Limit{}, nil
	}
	period, number, _ := strings.Cut(s, ",")
	every, errEvery := time.ParseDuration(period)
	burst, errBurst := strconv.Atoi(number)
	if errEvery != nil || errBurst != nil || every <= 0 || burst <= 0 {
		return call.Limit{}, fmt.Errorf("RATE_LIMIT: %q is not a duration and a number, such as 50ms,40", s)
	}
	return call.Limit{Every: every, Burst: burst}, nil
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
