// Package idempotency runs an operation once per key, and gives every later call
// for it the first one's result.
//
// [Engine] decides over a [Store], which remembers; the packages below this one
// are stores. Tools get it by middleware.Idempotency, ordinary routes by
// [Handler], anything else by [Engine.Do]. In this order:
//
//  1. The key is claimed in the store, one atomic step, together with the
//     fingerprint of the arguments.
//  2. The operation runs apart from its caller, under the lease of the claim,
//     which is renewed.
//  3. The store is told how it ended, and then whoever waits.
//
// What the run proves decides what becomes of the key: a success is kept, a
// failure that proves that nothing happened frees it, and of everything else the
// outcome is unknown and stays so. It does not run again by itself:
// [Config.Probe] can find out what happened, and [Config.Rerun] accepts that it
// may happen twice.
//
// # What is guaranteed
//
// With every store:
//
//	duplicates at the same time      one runs; the others wait, for its result or in_progress
//	a duplicate later                gets the result, until TTL after the completion
//	other arguments                  idempotency_key_reused, at once; nothing runs
//	the client leaves before the run nothing runs, the key is free
//	the client leaves during it      the run goes on, the retry gets the result
//	the run fails, proving no effect the key is free
//	it fails otherwise, or panics    outcome_unknown
//	the outcome cannot be shown      it counts as done: whatever fails after the effect frees nothing
//	the result is too long           the first caller gets it, later ones already_done
//	the store is away before the run nothing runs: idempotency_store, within 2 seconds
//	the store is away after it       the caller gets the result; this process answers the next ones
//	                                 and tells the store for up to an hour, the others wait
//	the store's answer is lost       the claim is taken back; an outcome is told again
//	runs that do not end             busy for new operations, from MaxRunning on; nothing runs
//	the store is full                idempotency_full for new keys; nothing runs
//	another owner took over          the first one's outcome changes nothing, and is reported
//
// With some:
//
//	                        memory            redisstore             sqlstore
//	the process is killed   all is FORGOTTEN  outcome_unknown once   the same; joined, nothing or
//	  in a run                                the lease has ended    all of it has happened
//	other processes         know NOTHING      wait for it            wait for it
//	the server dies or      -                 nothing with AOF and   nothing, as databases come
//	  restarts                                appendfsync always;    configured
//	                                          with everysec the last
//	                                          seconds, without AOF
//	                                          all may be FORGOTTEN
//	its machine fails       -                 the same               the same
//	a replica takes over    -                 FORGOTTEN is what had  the same
//	                                          not reached it
//	memory runs out         idempotency_full  the same with          idempotency_store, when
//	                        and, for the      noeviction; FORGOTTEN  the disk is full
//	                        oldest results,   with other policies
//	                        already_done
//	a record is damaged     -                 idempotency_store      the same
//	a clock is set          nothing           TTL and lease move     the same
//	                                          with the server's
//
// A nearcache is as the store behind it; an entry that it loses costs a round
// trip.
//
// A key that is FORGOTTEN runs again. The stores say what to configure against
// it, and redisstore checks what can be checked.
//
// # What is not
//
//   - A handler that calls a failure harmless which was not. [errors.From] never
//     does, and an error speaks of its own step only: see [errors.OutcomeUnknown].
//   - With Probe: what the probe does not see, such as a request that the dead
//     owner had sent and that arrives after the question. [EffectKey] lets the
//     system that receives it tell.
//   - With Rerun: anything but one run at a time.
//   - With DangerouslyRunWithoutStore: anything beyond this process.
//   - An outcome that the store did not take for an hour, or that [Engine.Drain]
//     had to leave: the result is lost and others get outcome_unknown. It is
//     reported, see [Incident].
//
// # Things to know
//
// The key is looked up before any guard that reads the state of a record: a
// legitimate retry of "cancel" must not find "already cancelled". Authentication
// and permission come first, so that a revoked caller gets no replay.
//
// The scope of a key ([Operation.Scope]) is who asks, by a name that survives a
// new token and a new connection. Of it and of the key a store holds a digest;
// results it holds as they are, so that what is secret has no place in them.
//
// A replay counts for a rate limit that lies outside, like any other call.
package idempotency
