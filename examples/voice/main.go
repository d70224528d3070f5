// Command voice reads texts written for a screen and writes what is to be heard,
// a line for a line. It needs nothing but the standard library and package
// voice, so that a program in any language can use it as a filter:
//
//	echo 'Su saldo es $89.900' | go run ./examples/voice -country CO
//
// With -jsonl each line is a question and is answered before the next is read;
// see request.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/portavoz/portavoz/voice"
)

func main() {
	err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "voice:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("voice", flag.ContinueOnError)
	flags.SetOutput(stderr)
	code := flags.String("country", "", "ISO 3166 code of the country whose Spanish is spoken; empty is neutral Latin American")
	jsonl := flags.Bool("jsonl", false, "read and write JSON lines")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: texts are read from the standard input", flags.Arg(0))
	}
	country, err := voice.ParseCountry(*code)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	answer := func(line []byte) error {
		_, err := fmt.Fprintln(out, country.Text(string(line)))
		return err
	}
	tooLong := func() error { return errors.New("a line is longer than 1 MiB") }
	if *jsonl {
		s := &session{country: country, out: out}
		answer, tooLong = s.answer, s.tooLong
	}
	return eachLine(stdin, func(line []byte, whole bool) error {
		reply := tooLong
		if whole {
			reply = func() error { return answer(line) }
		}
		return errors.Join(reply(), out.Flush())
	})
}
