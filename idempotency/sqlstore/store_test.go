package sqlstore_test

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

func TestNew(t *testing.T) {
	t.Parallel()
	_, db := play(t, answer{})
	with := func(opts ...sqlstore.Option) []sqlstore.Option { return opts }
	tests := map[string]struct {
		db      *sql.DB
		dialect sqlstore.Dialect
		opts    []sqlstore.Option
		want    []string // in the error; nil: none
	}{
		"PostgreSQL":       {db, sqlstore.PostgreSQL, nil, nil},
		"SQLite":           {db, sqlstore.SQLite, nil, nil},
		"MySQL":            {db, sqlstore.MySQL, nil, nil},
		"all options":      {db, sqlstore.PostgreSQL, with(sqlstore.WithTable(`cl"aves`), sqlstore.WithSchema("fibra"), sqlstore.WithNotify("c'est")), nil},
		"no dialect":       {db, 0, nil, []string{"dialect"}},
		"another dialect":  {db, 9, nil, []string{"dialect"}},
		"of versions":      {db, sqlstore.SQLite, with(sqlstore.WithTable("Portavoz_Migrations")), []string{"table is that of"}},
		"no table":         {db, sqlstore.MySQL, with(sqlstore.WithTable("")), []string{"table is empty"}},
		"long":             {db, sqlstore.MySQL, with(sqlstore.WithTable(strings.Repeat("x", 51))), []string{"table has more than 50"}},
		"question":         {db, sqlstore.MySQL, with(sqlstore.WithTable("a?")), []string{"table has a character"}},
		"line end":         {db, sqlstore.MySQL, with(sqlstore.WithSchema("a\n")), []string{"schema has a character"}},
		"invalid":          {db, sqlstore.MySQL, with(sqlstore.WithSchema("a\xff")), []string{"schema has a character"}},
		"backslash":        {db, sqlstore.PostgreSQL, with(sqlstore.WithNotify(`a\`)), []string{"channel has a character"}},
		"nobody to notify": {db, sqlstore.SQLite, with(sqlstore.WithNotify("a")), []string{"only PostgreSQL"}},
		"all problems": {nil, 0, with(sqlstore.WithTable("{table}"), sqlstore.WithSchema("\x00"), sqlstore.WithNotify("?")),
			[]string{"database is nil", "dialect", "table has", "schema has", "channel has"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := sqlstore.New(tt.db, tt.dialect, tt.opts...)
			if (err == nil) != (tt.want == nil) || (s == nil) != (err != nil) {
				t.Fatalf("New = %v, %v; want an error: %v", s, err, tt.want != nil)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want %q in it", err, want)
				}
			}
		})
	}
}

// TestNames: names are quoted, whatever is in them.
func TestNames(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		dialect sqlstore.Dialect
		want    string
	}{
		"PostgreSQL": {sqlstore.PostgreSQL, "\"so`\"\"'\".\"ta`\"\"'ble\""},
		"SQLite":     {sqlstore.SQLite, "\"so`\"\"'\".\"ta`\"\"'ble\""},
		"MySQL":      {sqlstore.MySQL, "`so``\"'`.`ta``\"'ble`"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, conn := play(t, answer{changed: 1})
			s := newStore(t, conn, tt.dialect, sqlstore.WithSchema("so`\"'"), sqlstore.WithTable("ta`\"'ble"))
			for step, take := range steps {
				if err := take(t.Context(), s); step != "claim" && err != nil {
					t.Errorf("%s: %v", step, err)
				}
			}
			if _, err := s.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
			for _, said := range db.said {
				if said.text == "BEGIN" || said.text == "ROLLBACK" {
					continue
				}
				if !strings.Contains(said.text, tt.want) || strings.ContainsAny(said.text, "{}") {
					t.Errorf("statement = %s, want %s in it", said.text, tt.want)
				}
			}
			for _, m := range s.Migrations() {
				if !strings.Contains(m.SQL, tt.want) || strings.ContainsAny(m.SQL, "{}") || !strings.Contains(m.SQL, "'ta`\"''ble'") {
					t.Errorf("migration = %s, want %s in it", m.SQL, tt.want)
				}
			}
		})
	}
}

// TestClaimAnswers: what is found, and what is made of it.
func TestClaimAnswers(t *testing.T) {
	t.Parallel()
	corrupt := row(running, "OTHER", 1, 1, nil)
	corrupt.row[0] = []byte("short")
	completed := func(result string) idempotency.Answer {
		return idempotency.Answer{Status: idempotency.Completed, Result: []byte(result), TTLLeft: 9 * time.Millisecond}
	}
	for name, tt := range map[string]struct {
		found answer
		want  idempotency.Answer
		err   error
	}{
		"in progress":    {row(running, "OTHER", 5, 9, nil), idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: 5 * time.Millisecond}, nil},
		"lease over":     {row(running, "OTHER", 0, 9, nil), idempotency.Answer{Status: idempotency.Abandoned}, nil},
		"abandoned":      {row(abandoned, "OTHER", 5, 9, nil), idempotency.Answer{Status: idempotency.Abandoned}, nil},
		"kept":           {row(kept, "OTHER", 5, 9, []byte("done")), completed("done"), nil},
		"kept, empty":    {row(kept, "OTHER", 5, 9, []byte{}), completed(""), nil},
		"kept, as NULL":  {row(kept, "OTHER", 5, 9, nil), completed(""), nil},
		"dropped":        {row(dropped, "OTHER", 5, 9, nil), idempotency.Answer{Status: idempotency.Completed, Dropped: true, TTLLeft: 9 * time.Millisecond}, nil},
		"unknown state":  {row(5, "OTHER", 5, 9, nil), idempotency.Answer{}, idempotency.ErrCorrupt},
		"no state":       {row(0, "OTHER", 5, 9, nil), idempotency.Answer{}, idempotency.ErrCorrupt},
		"no fingerprint": {corrupt, idempotency.Answer{}, idempotency.ErrCorrupt},
		"no such table":  {answer{err: errDown}, idempotency.Answer{}, errDown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, conn := play(t, tt.found)
			got, err := newStore(t, conn, sqlstore.SQLite).Claim(t.Context(), claim)
			if !errors.Is(err, tt.err) || got.Status != tt.want.Status || !bytes.Equal(got.Result, tt.want.Result) ||
				(got.Result == nil) != (tt.want.Result == nil) || got.Dropped != tt.want.Dropped ||
				got.TTLLeft != tt.want.TTLLeft || got.LeaseLeft != tt.want.LeaseLeft {
				t.Errorf("Claim = %+v, %v; want %+v, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

// errDown is what a driver says.
var errDown = errors.New("the database is down")

// TestRaces: what changes between the two statements of a claim is looked at
// again, and not for ever.
func TestRaces(t *testing.T) {
	t.Parallel()
	none, lost, won := answer{}, answer{}, answer{changed: 1}
	expired := row(running, "OTHER", 0, 0, nil)
	own := row(running, "TOKEN", 5, 9, nil)
	for name, tt := range map[string]struct {
		answers []answer
		want    idempotency.Status
		said    string
	}{
		"free":                     {[]answer{none, won}, idempotency.Acquired, "SELECT INSERT"},
		"another one was faster":   {[]answer{none, lost, row(running, "OTHER", 5, 9, nil)}, idempotency.InProgress, "SELECT INSERT SELECT"},
		"expired":                  {[]answer{expired, won}, idempotency.Acquired, "SELECT UPDATE"},
		"expired, and taken over":  {[]answer{expired, lost, row(running, "OTHER", 5, 9, nil)}, idempotency.InProgress, "SELECT UPDATE SELECT"},
		"sent again":               {[]answer{own, won}, idempotency.Acquired, "SELECT UPDATE"},
		"sent again, and released": {[]answer{own, lost, none, won}, idempotency.Acquired, "SELECT UPDATE SELECT INSERT"},
		"a deadlock":               {[]answer{none, {err: errDown}, none, won}, idempotency.Acquired, "SELECT INSERT BEGIN SELECT INSERT COMMIT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, conn := play(t, tt.answers...)
			got, err := newStore(t, conn, sqlstore.MySQL).Claim(t.Context(), claim)
			if err != nil || got.Status != tt.want || db.texts() != tt.said {
				t.Errorf("Claim = %+v, %v after %s; want %d after %s", got, err, db.texts(), tt.want, tt.said)
			}
		})
	}
	t.Run("for ever", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			_, conn := play(t, none)
			if got, err := newStore(t, conn, sqlstore.SQLite).Claim(t.Context(), claim); err == nil || got.Status != 0 {
				t.Errorf("Claim = %+v, %v; want an error", got, err)
			}
		})
	})
}

// TestRepeat: a step that fails is taken again, three times in all and not
// beyond its context, and what is known of the first try is not lost.
func TestRepeat(t *testing.T) {
	t.Parallel()
	refused := errors.NoEffect(errors.New("connection refused"))
	done := answer{changed: 1}
	for step, take := range steps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := func(answers ...answer) (*script, *sqlstore.Store) {
					db, conn := play(t, answers...)
					return db, newStore(t, conn, sqlstore.SQLite)
				}
				found := answer{row: row(running, "TOKEN", 5, 9, nil).row, changed: 1}
				_, s := store(answer{err: errDown}, answer{err: errDown}, found)
				if err := take(t.Context(), s); err != nil {
					t.Errorf("after two failures: %v, want success", err)
				}
				db, s := store(answer{err: errDown}, answer{err: refused}, answer{err: refused}, done)
				if err := take(t.Context(), s); !errors.Is(err, errDown) || errors.From(err).Effect != errors.EffectUnknown {
					t.Errorf("after three failures: %v, want one that proves nothing", err)
				}
				if len(db.said) != 3 {
					t.Errorf("%d tries, want 3", len(db.said))
				}
				_, s = store(answer{err: refused})
				if err := take(t.Context(), s); errors.From(err).Effect != errors.EffectNone {
					t.Errorf("refused three times: %v, want one that proves that nothing happened", err)
				}
				db, s = store(answer{err: errDown}, done)
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				defer cancel()
				if err := take(ctx, s); !errors.Is(err, errDown) || len(db.said) != 1 {
					t.Errorf("within a millisecond: %v after %d tries, want the failure of one", err, len(db.said))
				}
			})
		})
	}
}

// TestSenseless: what makes no sense is refused before the database is asked.
func TestSenseless(t *testing.T) {
	t.Parallel()
	db, conn := play(t, answer{changed: 1})
	s := newStore(t, conn, sqlstore.PostgreSQL)
	for name, change := range map[string]func(*idempotency.Claim){
		"no token":   func(c *idempotency.Claim) { c.Token = "" },
		"long token": func(c *idempotency.Claim) { c.Token = strings.Repeat("x", 65) },
		"no lease":   func(c *idempotency.Claim) { c.Lease = 0 },
		"no ttl":     func(c *idempotency.Claim) { c.TTL = -1 },
	} {
		c := claim
		change(&c)
		if got, err := s.Claim(t.Context(), c); err == nil || got.Status != 0 {
			t.Errorf("%s: Claim = %+v, %v; want an error", name, got, err)
		}
	}
	if err := s.Complete(t.Context(), key, "TOKEN", nil, 0); err == nil {
		t.Error("Complete for no time: no error")
	}
	if err := s.Extend(t.Context(), key, "TOKEN", -time.Second); err == nil {
		t.Error("Extend by less than nothing: no error")
	}
	if len(db.said) != 0 {
		t.Errorf("the database was told %v", db.said)
	}
}

// TestSettleAgain: a step that has changed nothing was taken before, or is not
// the token's to take.
func TestSettleAgain(t *testing.T) {
	t.Parallel()
	found := map[string]answer{
		"running": row(running, "TOKEN", 5, 9, nil), "kept": row(kept, "TOKEN", 5, 9, []byte("r")),
		"dropped": row(dropped, "TOKEN", 5, 9, nil), "abandoned": row(abandoned, "TOKEN", 5, 9, nil),
		"expired": row(kept, "TOKEN", 5, 0, nil), "another's": row(kept, "OTHER", 5, 9, nil), "none": {},
	}
	fine := map[string]string{"complete": "kept dropped", "abandon": "abandoned", "extend": "running"}
	for step, take := range steps {
		for name, record := range found {
			if step == "claim" {
				continue
			}
			_, conn := play(t, answer{}, record)
			err := take(t.Context(), newStore(t, conn, sqlstore.MySQL))
			if want := strings.Contains(fine[step], name); want != (err == nil) || !want && !errors.Is(err, idempotency.ErrNotOwner) {
				t.Errorf("%s of what is %s: %v, want success: %t", step, name, err, want)
			}
		}
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	db, conn := play(t, answer{changed: 500}, answer{changed: 500}, answer{changed: 7})
	if n, err := newStore(t, conn, sqlstore.PostgreSQL).Sweep(t.Context()); n != 1007 || err != nil || len(db.said) != 3 {
		t.Errorf("Sweep = %d, %v in %d statements; want 1007 in 3", n, err, len(db.said))
	}
	_, conn = play(t, answer{changed: 500}, answer{err: errDown})
	if n, err := newStore(t, conn, sqlstore.PostgreSQL).Sweep(t.Context()); n != 500 || !errors.Is(err, errDown) {
		t.Errorf("Sweep = %d, %v; want 500 and the error", n, err)
	}
}
