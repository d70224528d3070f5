package main_test

import (
	"os"
	"testing"

	"github.com/portavoz/portavoz/examples/internal/exampletest"
)

// binary is the server, built once by TestMain.
var binary string

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m, &binary)) }

// The secrets that the processes under test accept, and what signs their sessions.
const (
	asixtoSecret = "s3cret-of-asixto"
	whaapySecret = "s3cret-of-whaapy"
	sessionKey   = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)

// process is a running server, with the URLs that it printed.
type process struct {
	*exampletest.Process

	asixto, whaapy, health string
}

func start(t *testing.T) process {
	t.Helper()
	return startWith(t, sessionKey)
}

// startWith is start with other session keys, separated by commas.
func startWith(t *testing.T, sessionKeys string) process {
	t.Helper()
	p := exampletest.Start(t, binary, []string{
		"SESSION_KEYS=" + sessionKeys, "TOKENS=asixto=" + asixtoSecret + ",whaapy=" + whaapySecret,
	}, "Asixto en ", "Whaapy en ", "Salud en ")
	return process{p, p.URLs[0], p.URLs[1], p.URLs[2]}
}
