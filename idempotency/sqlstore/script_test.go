package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// What the statements do is tested in real databases, in examples/postgres. Here
// is what no database can be made to do when it is wanted.

// script stands for a database and its driver: it writes down what it is told
// and gives the answers that it was given, the last one for ever, or those of a
// function.
type script struct {
	mu      sync.Mutex
	said    []statement
	answers []answer
	reply   func(text string) answer
	opened  int
	hangs   map[string]chan struct{} // COMMIT or ROLLBACK is answered when it is closed
}

type statement struct {
	text string
	args []driver.NamedValue
}

// answer is a row, or how many have changed, or an error.
type answer struct {
	row     []driver.Value
	changed int64
	err     error
}

// play makes a database of answers. It asserts that statements have as many
// arguments as parameters.
func play(t testing.TB, answers ...answer) (*script, *sql.DB) {
	t.Helper()
	s := &script{answers: answers}
	db := sql.OpenDB(s)
	t.Cleanup(func() {
		db.Close()
		s.mu.Lock() // a transaction whose context has ended is rolled back when that is noticed
		defer s.mu.Unlock()
		for _, said := range s.said {
			if problem := said.mismatch(); problem != "" {
				t.Error(problem)
			}
		}
	})
	return s, db
}

func (s *script) say(text string, args []driver.NamedValue) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, statement{text, args})
	if s.reply != nil {
		return s.reply(text)
	}
	return s.answers[min(len(s.said), len(s.answers))-1]
}

// texts are the first words of what was said.
func (s *script) texts() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var words []string
	for _, said := range s.said {
		word, rest, _ := strings.Cut(said.text, " ")
		if strings.Contains(rest, "SET state = 4") {
			word = "ABANDON"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func (s *script) Connect(context.Context) (driver.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	return connection{s}, nil
}

func (s *script) Driver() driver.Driver { return nil }

type connection struct{ s *script }

func (c connection) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (c connection) Begin() (driver.Tx, error)           { return nil, errors.ErrUnsupported }
func (c connection) Close() error                        { return nil }

func (c connection) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	return transaction(c), c.s.say("BEGIN", nil).err
}

func (c connection) QueryContext(_ context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	a := c.s.say(text, args)
	if a.err != nil {
		return nil, a.err
	}
	return &rows{row: a.row, width: width(text)}, nil
}

func (c connection) ExecContext(_ context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	a := c.s.say(text, args)
	return driver.RowsAffected(a.changed), a.err
}

type transaction struct{ s *script }

func (t transaction) Commit() error   { return t.end("COMMIT") }
func (t transaction) Rollback() error { return t.end("ROLLBACK") }

func (t transaction) end(word string) error {
	if c := t.s.hangs[word]; c != nil {
		<-c
	}
	return t.s.say(word, nil).err
}

// rows are one row, or none.
type rows struct {
	row   []driver.Value
	width int
}

func (r *rows) Columns() []string { return make([]string, max(r.width, len(r.row))) }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(dst []driver.Value) error {
	if r.row == nil {
		return io.EOF
	}
	copy(dst, r.row)
	r.row = nil
	return nil
}

// width is how many columns a statement selects, as far as that matters.
func width(text string) int {
	if strings.HasPrefix(text, "SELECT 1") || strings.Contains(text, "MAX(version)") {
		return 1
	}
	if strings.HasPrefix(text, "WITH found") {
		return 8
	}
	return 7
}

// mismatch says whether the arguments are not those that the text asks for.
func (s statement) mismatch() string {
	want := strings.Count(s.text, "?")
	for strings.Contains(s.text, "$"+string(rune('1'+want))) {
		want++
	}
	if want != len(s.args) {
		return s.text + ": the number of arguments is wrong"
	}
	return ""
}

var (
	key   = idempotency.Digest{0xab, 31: 0x01}
	claim = idempotency.Claim{
		Key: key, Fingerprint: idempotency.Digest{0, 0xff, '\n'}, Token: "TOKEN",
		Lease: 30 * time.Second, TTL: time.Hour,
	}
)

// The states of a record.
const (
	running = 1 + iota
	kept
	dropped
	abandoned
)

// row is the row of the claim's operation, as it is found at the time 1,000,000.
func row(state int64, token string, lease, life int64, result []byte) answer {
	const now = 1_000_000
	return answer{row: []driver.Value{claim.Fingerprint[:], []byte(token), state, now + lease, now + life, result, int64(now)}}
}

// steps are the methods, each with arguments that make sense.
var steps = map[string]func(context.Context, *sqlstore.Store) error{
	"claim": func(ctx context.Context, s *sqlstore.Store) error { _, err := s.Claim(ctx, claim); return err },
	"complete": func(ctx context.Context, s *sqlstore.Store) error {
		return s.Complete(ctx, key, "TOKEN", []byte("r"), 1)
	},
	"release": func(ctx context.Context, s *sqlstore.Store) error { return s.Release(ctx, key, "TOKEN") },
	"abandon": func(ctx context.Context, s *sqlstore.Store) error { return s.Abandon(ctx, key, "TOKEN") },
	"extend":  func(ctx context.Context, s *sqlstore.Store) error { return s.Extend(ctx, key, "TOKEN", time.Second) },
}

func newStore(t testing.TB, db *sql.DB, d sqlstore.Dialect, opts ...sqlstore.Option) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.New(db, d, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
