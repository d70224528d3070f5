package main_test

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
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
	"syscall"
	"testing"
	"time"
)

// patience bounds whatever takes as long as it takes.
const patience = 60 * time.Second

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
// and MariaDB refuse, and gives him the folder.
func unprivileged(t testing.TB, cmd *exec.Cmd, folder string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
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
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		return
	}
	t.Fatal("there is no user but root")
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

// freePort is a port nobody listens at.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// database is a server of the tests' own, with its data in a folder of its own.
type database struct {
	port       string
	dir        string
	args       []string // what starts it
	log        *output
	cmd        *exec.Cmd
	end, abort os.Signal // stop it, and crash it
	up         func(ctx context.Context) error

	exited chan struct{} // closed when the process has ended
}

// addr is where it listens.
func (d *database) addr() string { return net.JoinHostPort("127.0.0.1", d.port) }

// start starts the process and waits until it answers.
func (d *database) start(t testing.TB) {
	t.Helper()
	d.log, d.exited = new(output), make(chan struct{})
	d.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), d.args[0], d.args[1:]...)
	d.cmd.Dir, d.cmd.Stdout, d.cmd.Stderr = d.dir, d.log, d.log
	unprivileged(t, d.cmd, d.dir)
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func(cmd *exec.Cmd, exited chan struct{}) {
		_ = cmd.Wait() // it is stopped
		close(exited)
	}(d.cmd, d.exited)
	eventually(t, "the database answers", func() bool {
		select {
		case <-d.exited:
			t.Fatalf("the database does not start:\n%s", d.log)
		default:
		}
		return d.up(t.Context()) == nil
	})
}

// crash ends it as pg_ctl does with -m immediate: without a checkpoint, as if the
// machine had stopped. What MariaDB takes for that is SIGKILL.
func (d *database) crash(t testing.TB) {
	t.Helper()
	if err := d.stop(d.abort); err != nil {
		t.Error(err)
	}
}

// remove ends it and takes its data away.
func (d *database) remove() error { return errors.Join(d.stop(d.end), os.RemoveAll(d.dir)) }

// stop ends the process and waits for its end.
func (d *database) stop(how os.Signal) error {
	if d.cmd == nil || d.cmd.Process == nil {
		return nil
	}
	if err := d.cmd.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-d.exited:
		return nil
	case <-time.After(patience):
		_ = d.cmd.Process.Kill()
		return fmt.Errorf("the database does not end:\n%s", d.log)
	}
}

// own starts a server that is this test's alone.
func own(t testing.TB, server func(testing.TB) *database) *database {
	t.Helper()
	d := server(t)
	t.Cleanup(func() {
		if err := d.remove(); err != nil {
			t.Error(err)
		}
	})
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
	postgres = &shared{server: newPostgres}
	mariaDB  = &shared{server: newMariaDB}
)

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

// ping connects and asks.
func ping(driver, dsn string) func(context.Context) error {
	return func(ctx context.Context) error {
		db, err := sql.Open(driver, dsn)
		if err != nil {
			return err
		}
		defer db.Close()
		return db.PingContext(ctx)
	}
}

// postgresBins is where Debian has the programs of PostgreSQL.
const postgresBins = "/usr/lib/postgresql/*/bin"

// newPostgres prepares a PostgreSQL.
func newPostgres(t testing.TB) *database {
	t.Helper()
	initdb := need(t, "initdb", "postgresql", postgresBins)
	d := &database{port: freePort(t), dir: folder(t), end: syscall.SIGINT, abort: syscall.SIGQUIT}
	run(t, d.dir, initdb, "-D", d.dir+"/data", "-U", "fibra", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
	d.args = []string{
		filepath.Join(filepath.Dir(initdb), "postgres"), "-D", d.dir + "/data", "-p", d.port, "-k", "",
		"-c", "listen_addresses=127.0.0.1", "-c", "max_connections=500", "-c", "logging_collector=off",
	}
	d.up = ping(d.postgres(""))
	return d
}

// postgres is how to reach a database of a PostgreSQL.
func (d *database) postgres(name string) (driver, dsn string) {
	return "pgx", "postgres://fibra@" + d.addr() + "/" + cmp.Or(name, "postgres") + "?sslmode=disable"
}

// postgresURL is that of a new database.
func postgresURL(t testing.TB) string {
	t.Helper()
	d, name := postgres.schema(t, (*database).postgres)
	_, url := d.postgres(name)
	return url
}

// newMariaDB prepares a MariaDB.
func newMariaDB(t testing.TB) *database {
	t.Helper()
	mariadbd := need(t, "mariadbd", "mariadb-server", "/usr/sbin")
	d := &database{port: freePort(t), dir: folder(t), end: syscall.SIGTERM, abort: syscall.SIGKILL}
	run(t, d.dir, need(t, "mariadb-install-db", "mariadb-server"), "--no-defaults", "--datadir="+d.dir+"/data",
		"--auth-root-authentication-method=normal", "--skip-test-db")
	d.args = []string{
		mariadbd, "--no-defaults", "--datadir=" + d.dir + "/data", "--bind-address=127.0.0.1", "--port=" + d.port,
		"--socket=" + d.dir + "/socket", "--pid-file=" + d.dir + "/pid", "--max-connections=500",
	}
	d.up = ping(d.mariaDB(""))
	return d
}

// mariaDB is how to reach a database of a MariaDB.
func (d *database) mariaDB(name string) (driver, dsn string) {
	return "mysql", "root@tcp(" + d.addr() + ")/" + cmp.Or(name, "mysql") + "?interpolateParams=true"
}

// mariaDSN is that of a new database.
func mariaDSN(t testing.TB) string {
	t.Helper()
	d, name := mariaDB.schema(t, (*database).mariaDB)
	_, dsn := d.mariaDB(name)
	return dsn
}

// run runs a program to its end, as the one who owns the folder.
func run(t testing.TB, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	unprivileged(t, cmd, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}
