// Package sqlstore is an [idempotency.Store] in a database that you already run:
// PostgreSQL, SQLite, MySQL or MariaDB, through database/sql and the driver that
// you have. It imports none.
//
//	store, err := sqlstore.New(db, sqlstore.PostgreSQL)
//	err = store.Migrate(ctx)
//	engine, err := idempotency.New(store, idempotency.Config{})
//	once := middleware.Idempotency(engine, middleware.RequireKey())
//
// # Apart or joined
//
// By itself the store writes a claim and a completion in statements of their own.
// An effect in between, wherever it happens, is protected as by any store: if the
// process dies after the effect and before the completion, the outcome is unknown.
//
// Where the effect is in the same database, there is no such moment. [Tx] hands a
// run the transaction in which its key will be written as completed:
//
//	func openCase(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
//		tx, err := sqlstore.Tx(ctx, sqlstore.WholeEffect())
//		if err != nil {
//			return nil, err
//		}
//		if _, err := tx.ExecContext(ctx, `INSERT INTO cases ...`); err != nil {
//			return nil, err
//		}
//		return mcp.NewToolResultText("..."), nil // and now it is committed, with the key
//	}
//
// # What it promises
//
// With a database that keeps what it has committed (its defaults do, see below), an
// operation that was claimed is not claimed again, by any process:
//
//	fault                                     apart                            joined
//	many claims at once, any process          one is acquired                  the same
//	the answer to a claim got lost            sent again, it is acquired again the same
//	the process dies before the effect        abandoned once its lease ended   the same; with Rerun it runs, once
//	the process dies between effect and key   abandoned, the effect is made    there is no such moment
//	an owner reports after a takeover         the report is refused            and its effect rolled back
//	the database is not reachable before      idempotency_store, nothing runs  the same
//	it is not reachable after the effect      the caller gets the result, the  nothing happened
//	                                          key is completed later
//	the answer to the commit got lost         -                                the database is asked; if it is away,
//	                                                                           UNKNOWN, and it is asked later
//	it crashes, or is restarted               what was there before            the same
//	all connections are in use                idempotency_store in 2 seconds   the same; a run waits for its own,
//	                                                                           30 seconds at most
//	the network is silent at the commit       -                                after 30 seconds the database is asked
//	the run ends its transaction itself       -                                UNKNOWN, whatever it says of a success
//	a row is damaged, or of a newer version   idempotency.ErrCorrupt           the same
//	clocks of the processes differ, or step   nothing changes                  the same
//
// And this is not promised:
//
//	synchronous_commit off (PostgreSQL),      the last moments before a crash are forgotten
//	innodb_flush_log_at_trx_commit not 1
//	SQLite in WAL mode, synchronous NORMAL    the same if the machine crashes, not the process
//	a replica is promoted that lagged         what it had not taken is forgotten
//	the clock of the database steps           leases and expiries step with it
//
// An operation that is forgotten may run again. Where an effect elsewhere must
// never happen twice, hand [idempotency.EffectKey] on to the system that has it.
//
// # How it works, and why
//
// Every step is one statement that commits by itself, at whatever isolation the
// database has by default: what it depends on it states in its WHERE, and a row
// that has changed meanwhile is not touched. PostgreSQL claims in one round trip,
// SQLite and MySQL read first and insert then; a completion is one everywhere. They
// lock one row, for as long as they take, and depend on no session: poolers may
// stand in between. A statement that fails is sent again, twice at most, as all of
// them may be, then in a transaction at read committed; so end deadlocks and, where
// the default is stricter, serialization failures.
//
// A claim never waits for a row that somebody writes to. Whoever finds an
// operation in progress asks again, after 20 milliseconds at first and after a
// second at last, and holds no connection meanwhile; see [WithNotify].
//
// A joined transaction writes its key at its very end, so that the lock of that
// row lasts for a commit and not for a run. The lease is renewed meanwhile in
// other statements, for which the pool needs a connection to spare: a run whose
// lease cannot be renewed is told to stop while it lasts. That the key is still the run's is the condition under which
// it is written, and without it nothing commits. If a commit fails, the question
// whether it was made is put as a write to the same row: it waits for a commit
// that is still on its way. In SQLite, where one writes at a time, the transaction
// begins with a write, since one that has read may not be let write later; until
// it ends, nobody claims anything. Within a process they queue, without a
// connection; between processes SQLite's own busy timeout decides. Its lease is not
// renewed either: a run that others may take over is told to stop when two thirds
// of it are over.
//
// # Databases and drivers
//
//   - PostgreSQL 12 or newer: pgx through its stdlib package, or lib/pq. Behind a
//     pooler that lends connections by the transaction, such as pgbouncer, set
//     pgx's default_query_exec_mode=exec.
//   - SQLite 3.24 or newer, on a local disk: set a busy timeout, and journal_mode
//     WAL; with modernc.org/sqlite, file:fibra.db?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL).
//   - MySQL 8.0 or MariaDB 10.5, or newer: with go-sql-driver/mysql, set
//     interpolateParams=true, which saves two round trips for each statement.
//     There, statements such as CREATE TABLE commit what is before them, a deadlock
//     rolls back the whole transaction, and tables other than InnoDB's know none.
//
// In SQLite and MySQL a statement that fails may end the transaction (a deadlock, a
// full disk, in SQLite a context that ends during a statement), as a COMMIT or a
// ROLLBACK does that the run says itself; what follows would commit by itself. A run
// that goes on all the same is found out, since what its transaction was marked with
// is gone at its end: a savepoint there, in PostgreSQL a setting that is local to the
// transaction. Its key is not completed, and the outcome is UNKNOWN. So is that of a
// run that gives up, since nobody knows what it did in between; where it gives up at
// once, it says so with [errors.NoEffect].
//
// Results are kept as they are and of any length that the database takes: the
// engine's MaxResult has to be less than the max_allowed_packet of MySQL. Keys are
// digests. A row takes 200 to 500 bytes beside its result. Expired rows are replaced
// when their key is used again; [Store.Sweep] removes the others.
package sqlstore
