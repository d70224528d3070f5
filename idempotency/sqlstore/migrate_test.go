package sqlstore_test

import (
	"context"
	"database/sql/driver"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// TestMigrate: what is up to date is only read, what is not is migrated under a
// lock, and a failure leaves neither lock nor transaction behind.
func TestMigrate(t *testing.T) {
	t.Parallel()
	version := func(n int64) answer { return answer{row: []driver.Value{n}} }
	for name, tt := range map[string]struct {
		first, locked answer // the version, before and under the lock
		fails         string // what the statement that fails begins with
		said          string
		want          string // in the error
		closed        bool
	}{
		"up to date":      {first: version(1), said: "SELECT"},
		"new":             {first: answer{err: errDown}, locked: version(0), said: "SELECT BEGIN CREATE SELECT CREATE ... INSERT COMMIT"},
		"by another one":  {first: version(0), locked: version(1), said: "SELECT BEGIN CREATE SELECT COMMIT"},
		"newer":           {first: version(2), said: "SELECT", want: "version 2, newer than 1"},
		"newer meanwhile": {first: version(0), locked: version(2), said: "SELECT BEGIN CREATE SELECT", want: "version 2, newer than 1", closed: true},
		"no lock":         {first: version(0), fails: "BEGIN", said: "SELECT BEGIN", want: errDown.Error(), closed: true},
		"no right":        {first: version(0), fails: "CREATE TABLE", said: "SELECT BEGIN CREATE", want: errDown.Error(), closed: true},
		"no index":        {first: version(0), locked: version(0), fails: "CREATE INDEX", said: "SELECT BEGIN CREATE SELECT CREATE ...", want: "version 1", closed: true},
		"version unknown": {first: version(0), locked: answer{err: errDown}, said: "SELECT BEGIN CREATE SELECT", want: errDown.Error(), closed: true},
		"no commit":       {first: version(0), locked: version(1), fails: "COMMIT", said: "SELECT BEGIN CREATE SELECT COMMIT", want: errDown.Error(), closed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, conn := play(t)
			asked := 0
			db.reply = func(text string) answer {
				if strings.HasPrefix(text, "SELECT") {
					if asked++; asked == 1 {
						return tt.first
					}
					return tt.locked
				}
				if tt.fails != "" && strings.HasPrefix(text, tt.fails) {
					return answer{err: errDown}
				}
				return answer{}
			}
			err := newStore(t, conn, sqlstore.SQLite).Migrate(t.Context())
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Migrate: %v, want %q", err, tt.want)
			}
			if got := strings.Replace(db.texts(), strings.Repeat(" CREATE", 3), " CREATE ...", 1); got != tt.said {
				t.Errorf("the database was told %s, want %s", got, tt.said)
			}
			if open := conn.Stats().OpenConnections; (open == 0) != tt.closed {
				t.Errorf("%d connections are open, want none: %t", open, tt.closed)
			}
		})
	}
}

// TestUpgrade: of several versions, those that have not been run are, in their
// order, and each one writes itself down.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	all := []sqlstore.Migration{
		{Version: 1, SQL: "CREATE TABLE v;\nCREATE TABLE t;\nINSERT 1;\n"},
		{Version: 2, SQL: "ALTER 2;\nINSERT 2;\n"},
		{Version: 3, SQL: "ALTER 3;\nINSERT 3;\n"},
	}
	for name, tt := range map[string]struct {
		from int64
		said string
	}{
		"from nothing":    {0, "CREATE TABLE v, CREATE TABLE v, CREATE TABLE t, INSERT 1, ALTER 2, INSERT 2, ALTER 3, INSERT 3"},
		"from the first":  {1, "CREATE TABLE v, ALTER 2, INSERT 2, ALTER 3, INSERT 3"},
		"from the second": {2, "CREATE TABLE v, ALTER 3, INSERT 3"},
		"from the newest": {3, ""},
	} {
		for d := sqlstore.PostgreSQL; d <= sqlstore.MySQL; d++ {
			db, conn := play(t)
			db.reply = func(string) answer { return answer{row: []driver.Value{tt.from}} }
			if err := newStore(t, conn, d).MigrateTo(t.Context(), all); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var said []string
			for _, s := range db.said {
				if word, _, _ := strings.Cut(s.text, " "); word == "CREATE" || word == "ALTER" || word == "INSERT" {
					said = append(said, s.text)
				}
			}
			if got := strings.Join(said, ", "); got != tt.said {
				t.Errorf("%s: the database was told %s, want %s", name, got, tt.said)
			}
		}
	}
}

func TestMigrateEnded(t *testing.T) {
	t.Parallel()
	_, conn := play(t, answer{err: errDown})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newStore(t, conn, sqlstore.PostgreSQL).Migrate(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Migrate = %v, want the context's error", err)
	}
}

// TestWait: whoever waits is woken by a notification of his operation, and by
// nothing else before his time.
func TestWait(t *testing.T) {
	t.Parallel()
	const hex = "ab00000000000000000000000000000000000000000000000000000000000001"
	for name, tt := range map[string]struct {
		payload string
		silent  bool // the store does not notify
		want    time.Duration
	}{
		"woken":             {hex, false, time.Second},
		"in capitals":       {strings.ToUpper(hex), false, time.Second},
		"another operation": {strings.Replace(hex, "ab", "ac", 1), false, time.Minute},
		"short":             {hex[:62], false, time.Minute},
		"no digits":         {strings.Repeat("x", 64), false, time.Minute},
		"empty":             {"", false, time.Minute},
		"by the time alone": {hex, true, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, conn := play(t, answer{})
				var opts []sqlstore.Option
				if !tt.silent {
					opts = append(opts, sqlstore.WithNotify("portavoz"))
				}
				s := newStore(t, conn, sqlstore.PostgreSQL, opts...)
				begin, woken := time.Now(), make(chan time.Duration)
				for range 3 {
					go func() {
						s.Wait(t.Context(), key, time.Minute)
						woken <- time.Since(begin)
					}()
				}
				ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
				defer leave()
				s.Wait(ctx, key, time.Minute)
				if passed := time.Since(begin); passed != time.Millisecond {
					t.Errorf("who left waited %v", passed)
				}
				time.Sleep(time.Second - time.Millisecond)
				for range 2 {
					s.Wake(tt.payload)
				}
				for range 3 {
					if got := <-woken; got != tt.want {
						t.Errorf("woken after %v, want %v", got, tt.want)
					}
				}
			})
		})
	}
}

// TestWaitIsCheap: whoever waits for an operation asks once in a while, more seldom
// each time, and has no connection in between.
func TestWaitIsCheap(t *testing.T) {
	t.Parallel()
	for d := sqlstore.PostgreSQL; d <= sqlstore.MySQL; d++ {
		synctest.Test(t, func(t *testing.T) {
			db, conn := play(t)
			var asked []time.Time
			db.reply = func(string) answer {
				asked = append(asked, time.Now())
				found := row(running, "OTHER", 60_000, 90_000, nil)
				found.row[0] = make([]byte, 32)
				if d == sqlstore.PostgreSQL {
					found.row = append([]driver.Value{int64(0)}, found.row...)
				}
				return found
			}
			engine, err := idempotency.New(newStore(t, conn, d), idempotency.Config{})
			if err != nil {
				t.Fatal(err)
			}
			const waits = 30 * time.Second
			ctx, cancel := context.WithTimeout(t.Context(), waits)
			defer cancel()
			begin, left := time.Now(), make(chan error)
			go func() {
				_, err := engine.Do(ctx, operation(), func(context.Context) idempotency.Settlement {
					t.Error("it ran")
					return idempotency.Settlement{}
				})
				left <- err
			}()
			for range 300 {
				time.Sleep(waits / 300)
				synctest.Wait()
				if n := conn.Stats().InUse; n != 0 {
					t.Fatalf("%d connections are in use", n)
				}
			}
			if err := <-left; errors.From(err).Code != errors.CodeInProgress {
				t.Errorf("Do = %v, want %s", err, errors.CodeInProgress)
			}
			// Six questions while the pauses grow to a second, and then two a second at most.
			if n := len(asked); n < 20 || n > 6+2*30 || asked[1].Sub(begin) < 10*time.Millisecond {
				t.Errorf("%d questions in %v, the second after %v", n, waits, asked[1].Sub(begin))
			}
			for i := 8; i < len(asked); i++ {
				if pause := asked[i].Sub(asked[i-1]); pause < 500*time.Millisecond || pause > 1500*time.Millisecond {
					t.Errorf("question %d after %v, want about a second", i, pause)
				}
			}
		})
	}
}

// TestNotify: what frees somebody who waits notifies, in the same statement.
func TestNotify(t *testing.T) {
	t.Parallel()
	db, conn := play(t, answer{changed: 1})
	s := newStore(t, conn, sqlstore.PostgreSQL, sqlstore.WithNotify("c'est"))
	for step, take := range steps {
		db.said = nil
		err := take(t.Context(), s)
		notifies := strings.HasSuffix(db.said[0].text, ` RETURNING pg_notify('c''est', encode(operation, 'hex'))`)
		if want := step == "complete" || step == "release" || step == "abandon"; notifies != want || step != "claim" && err != nil {
			t.Errorf("%s: %v, %s; want it to notify: %t", step, err, db.said[0].text, want)
		}
	}
}

// FuzzWake: whatever is notified does no harm.
func FuzzWake(f *testing.F) {
	f.Add("")
	f.Add(strings.Repeat("0", 64))
	f.Fuzz(func(t *testing.T, payload string) {
		_, conn := play(t, answer{})
		s := newStore(t, conn, sqlstore.PostgreSQL, sqlstore.WithNotify("portavoz"))
		s.Wake(payload)
	})
}

// FuzzNames: a name either is refused, or stays between its quotes.
func FuzzNames(f *testing.F) {
	f.Add("portavoz", "")
	f.Add("a\"b`c'd", `"`)
	f.Add("a;--", "{table}")
	f.Fuzz(func(t *testing.T, table, schema string) {
		for d, quote := range map[sqlstore.Dialect]string{sqlstore.PostgreSQL: `"`, sqlstore.SQLite: `"`, sqlstore.MySQL: "`"} {
			db, conn := play(t, answer{changed: 1})
			s, err := sqlstore.New(conn, d, sqlstore.WithTable(table), sqlstore.WithSchema(schema))
			if err != nil {
				continue
			}
			if err := s.Release(t.Context(), idempotency.Digest{}, "t"); err != nil {
				t.Fatal(err)
			}
			name := quote + strings.ReplaceAll(table, quote, quote+quote) + quote + " WHERE operation"
			in := schema
			if in == "" && d == sqlstore.SQLite {
				in = "main"
			}
			if in != "" {
				name = quote + strings.ReplaceAll(in, quote, quote+quote) + quote + "." + name
			}
			if text := db.said[0].text; !strings.HasPrefix(text, "DELETE FROM "+name) {
				t.Errorf("statement = %s, want the name %s", text, name)
			}
		}
	})
}
