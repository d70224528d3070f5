package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

// Warning is a reason why a server may forget an operation that it has
// acknowledged, or not work at all.
type Warning struct {
	// Kind is one of the Warning constants.
	Kind string
	// Detail is for the operator: what was found, and what to set.
	Detail string
}

// String returns kind and detail.
func (w Warning) String() string { return w.Kind + ": " + w.Detail }

// The kinds of [Warning].
const (
	// WarningVersion: the server is older than Redis 6.2.
	WarningVersion = "version"
	// WarningEviction: at its memory limit the server drops keys that have not
	// expired, and their operations run again.
	WarningEviction = "eviction"
	// WarningPersistence: a crash of the server forgets what it acknowledged.
	WarningPersistence = "persistence"
	// WarningReplication: a failover may forget what was acknowledged.
	WarningReplication = "replication"
	// WarningReplica: the server is a replica and takes no writes.
	WarningReplica = "replica"
	// WarningUnknown: the server does not say something that the others depend on.
	WarningUnknown = "unknown"
)

// Check asks the server (by INFO, which needs no right to read the configuration)
// whether it keeps what it is told, and returns what speaks against it. It looks
// at one server: in a cluster, call it once for each. It does not see how often
// the append-only file is synced: with appendfsync everysec a crash may lose two
// seconds, with always nothing.
func Check(ctx context.Context, do Do) ([]Warning, error) {
	answer, err := do(ctx, "INFO")
	if err != nil {
		return nil, err
	}
	raw, ok := text([]any{answer}, 0)
	if !ok {
		return nil, fmt.Errorf("portavoz/redisstore: the answer to INFO is %T and not text", answer)
	}
	info := parseInfo(string(raw))
	if len(info) == 0 {
		return nil, errors.New("portavoz/redisstore: the answer to INFO holds no field")
	}
	return info.warnings(), nil
}

// info holds the fields of INFO.
type info map[string]string

func parseInfo(s string) info {
	fields := info{}
	for line := range strings.Lines(s) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if ok && !strings.HasPrefix(line, "#") {
			fields[name] = value
		}
	}
	return fields
}

func (f info) warnings() []Warning {
	var found []Warning
	warn := func(kind, format string, args ...any) {
		found = append(found, Warning{kind, fmt.Sprintf(format, args...)})
	}
	for _, name := range [...]string{"redis_version", "maxmemory_policy", "aof_enabled", "role"} {
		if f[name] == "" {
			warn(WarningUnknown, "the server does not tell %s", name)
		}
	}
	if v := f["redis_version"]; v != "" && !atLeast(v, 6, 2) {
		warn(WarningVersion, "Redis %.20q is older than 6.2", v)
	}
	if p := f["maxmemory_policy"]; p != "" && p != "noeviction" {
		warn(WarningEviction, "maxmemory-policy is %.40q; at the memory limit unexpired keys are forgotten: set noeviction", p)
	}
	if f["aof_enabled"] == "0" {
		warn(WarningPersistence, "there is no append-only file, and a crash forgets whatever came after the last snapshot: set appendonly yes")
	}
	if f["aof_last_write_status"] == "err" {
		warn(WarningPersistence, "the last write to the append-only file failed")
	}
	if f["role"] == "slave" {
		warn(WarningReplica, "this is a replica: connect to its primary")
	}
	if n, _ := strconv.Atoi(f["connected_slaves"]); n > 0 && f["min_slaves_good_slaves"] == "" {
		warn(WarningReplication, "a primary that lost its replicas goes on acknowledging: set min-replicas-to-write, and see WithReplicas")
	}
	return found
}

// atLeast compares the beginning of a version; what is not a number is older.
func atLeast(version string, major, minor int) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	a, errA := strconv.Atoi(parts[0])
	b, errB := strconv.Atoi(parts[1])
	return errA == nil && errB == nil && (a > major || a == major && b >= minor)
}
