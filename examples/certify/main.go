// Command certify asks a running MCP server, in any language, what a gateway
// asks of it, and says what the gateway would reject and what cures it:
//
//	go run ./examples/certify -token T -profile asixto http://127.0.0.1:8080/mcp
//
// It speaks Streamable HTTP in both eras of the protocol, the stateless one
// (2026-07-28) and the one with initialize. Nothing is written unless allowed:
//
//	-token T          the bearer credential
//	-H K=V            a header of every request; may be repeated. -H Host=name asks
//	                  under the name that a reverse proxy hands on
//	-profile P        asixto (default), whaapy, core, or several joined by +
//	-allow-writes W   "all", or names of tools joined by commas: these are run, several
//	                  times, with the sample arguments. Only against a test system
//	-args FILE        sample arguments: a JSON object of tool names, each with an
//	                  object of arguments or a list of such objects. A write that
//	                  cannot be done twice to one thing needs five of them
//	-health URL       the health check that is independent of MCP
//	-timeout D        of each request; default 30s, after which a gateway gives up
//	-without R=WHY    switches the rule R off; the report gives the reason. May be repeated
//	-lang L           es (default) or en
//	-json, -junit     the report for programs instead of people
//
// Without -args, arguments are made of the input schema: examples, default, enum,
// then bounds, formats and patterns. The more examples a schema has, the more
// can be verified. What could not be is listed at the end of the report.
//
// The report goes to standard output, progress to standard error if that is a
// terminal. The exit code is 0 if no must is broken, 1 if one is, and 2 if the
// server could not be asked or the run was interrupted; what was found until
// then is reported. "go run" makes 1 of a 2: where the difference counts, build the
// command, as "go install" does.
//
// checks.go lists what is checked, in the order in which it is; each probe_ and
// result_ file has the checks of one subject.
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit codes.
const (
	exitClean  = 0
	exitFailed = 1 // a must is broken
	exitCannot = 2 // the server could not be asked, or not to the end
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run reads the command line, certifies, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opt, err := parseOptions(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		opt.complain(stderr, err)
		return exitCannot
	}
	return execute(ctx, opt, stdout, stderr)
}

// execute certifies as the options say, and returns the exit code.
func execute(ctx context.Context, opt options, stdout, stderr io.Writer) int {
	c := newCertifier(opt, newProgress(stderr))
	errCannot := c.certify(ctx)
	if ctx.Err() != nil {
		errCannot = errInterrupted
	}
	c.progress.end()
	r := c.report(errCannot == nil)
	if err := r.write(stdout, opt); err != nil {
		opt.complain(stderr, err)
		return exitCannot
	}
	switch {
	case errCannot != nil:
		opt.complain(stderr, errCannot)
		return exitCannot
	case !r.Report.OK():
		return exitFailed
	}
	return exitClean
}
