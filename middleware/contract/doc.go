// Package contract holds the definitions of tools to what the gateways and the
// model providers demand of them, at the developer's desk: in go test, in CI, or
// when the server starts.
//
// # Writing definitions
//
// The options of mcp-go say most of it. [Tool] adds the scenarios and the verb that
// Asixto Gateway reads and closes the input; [Reads] and [Writes] say what a call
// does; [Nullable] lets a property be null, as models send it for what is
// optional; [Pages] declares limit and offset; [Output] declares the result by its
// Go type.
//
// # Checking them
//
// [Lint] holds a list of tools against the rules of a [Profile] and returns a
// [Report]. The list comes from mcp-go definitions ([Tools]), from a server
// ([Registered]) or from the JSON of tools/list of any server ([ParseList]).
// [Require] is for the start of a server, and contracttest.Run for a test.
//
// A rule that does not fit is switched off with a reason, see [Without]. Words are
// recognised in Spanish and English, and in doubt a rule is silent: that a
// definition passes does not prove that it is good.
//
// # Watching them change
//
// A [Lock] is the catalogue in a file beside the code. [Diff] says which changes
// break the agents that use the catalogue, and what a change means at the gateway.
//
// # Rules
//
// [Rules] returns them, and RULES.md beside this file is their list. An id never
// changes its meaning. Each profile has the rules of Core, too; where profiles
// combine, the strictest severity holds.
//
// # Pitfalls
//
// [Registered] reads what the server knows when it is called: tools that are
// registered later are not checked. mcp-go declares every tool destructive unless
// told otherwise, so that mcp.WithReadOnlyHintAnnotation alone contradicts itself.
package contract
