package voice

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Zones finds time zones by their IANA name and keeps what it found, so that a
// name costs a look-up in a map and not in the file system. The zero value is
// ready; one serves a whole process, and is safe for concurrent use. It must
// not be copied.
//
// Names may come from a client: what cannot be one is refused before it reaches
// the file system, and the memory is bounded. A failure is not kept, since it
// may be the machine's and pass.
type Zones struct {
	// Source reads a zone that is not known yet, and may be called by several
	// goroutines at once. Nil is [time.LoadLocation]: a machine without a
	// database needs an import of time/tzdata in its main package.
	Source func(name string) (*time.Location, error)

	mu    sync.RWMutex
	known map[string]*time.Location
}

const (
	// maxZones bounds the memory. The database has some 600 names; on file
	// systems that ignore case there are more ways to write them.
	maxZones    = 1024
	maxZoneName = 64
)

// Zone returns the zone of that name, such as "America/Bogota" or "UTC". The
// error is ErrSyntax for what cannot be a name of the database: empty, paths, and
// names of the machine's own zone ("Local"); ErrRange for a name that is not
// there, or cannot be read now.
func (z *Zones) Zone(name string) (*time.Location, error) {
	z.mu.RLock()
	zone := z.known[name]
	z.mu.RUnlock()
	if zone != nil {
		return zone, nil
	}
	if !isZoneName(name) {
		return nil, parseError("time zone", name, ErrSyntax)
	}
	source := z.Source
	if source == nil {
		source = time.LoadLocation
	}
	name = strings.Clone(name) // what is kept must not hold the request it came with
	zone, err := source(name)
	if err != nil {
		return nil, parseError("time zone", name, fmt.Errorf("%w: %w", ErrRange, err))
	}
	if zone == nil {
		return nil, parseError("time zone", name, ErrRange)
	}
	return z.remember(name, zone), nil
}

// remember keeps a zone. Of two goroutines that loaded the same the first wins,
// so that every caller gets the same pointer.
func (z *Zones) remember(name string, zone *time.Location) *time.Location {
	z.mu.Lock()
	defer z.mu.Unlock()
	if first := z.known[name]; first != nil {
		return first
	}
	if z.known == nil {
		z.known = make(map[string]*time.Location)
	}
	if len(z.known) >= maxZones {
		clear(z.known)
	}
	z.known[name] = zone
	return zone
}

// isZoneName reports whether name is written like one of the database: parts of
// letters, digits, "_", "+" and "-" between slashes, each beginning with a
// letter. The files beside the zones are not for use: "right" counts leap
// seconds, "posix" repeats the rest, "localtime" and "Local" are the machine's,
// and "Factory" is none at all.
func isZoneName(name string) bool {
	if name == "" || len(name) > maxZoneName {
		return false
	}
	first, _, _ := strings.Cut(name, "/")
	for _, reserved := range [...]string{"right", "posix", "posixrules", "localtime", "Local", "Factory"} {
		if strings.EqualFold(first, reserved) { // as file systems may
			return false
		}
	}
	start := true
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		switch {
		case c == '/' && start:
			return false
		case c == '/':
			start = true
			continue
		case start && !letter:
			return false
		case !letter && !isDigit(c) && !strings.ContainsRune("_+-", rune(c)):
			return false
		}
		start = false
	}
	return !start
}
