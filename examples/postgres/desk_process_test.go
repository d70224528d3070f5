package main_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/examples/internal/exampletest"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/sqldesk"
)

// roleVariable makes a process of its own of the test binary: TestMain then plays the
// role, and runs no test.
const roleVariable = "PORTAVOZ_TEST_ROLE"

// reached is how a process gets to a database.
type reached struct {
	driver, dsn string
	dialect     sqlstore.Dialect
}

// reaches are the databases, each a new one.
var reaches = map[string]func(testing.TB) reached{
	"PostgreSQL": func(t testing.TB) reached { t.Helper(); return reached{"pgx", postgresURL(t), sqlstore.PostgreSQL} },
	"SQLite":     func(t testing.TB) reached { t.Helper(); return reached{"sqlite", newSQLite(t), sqlstore.SQLite} },
	"MariaDB":    func(t testing.TB) reached { t.Helper(); return reached{"mysql", mariaDSN(t), sqlstore.MySQL} },
}

// office is a process that has jobs and approvals in a database: a child, or the one
// of the tests.
type office struct {
	db    *sql.DB
	desk  *sqldesk.Desk
	store *sqlstore.Store
	lease time.Duration
	rerun bool
	say   func(step string)
}

// open makes the tables that are missing.
func (o office) open(ctx context.Context, dialect sqlstore.Dialect) (office, error) {
	var errDesk, errStore error
	o.desk, errDesk = sqldesk.New(o.db, dialect)
	o.store, errStore = sqlstore.New(o.db, dialect)
	if err := errors.Join(errDesk, errStore); err != nil {
		return o, err
	}
	return o, errors.Join(o.store.Migrate(ctx), o.desk.Migrate(ctx))
}

// report is the work: it writes down that it runs, then has its effect, once for a key.
func (o office) report(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if _, err := o.db.ExecContext(ctx, "INSERT INTO runs (name) VALUES ('"+rand.Text()+"')"); err != nil {
		return nil, err
	}
	o.say("begun")
	key := middleware.EffectKey(ctx, "informe")
	if _, err := o.db.ExecContext(ctx, "INSERT INTO reports (name) VALUES ('"+key+"')"); err != nil {
		var n int // a run before this one may have
		if found := o.db.QueryRowContext(ctx, "SELECT count(*) FROM reports WHERE name = '"+key+"'").Scan(&n); found != nil || n != 1 {
			return nil, err
		}
	}
	o.say("written")
	return mcp.NewToolResultText("El informe está listo."), nil
}

// workers run reports.
func (o office) workers() (*middleware.Workers, map[string]server.ToolHandlerFunc) {
	w := middleware.NewWorkers(o.desk.Jobs(), middleware.WorkersConfig{Max: 1, Lease: o.lease, Poll: 20 * time.Millisecond})
	tools := map[string]server.ToolHandlerFunc{}
	for _, tool := range middleware.Deferred(w, mcp.NewTool("generar_reporte"), o.report, middleware.DeferredConfig{Rerun: o.rerun}) {
		tools[tool.Tool.Name] = middleware.Wrap(tool.Handler, middleware.Errors(middleware.ErrorsConfig{}))
	}
	return w, tools
}

// approved is the work as a write that a person has to agree to.
func (o office) approved() (server.ToolHandlerFunc, error) {
	engine, err := idempotency.New(o.store, idempotency.Config{Lease: o.lease, Rerun: o.rerun})
	if err != nil {
		return nil, err
	}
	always := func(context.Context, mcp.CallToolRequest) (string, bool) { return "siempre", true }
	return middleware.Wrap(o.report,
		middleware.Errors(middleware.ErrorsConfig{}), middleware.Idempotency(engine),
		middleware.Approve(always, o.desk.Approvals(), middleware.ApproveConfig{}),
		func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
			return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				o.say("spent")
				return next(ctx, req)
			}
		}), nil
}

// keyed is a call under an idempotency key.
func keyed(tool, key string) mcp.CallToolRequest {
	var req mcp.CallToolRequest
	req.Params.Name = tool
	req.Params.Meta = &mcp.Meta{AdditionalFields: map[string]any{"com.asixto/idempotencyKey": key}}
	return req
}

// heard makes a call until the database has answered in time, and returns all that it
// answers. A database on a machine with much to do may not at first.
func heard(ctx context.Context, h server.ToolHandlerFunc, req mcp.CallToolRequest) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		res, err := h(ctx, req)
		if err != nil || ctx.Err() != nil {
			return "", errors.Join(err, ctx.Err())
		}
		text := res.Content[0].(mcp.TextContent).Text + " " + string(res.RawStructuredContent)
		if !strings.Contains(text, errors.CodeJobStore) && !strings.Contains(text, errors.CodeApprovalStore) && !strings.Contains(text, errors.CodeStore) {
			return text, nil
		}
	}
}

// play is the life of a child. It ends with its standard input, and so not later than
// the tests.
func play(role string) error {
	number, err := strconv.Atoi(os.Getenv("DIALECT"))
	if err != nil {
		return err
	}
	db, err := sql.Open(os.Getenv("DRIVER"), os.Getenv("DSN"))
	if err != nil {
		return err
	}
	ctx := context.Background()
	o := office{db: db, lease: time.Second, rerun: os.Getenv("RERUN") == "true", say: func(step string) {
		fmt.Fprintln(os.Stdout, step)
		if step == os.Getenv("STOP") {
			select {} // until it is killed
		}
	}}
	if os.Getenv("STOP") == "" { // nobody is to wait for the end of its lease
		o.lease = time.Minute
	}
	if o, err = o.open(ctx, sqlstore.Dialect(number)); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	switch role {
	case "jobs":
		return o.playJobs(ctx, lines)
	case "approval":
		return o.playApproval(ctx, lines)
	}
	return fmt.Errorf("there is no role %q", role)
}

// playJobs starts a job for each line, which is its key, and says its name. At the end
// it finishes what it has accepted.
func (o office) playJobs(ctx context.Context, lines *bufio.Scanner) error {
	workers, tools := o.workers()
	fmt.Fprintln(os.Stdout, "ready")
	for lines.Scan() {
		said, err := heard(ctx, tools["iniciar_reporte"], keyed("iniciar_reporte", lines.Text()))
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, "job", said)
	}
	return workers.Drain(ctx)
}

// playApproval makes the call for each line, which is its key, and says what it gets.
func (o office) playApproval(ctx context.Context, lines *bufio.Scanner) error {
	h, err := o.approved()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "ready")
	for lines.Scan() {
		said, err := heard(ctx, h, keyed("enviar_reporte", lines.Text()))
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, "answer", said)
	}
	return nil
}

// child is a process that plays a role.
type child struct {
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	said   []string // what it said and was not yet heard: its goroutines are in no order
	in     io.WriteCloser
	stderr *exampletest.Output
}

func newChild(t *testing.T, role string, at reached, env ...string) *child {
	t.Helper()
	c := &child{stderr: new(exampletest.Output)}
	c.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	c.cmd.Env = append(os.Environ(), append([]string{
		roleVariable + "=" + role, "DRIVER=" + at.driver, "DSN=" + at.dsn, "DIALECT=" + strconv.Itoa(int(at.dialect)),
	}, env...)...)
	c.cmd.Stderr = c.stderr
	out, err := c.cmd.StdoutPipe()
	succeeds(t, err)
	c.in, err = c.cmd.StdinPipe()
	succeeds(t, err)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.lines = bufio.NewScanner(out)
	t.Cleanup(c.kill)
	c.hears(t, "ready")
	return c
}

// tell writes a line to the child.
func (c *child) tell(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// hears waits until the child has said a line that begins like this, and returns the
// rest of it.
func (c *child) hears(t *testing.T, begin string) string {
	t.Helper()
	late := time.AfterFunc(patience, c.stop)
	defer late.Stop()
	for i := 0; ; i++ {
		if i == len(c.said) {
			if !c.lines.Scan() {
				t.Fatalf("the process ended before it said %q, but %q:\n%s", begin, c.said, c.stderr)
			}
			c.said = append(c.said, c.lines.Text())
		}
		if rest, ok := strings.CutPrefix(c.said[i], begin); ok {
			c.said = slices.Delete(c.said, i, i+1)
			return strings.TrimSpace(rest)
		}
	}
}

// stop sends SIGKILL.
func (c *child) stop() { _ = c.cmd.Process.Signal(syscall.SIGKILL) } // it may have ended

// kill ends the process as a machine would that stops.
func (c *child) kill() {
	c.stop()
	_ = c.cmd.Wait()
}

// finish lets the child do what is left, and waits for its end.
func (c *child) finish(t *testing.T) {
	t.Helper()
	succeeds(t, c.in.Close())
	for c.lines.Scan() { // the rest of what it says
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("the process ended with %v:\n%s", err, c.stderr)
	}
}
