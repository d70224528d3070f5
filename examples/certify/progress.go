package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// progress says on one line of a terminal what is going on; elsewhere it says
// nothing.
type progress struct{ to io.Writer }

func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		return &progress{to: io.Discard}
	}
	return &progress{to: w}
}

func (p *progress) step(name string) { fmt.Fprintf(p.to, "\r\x1b[K%s…", name) }

func (p *progress) end() { fmt.Fprint(p.to, "\r\x1b[K") }

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// runID tells the keys and conversations of this run from those of others.
func runID() string {
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}
