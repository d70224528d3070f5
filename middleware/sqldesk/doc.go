// Package sqldesk keeps jobs and approvals in a database that you already run:
// PostgreSQL, SQLite, MySQL or MariaDB, through database/sql and the driver that you
// have. It imports none.
//
//	desk, err := sqldesk.New(db, sqlstore.PostgreSQL)
//	err = desk.Migrate(ctx)
//	workers := middleware.NewWorkers(desk.Jobs(), middleware.WorkersConfig{LeaveQueued: true})
//	stack.Approve = middleware.Approve(policy, desk.Approvals(), middleware.ApproveConfig{})
//	go workers.Run(ctx) // after the tools were added
//
// Versions and drivers are those of package sqlstore, and what it says of a database
// that forgets holds here as well.
//
// # What it promises
//
// Every step is one statement, or one that decides and others that only read. What it
// depends on it states in its WHERE: of two who want the same, one gets it. Time is the
// database's, so that the clocks of the processes may differ. A step that fails is
// taken again, twice at most, as all of them may be, then in a transaction at read
// committed; so end deadlocks and, where the default is stricter, serialization failures.
//
//	fault                                 what becomes of it
//	a process dies that runs a job        the job is lost once its lease has ended, or begun again
//	                                      by a process that calls Workers.Run, if it may be
//	it dies with jobs in the queue        another one runs them, or the next one does
//	a worker reports after its lease      it is heard, unless the job was seen as lost or begun again
//	the answer to a step got lost         the step is taken again: nothing happens twice
//	the database is away                  starts and calls that need a person are SYSTEM; what runs
//	                                      goes on, and its end is told for up to an hour
//	a call is granted in two processes    one decision stands, one call runs
//	a process dies that has spent a       the operation may come back under its key, if package
//	grant                                 idempotency lets it run; any other one asks a person anew
//
// The bounds on queued jobs and on pending approvals, of all and of one caller in one
// tenant, may be exceeded by as many as ask at the same moment.
//
// # Tables
//
// There are two, portavoz_jobs and portavoz_approvals, beside the table of migrations
// that package sqlstore has as well. [WithPrefix] and [WithSchema] give them other names.
// They hold arguments and results as they are; what is secret has no place in them.
// [Desk.Sweep] removes what is forgotten; call it every few minutes.
package sqldesk
