package main_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// patience bounds whatever takes as long as it takes.
const patience = exampletest.Patience

// need finds a program of Debian's packages, beyond what is in the path. Where it
// is missing, the test is skipped; CI, which installs it, fails.
func need(t testing.TB, program, debian string, folders ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, program)) // the pattern is sound
		slices.Sort(found)
		if err != nil && len(found) > 0 {
			path, err = found[len(found)-1], nil // the newest version
		}
	}
	switch {
	case err == nil:
		return path
	case os.Getenv("PORTAVOZ_LONG") != "":
		t.Fatalf("%s is not installed: %v", program, err)
	default:
		t.Skipf("%s is not installed (Debian: apt-get install %s)", program, debian)
	}
	return ""
}

// unprivileged lets a command run as somebody else than root, whom PostgreSQL
// and MariaDB refuse, and gives him the folder. It is nil for who is not root.
func unprivileged(t testing.TB, folder string) *syscall.SysProcAttr {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"nobody", "postgres", "mysql"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	t.Fatal("there is no user but root")
	return nil
}

// folder makes a folder that others can get to, unlike that of t.TempDir.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "portavoz-sql-") //nolint:usetesting // others have to get there, and it may outlive the test
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// loopback is an address of this machine that the tests in this process have to
// themselves, made of the process's number. What listens there may be stopped and
// started again, and nobody has taken its port meanwhile: other tests listen, and
// clients call from, 127.0.0.1. Where there is no other, it is that one.
var loopback = sync.OnceValue(func() string {
	pid := os.Getpid()
	host := fmt.Sprintf("127.%d.%d.%d", 64+pid>>16&63, pid>>8&255, pid&255)
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return "127.0.0.1"
	}
	defer l.Close()
	return host
})

// ports counts those that were given away, up from one that no system picks by
// itself.
var ports atomic.Int32

// freePort is a port of loopback that nobody listens at.
func freePort(t testing.TB) string {
	t.Helper()
	for {
		port := strconv.Itoa(20_000 + int(ports.Add(1)))
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort(loopback(), port))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		return port
	}
}

// database is a server of the tests' own, with its data in a folder of its own.
type database struct {
	port string
	dir  string
	product
	watched func() // ends the watch
}

// product is how a kind of database is handled.
type product interface {
	start(t testing.TB)   // returns when it answers
	crash(t testing.TB)   // ends it as if the machine had stopped
	restart(t testing.TB) // does both
	stop() error          // ends it as its administrator would
}

// addr is where it listens.
func (d *database) addr() string { return net.JoinHostPort(loopback(), d.port) }

// remove ends it and takes its data away.
func (d *database) remove() error {
	defer d.watched()
	return errors.Join(d.stop(), os.RemoveAll(d.dir))
}

// watch kills the server whose process is in a file, and removes the folder, if
// the tests do not come to their end: then the pipe is closed all the same. It
// returns what ends the watch.
func watch(t testing.TB, dir, pidFile string) func() {
	t.Helper()
	// What the server began may still write when it has ended.
	const script = `cat >&2
pid=$(head -n 1 "$1" 2>&-) && kill -s KILL "$pid" && while kill -s 0 "$pid" 2>&-; do sleep 0.1; done
for again in 1 2 3 4 5 6 7 8 9; do rm -rf "$2" 2>&- && break; sleep 0.2; done`
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "sh", "-c", script, "sh", pidFile, dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what ends the tests is not for it
	pipe, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		pipe.Close()
		_ = cmd.Wait() // there was nothing left to kill
	}
}

// own starts a server that is this test's alone.
func own(t testing.TB, server func(testing.TB) *database) *database {
	t.Helper()
	d := server(t)
	t.Cleanup(func() { succeeds(t, d.remove()) })
	d.start(t)
	return d
}

// shared is a server for all tests that leave it running. It is started by the
// first one that asks, and removed by TestMain.
type shared struct {
	server  func(testing.TB) *database
	mu      sync.Mutex
	started *database
	names   int
}

var (
	postgres = &shared{server: func(t testing.TB) *database { t.Helper(); return preparePostgres(t, hasty()) }}
	mariaDB  = &shared{server: func(t testing.TB) *database { t.Helper(); return prepareMariaDB(t, hasty()) }}
)

// hasty reports whether a shared server need not wait for the disk, as nobody
// crashes it, and benchmarks do not measure it. How soon it answers does not depend
// on what else is written to the disk then.
func hasty() bool { return flag.Lookup("test.bench").Value.String() == "" }

// schema returns the server, and the name of a database in it that is new.
func (s *shared) schema(t testing.TB, url func(*database, string) (driver, dsn string)) (d *database, name string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started == nil {
		d := s.server(t)
		s.started = d // to be removed, also if it does not start
		d.start(t)
	}
	s.names++
	name = fmt.Sprintf("fibra_%d", s.names)
	driver, dsn := url(s.started, "")
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.started, name
}

func (s *shared) remove() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started == nil {
		return nil
	}
	return s.started.remove()
}

// run runs a program to its end, as the one who owns the folder.
func run(t testing.TB, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.SysProcAttr = dir, unprivileged(t, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}
