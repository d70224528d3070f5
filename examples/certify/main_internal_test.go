package main

import (
	"log/slog"
	"os"
	"strings"
	"testing"
)

// asCommand has the arguments with which this process is the command itself.
const asCommand = "PORTAVOZ_CERTIFY_ARGUMENTS"

func TestMain(m *testing.M) {
	if args := os.Getenv(asCommand); args != "" {
		os.Args = append(os.Args[:1], strings.Fields(args)...)
		main()
	}
	slog.SetDefault(slog.New(slog.DiscardHandler)) // a stack says what was left out of it
	os.Exit(m.Run())
}
