package main_test

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// mariadbd is the process of a MariaDB.
type mariadbd struct {
	args []string // what starts it
	dir  string
	up   func(context.Context) error

	log    *exampletest.Output
	cmd    *exec.Cmd
	exited chan struct{} // closed when the process has ended
}

// newMariaDB prepares a MariaDB that may crash.
func newMariaDB(t testing.TB) *database {
	t.Helper()
	return prepareMariaDB(t, false)
}

func prepareMariaDB(t testing.TB, hasty bool) *database {
	t.Helper()
	program := need(t, "mariadbd", "mariadb-server", "/usr/sbin")
	d := &database{port: freePort(t), dir: folder(t)}
	d.watched = watch(t, d.dir, d.dir+"/pid")
	run(t, d.dir, need(t, "mariadb-install-db", "mariadb-server"), "--no-defaults", "--datadir="+d.dir+"/data",
		"--auth-root-authentication-method=normal", "--skip-test-db")
	d.product = &mariadbd{dir: d.dir, up: ping(d.mariaDB("")), args: []string{
		program, "--no-defaults", "--datadir=" + d.dir + "/data", "--bind-address=" + loopback(), "--port=" + d.port,
		"--socket=" + d.dir + "/socket", "--pid-file=" + d.dir + "/pid", "--max-connections=500",
		"--innodb-flush-log-at-trx-commit=" + map[bool]string{false: "1", true: "2"}[hasty],
	}}
	return d
}

func (m *mariadbd) start(t testing.TB) {
	t.Helper()
	m.log, m.exited = new(exampletest.Output), make(chan struct{})
	m.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), m.args[0], m.args[1:]...)
	m.cmd.Dir, m.cmd.Stdout, m.cmd.Stderr, m.cmd.SysProcAttr = m.dir, m.log, m.log, unprivileged(t, m.dir)
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func(cmd *exec.Cmd, exited chan struct{}) {
		_ = cmd.Wait() // it is stopped
		close(exited)
	}(m.cmd, m.exited)
	exampletest.Eventually(t, "the database answers", func() bool {
		select {
		case <-m.exited:
			t.Fatalf("the database does not start:\n%s", m.log)
		default:
		}
		return m.up(t.Context()) == nil
	})
}

func (m *mariadbd) crash(t testing.TB)   { t.Helper(); succeeds(t, m.signal(syscall.SIGKILL)) }
func (m *mariadbd) restart(t testing.TB) { t.Helper(); m.crash(t); m.start(t) }
func (m *mariadbd) stop() error          { return m.signal(syscall.SIGTERM) }

// signal sends a signal that ends the process, and waits for the end.
func (m *mariadbd) signal(how os.Signal) error {
	if m.cmd == nil || m.cmd.Process == nil {
		return nil
	}
	if err := m.cmd.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-m.exited:
		return nil
	case <-time.After(patience):
		_ = m.cmd.Process.Kill()
		return fmt.Errorf("the database does not end:\n%s", m.log)
	}
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
