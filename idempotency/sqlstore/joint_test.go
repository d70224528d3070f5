package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/sqlstore"
)

// drama is a database in which parts of a joined run go wrong.
type drama struct {
	commit   error // what COMMIT answers
	made     bool  // it was made all the same
	fenced   bool  // the key is another's when it is to be completed
	update   error // what the completion answers
	lost     bool  // the database has ended the transaction on its own
	cut      bool  // its connection is lost at the end of the run
	begin    error
	awayFor  time.Duration // for how long nothing is answered after COMMIT
	rollback error

	committed time.Time
	state     int64
	token     string // whose the record is
}

// reply plays the record of one operation, as MySQL would.
func (d *drama) reply(text string) answer {
	if !d.committed.IsZero() && time.Since(d.committed) < d.awayFor {
		return answer{err: errDown}
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "BEGIN":
		return answer{err: d.begin}
	case word == "COMMIT" && !d.committed.IsZero(): // of a step that was taken again
		return answer{}
	case word == "COMMIT":
		d.committed = time.Now()
		if d.commit != nil && !d.made {
			d.state = running
		}
		return answer{err: d.commit}
	case word == "ROLLBACK":
		if d.state == kept {
			d.state = running
		}
		return answer{err: d.rollback}
	case word == "RELEASE" && (d.lost || d.cut), text == "SELECT 1" && d.cut:
		return answer{err: errDown}
	case text == "SELECT 1":
		return answer{row: []driver.Value{int64(1)}}
	case word == "SELECT" && d.state == 0:
		return answer{}
	case word == "SELECT":
		return row(d.state, d.token, 5, 9, []byte("done"))
	case strings.Contains(rest, "effects"):
		return answer{changed: 1}
	case word == "INSERT":
		d.state, d.token = running, "any"
		return answer{changed: 1}
	case d.state != running || d.fenced:
		return answer{}
	case word == "DELETE":
		d.state = 0
	case strings.Contains(rest, "SET state = 4"):
		d.state = abandoned
	case strings.Contains(rest, "SET state = ?"):
		if d.update != nil {
			return answer{err: d.update}
		}
		d.state = kept
	}
	return answer{changed: 1}
}

// TestJoint: what a joined run that said Keep comes to when its commit goes
// wrong, what the database was told, and what a retry finds.
func TestJoint(t *testing.T) {
	t.Parallel()
	const begun = "SELECT INSERT BEGIN SAVEPOINT INSERT "
	for name, tt := range map[string]struct {
		drama drama
		plain bool // no WholeEffect
		code  string
		said  string
		state int64 // that remains
	}{
		"committed":               {drama{}, false, "", begun + "RELEASE UPDATE COMMIT", kept},
		"another's":               {drama{fenced: true}, false, errors.CodeStore, begun + "RELEASE UPDATE ROLLBACK DELETE SELECT", running},
		"another's, plain":        {drama{fenced: true}, true, errors.CodeOutcomeUnknown, begun + "RELEASE UPDATE ROLLBACK ABANDON SELECT", running},
		"key not written":         {drama{update: errDown}, false, errors.CodeStore, begun + "RELEASE UPDATE ROLLBACK DELETE", 0},
		"key not written, plain":  {drama{update: errDown, rollback: errDown}, true, errors.CodeOutcomeUnknown, begun + "RELEASE UPDATE ROLLBACK ABANDON", abandoned},
		"transaction lost":        {drama{lost: true}, false, errors.CodeOutcomeUnknown, begun + "RELEASE SELECT ROLLBACK ABANDON", abandoned},
		"connection lost":         {drama{cut: true}, false, errors.CodeStore, begun + "RELEASE SELECT ROLLBACK DELETE", 0},
		"connection lost, plain":  {drama{cut: true}, true, errors.CodeOutcomeUnknown, begun + "RELEASE SELECT ROLLBACK ABANDON", abandoned},
		"commit refused":          {drama{commit: errDown}, false, errors.CodeStore, begun + "RELEASE UPDATE COMMIT DELETE", 0},
		"commit refused, plain":   {drama{commit: errDown}, true, errors.CodeOutcomeUnknown, begun + "RELEASE UPDATE COMMIT ABANDON", abandoned},
		"commit's answer lost":    {drama{commit: errDown, made: true}, false, "", begun + "RELEASE UPDATE COMMIT DELETE SELECT", kept},
		"lost, plain":             {drama{commit: errDown, made: true}, true, "", begun + "RELEASE UPDATE COMMIT ABANDON SELECT", kept},
		"lost, away for a second": {drama{commit: errDown, made: true, awayFor: time.Second}, false, "", "", kept},
		"refused, away":           {drama{commit: errDown, awayFor: time.Second}, false, errors.CodeStore, "", 0},
		"lost, away for long":     {drama{commit: errDown, made: true, awayFor: time.Minute}, false, errors.CodeOutcomeUnknown, "", kept},
		"refused, away for long":  {drama{commit: errDown, awayFor: time.Minute}, false, errors.CodeOutcomeUnknown, "", 0},
		"away for long, plain":    {drama{commit: errDown, awayFor: time.Minute}, true, errors.CodeOutcomeUnknown, "", abandoned},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var opts []sqlstore.TxOption
				if !tt.plain {
					opts = append(opts, sqlstore.WholeEffect())
				}
				d := tt.drama
				db, conn := play(t)
				db.reply = d.reply
				store := named{newStore(t, conn, sqlstore.MySQL), &d}
				var incidents []string
				engine, err := idempotency.New(store, idempotency.Config{Report: func(i idempotency.Incident) { incidents = append(incidents, i.Kind) }})
				if err != nil {
					t.Fatal(err)
				}
				reply, err := engine.Do(t.Context(), operation(), func(ctx context.Context) idempotency.Settlement {
					return insert(ctx, t, opts...)
				})
				if e := errors.From(err); (tt.code == "") != (err == nil) || err != nil && (e.Code != tt.code || reply.Ran || reply.Result != nil) {
					t.Errorf("Do = %+v, %v; want %q", reply, err, tt.code)
				}
				if tt.code == errors.CodeStore && verdict(err) != idempotency.Release {
					t.Errorf("Do = %v, want one that proves that nothing happened", err)
				}
				if err := engine.Drain(t.Context()); err != nil {
					t.Errorf("Drain: %v", err)
				}
				if got := db.texts(); tt.said != "" && got != tt.said {
					t.Errorf("the database was told %s, want %s", got, tt.said)
				}
				if d.state != tt.state {
					t.Errorf("state = %d, want %d", d.state, tt.state)
				}
				if slices.Contains(incidents, idempotency.IncidentFenced) != (tt.drama.fenced && tt.plain) {
					t.Errorf("incidents = %v", incidents)
				}
			})
		})
	}
}

// named tells a drama the token.
type named struct {
	*sqlstore.Store
	*drama
}

func (n named) Claim(ctx context.Context, c idempotency.Claim) (idempotency.Answer, error) {
	defer func() { n.token = c.Token }()
	return n.Store.Claim(ctx, c)
}

func operation() idempotency.Operation {
	return idempotency.Operation{Name: "abrir_caso", Key: "k"}
}

// insert is a run with an effect in its transaction.
func insert(ctx context.Context, t *testing.T, opts ...sqlstore.TxOption) idempotency.Settlement {
	t.Helper()
	tx, err := sqlstore.Tx(ctx, opts...)
	if err != nil {
		return idempotency.Settlement{Verdict: verdict(err), Err: err}
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO effects VALUES (1)"); err != nil {
		t.Errorf("the effect: %v", err)
	}
	if again, err := sqlstore.Tx(ctx); err != nil || again != tx {
		t.Errorf("Tx, again = %p, %v; want the same one", again, err)
	}
	return idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("done")}
}

// TestFails: what a run that fails, and has done nothing else, comes to.
func TestFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		drama drama
		proof bool // the run knows that nothing happened
		state int64
	}{
		"rolled back":             {drama{}, false, 0},
		"connection lost":         {drama{cut: true}, false, 0},
		"transaction lost":        {drama{lost: true}, false, abandoned},
		"transaction lost, proof": {drama{lost: true}, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := tt.drama
			db, conn := play(t)
			db.reply = d.reply
			engine, err := idempotency.New(newStore(t, conn, sqlstore.MySQL), idempotency.Config{})
			if err != nil {
				t.Fatal(err)
			}
			failed := errDown
			if tt.proof {
				failed = errors.NoEffect(errDown)
			}
			_, err = engine.Do(t.Context(), operation(), func(ctx context.Context) idempotency.Settlement {
				insert(ctx, t, sqlstore.WholeEffect())
				return idempotency.Settlement{Verdict: verdict(failed), Err: failed}
			})
			if !errors.Is(err, errDown) || d.state != tt.state {
				t.Errorf("Do = %v, state %d; want the error of the run, and state %d", err, d.state, tt.state)
			}
		})
	}
}

// verdict is what an error proves.
func verdict(err error) idempotency.Verdict {
	if errors.From(err).Effect == errors.EffectNone {
		return idempotency.Release
	}
	return idempotency.Abandon
}

// TestTxFails: without a transaction nothing has happened, and the key is free.
func TestTxFails(t *testing.T) {
	t.Parallel()
	hold := func(a answer) func(text string) answer {
		return func(text string) answer {
			if strings.Contains(text, "SET state = state") {
				return a
			}
			return (&drama{}).reply(text)
		}
	}
	for name, tt := range map[string]struct {
		reply func(text string) answer
		want  error
		ends  bool // a transaction had begun
	}{
		"no beginning":  {(&drama{begin: errDown}).reply, errDown, false},
		"not the owner": {hold(answer{}), idempotency.ErrNotOwner, true},
		"not writable":  {hold(answer{err: errDown}), errDown, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db, conn := play(t)
				db.reply = tt.reply
				s := newStore(t, conn, sqlstore.SQLite)
				ctx, conclude := s.Join(t.Context(), key, "TOKEN")
				tx, err := sqlstore.Tx(ctx)
				if tx != nil || !errors.Is(err, tt.want) || verdict(err) != idempotency.Release || errors.From(err).Code != errors.CodeStore {
					t.Errorf("Tx = %v, %v; want %v in %s, which proves that nothing happened", tx, err, tt.want, errors.CodeStore)
				}
				if got := strings.Contains(db.texts(), "ROLLBACK"); got != tt.ends {
					t.Errorf("the database was told %s, a rollback: want %t", db.texts(), tt.ends)
				}
				run := idempotency.Settlement{Verdict: idempotency.Release, Err: err}
				if stands, told := conclude(ctx, run, time.Hour); told || stands.Verdict != run.Verdict {
					t.Errorf("conclude = %+v, %t; want what the run said", stands, told)
				}
			})
		})
	}
}

// TestTxOutside: there is nothing to join outside of a run, nor after it.
func TestTxOutside(t *testing.T) {
	t.Parallel()
	if tx, err := sqlstore.Tx(t.Context()); tx != nil || !errors.Is(err, sqlstore.ErrNoRun) ||
		verdict(err) != idempotency.Release || errors.From(err).Code != errors.CodeKeyRequired {
		t.Errorf("Tx = %v, %v; want ErrNoRun, which proves that nothing happened", tx, err)
	}
	db, conn := play(t, answer{changed: 1})
	ctx, conclude := newStore(t, conn, sqlstore.PostgreSQL).Join(t.Context(), key, "TOKEN")
	conclude(ctx, idempotency.Settlement{Verdict: idempotency.Keep}, time.Hour)
	if tx, err := sqlstore.Tx(ctx); tx != nil || err == nil || len(db.said) != 0 {
		t.Errorf("Tx after the run = %v, %v after %s; want an error", tx, err, db.texts())
	}
}

// TestTxForbidsRepeat: a run that has asked for the transaction is not to be tried
// again, and one that has not, or did not get it, may.
func TestTxForbidsRepeat(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		begin error
		asks  bool
		want  bool
	}{
		"asks":            {asks: true, want: false},
		"does not ask":    {want: true},
		"does not get it": {begin: errDown, asks: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db, conn := play(t)
				db.reply = (&drama{begin: tt.begin}).reply
				engine, err := idempotency.New(newStore(t, conn, sqlstore.MySQL), idempotency.Config{})
				if err != nil {
					t.Fatal(err)
				}
				_, _ = engine.Do(t.Context(), operation(), func(ctx context.Context) idempotency.Settlement {
					if !idempotency.MayRepeat(ctx) {
						t.Error("may not be repeated before anything was asked for")
					}
					s := idempotency.Settlement{Verdict: idempotency.Release, Err: errDown}
					if tt.asks {
						s = insert(ctx, t)
					}
					if got := idempotency.MayRepeat(ctx); got != tt.want {
						t.Errorf("may be repeated: %t, want %t", got, tt.want)
					}
					return s
				})
			})
		})
	}
	idempotency.ForbidRepeat(t.Context()) // outside of a run it does nothing
	if !idempotency.MayRepeat(t.Context()) {
		t.Error("outside of a run nothing may be repeated")
	}
}

// TestTxPoolExhausted: who waits for a connection does so no longer than his
// context, and a transaction that has begun outlives it.
func TestTxPoolExhausted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, conn := play(t, answer{changed: 1})
		conn.SetMaxOpenConns(1)
		s := newStore(t, conn, sqlstore.PostgreSQL)
		first, conclude := s.Join(t.Context(), key, "TOKEN")
		short, cancel := context.WithTimeout(first, time.Second)
		defer cancel()
		if _, err := sqlstore.Tx(short); err != nil {
			t.Fatal(err)
		}
		second, _ := s.Join(t.Context(), key, "OTHER")
		second, leave := context.WithTimeout(second, 5*time.Second)
		defer leave()
		if tx, err := sqlstore.Tx(second); tx != nil || !errors.Is(err, context.DeadlineExceeded) || verdict(err) != idempotency.Release {
			t.Errorf("Tx without a connection = %v, %v; want the deadline, and a proof", tx, err)
		}
		if _, err := s.Claim(second, claim); err == nil {
			t.Error("Claim without a connection: no error")
		}
		third, endless := s.Join(t.Context(), key, "THIRD")
		begin := time.Now()
		_, err := sqlstore.Tx(context.WithoutCancel(third))
		if passed := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || verdict(err) != idempotency.Release || passed != 30*time.Second {
			t.Errorf("Tx with a context without an end = %v after %v, want the deadline after half a minute, and a proof", err, passed)
		}
		endless(third, idempotency.Settlement{}, time.Hour)
		stands, told := conclude(first, idempotency.Settlement{Verdict: idempotency.Keep, Result: []byte("r")}, time.Hour)
		if !told || stands.Verdict != idempotency.Keep || db.texts() != "BEGIN SET UPDATE COMMIT" {
			t.Errorf("conclude = %+v, %t after %s; want it committed", stands, told, db.texts())
		}
	})
}

// TestRaw: what a run does to its transaction behind our back is not known.
func TestRaw(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*sql.Tx) error{"commit": (*sql.Tx).Commit, "rollback": (*sql.Tx).Rollback} {
		for verdict, want := range map[idempotency.Verdict]idempotency.Verdict{
			idempotency.Keep: idempotency.Abandon, idempotency.Abandon: idempotency.Abandon, idempotency.Release: idempotency.Release,
		} {
			_, conn := play(t, answer{changed: 1})
			ctx, conclude := newStore(t, conn, sqlstore.PostgreSQL).Join(t.Context(), key, "TOKEN")
			tx, err := sqlstore.Tx(ctx, sqlstore.WholeEffect(), sqlstore.Isolation(sql.LevelSerializable))
			if err != nil {
				t.Fatal(err)
			}
			if err := end(tx.Raw()); err != nil {
				t.Fatal(err)
			}
			if stands, told := conclude(ctx, idempotency.Settlement{Verdict: verdict}, time.Hour); told || stands.Verdict != want {
				t.Errorf("%s, and verdict %d: %d, told %t; want %d", name, verdict, stands.Verdict, told, want)
			}
		}
	}
}
