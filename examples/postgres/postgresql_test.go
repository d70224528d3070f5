package main_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// postgresBins is where Debian has the programs of PostgreSQL.
const postgresBins = "/usr/lib/postgresql/*/bin"

// pgCtl handles a PostgreSQL by the program that is made for that.
type pgCtl struct {
	path, dir string
	as        *syscall.SysProcAttr
}

// newPostgres prepares a PostgreSQL that may crash.
func newPostgres(t testing.TB) *database {
	t.Helper()
	return preparePostgres(t, false)
}

func preparePostgres(t testing.TB, hasty bool) *database {
	t.Helper()
	initdb := need(t, "initdb", "postgresql", postgresBins)
	d := &database{port: freePort(t), dir: folder(t)}
	d.watched = watch(t, d.dir, d.dir+"/data/postmaster.pid")
	run(t, d.dir, initdb, "-D", d.dir+"/data", "-U", "fibra", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
	conf, err := os.OpenFile(d.dir+"/data/postgresql.conf", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conf, "port = %s\nlisten_addresses = '%s'\nunix_socket_directories = ''\n"+
		"max_connections = 500\nlogging_collector = off\nfsync = %t\n", d.port, loopback(), !hasty)
	succeeds(t, err)
	succeeds(t, conf.Close())
	d.product = pgCtl{filepath.Join(filepath.Dir(initdb), "pg_ctl"), d.dir, unprivileged(t, d.dir)}
	return d
}

func (p pgCtl) start(t testing.TB)   { t.Helper(); succeeds(t, p.do("start")) }
func (p pgCtl) crash(t testing.TB)   { t.Helper(); succeeds(t, p.do("stop", "-m", "immediate")) }
func (p pgCtl) restart(t testing.TB) { t.Helper(); succeeds(t, p.do("restart", "-m", "immediate")) }

func (p pgCtl) stop() error {
	if _, err := os.Stat(p.dir + "/data/postmaster.pid"); err == nil { // it is running
		return p.do("stop", "-m", "fast")
	}
	return nil
}

// do waits until the command has been carried out.
func (p pgCtl) do(args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, append([]string{"-D", p.dir + "/data", "-l", p.dir + "/log", "-w"}, args...)...)
	cmd.Dir, cmd.SysProcAttr = p.dir, p.as
	if out, err := cmd.CombinedOutput(); err != nil {
		log, _ := os.ReadFile(p.dir + "/log") // as far as there is one
		return fmt.Errorf("pg_ctl %v: %w\n%s%s", args, err, out, log)
	}
	return nil
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
