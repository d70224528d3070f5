// Package health answers whether a server is alive, ready and keeping its
// service level, apart from the endpoint that it serves. The gateway asks for
// exactly that: a health check independent of the MCP endpoint.
//
// A [Health] is an [http.Handler] with four routes. Give it a listener of its
// own, or mount it in an existing mux:
//
//	/livez     the process answers; nothing else is asked
//	/startupz  fails until Started was called
//	/readyz    fails while starting or draining, or when a check fails
//	/salud     the same verdict as /readyz, with a Spanish sentence for people
//
// Answers have the format of draft-inadarei-api-health-check-06, media type
// application/health+json: status "pass" and "warn" come with 200, "fail" with
// 503. They are never cached by HTTP; results of checks are, here.
//
// In which order things happen:
//
//  1. [New] validates the configuration. Nothing runs yet.
//  2. [Health.Started], once the server can do its work. Until then /readyz
//     fails, also for a server without checks.
//  3. Reads of /readyz and /salud run the checks, each at most once at a time
//     and not again before its result has aged.
//  4. [Health.Drain], before http.Server.Shutdown. Requests in flight go on.
//
// There is nothing to close: a goroutine exists only while a probe runs.
//
// Pitfalls:
//
//   - A dependency has no place in liveness: when the database is down, a
//     restart of every replica makes it worse. So /livez and /startupz run no
//     checks, and a liveness probe must not be pointed at /readyz.
//   - A reader learns a status and nothing else, unless Config.Details lets it:
//     names of dependencies and error texts are a map for an attacker.
//   - Keep rate limits and credentials off these routes, or the orchestrator
//     will take a throttled server for a dead one.
package health
