package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/portavoz/portavoz/middleware/contract"
)

// say is a sentence in both languages.
func say(es, en string) contract.Text { return contract.Text{ES: es, EN: en} }

// quote shortens what a server said for a report, and takes out what could
// forge a line of it.
func quote(s string) string {
	const most = 120
	n := 0
	for i := range s {
		if n == most {
			s = s[:i] + "…"
			break
		}
		n++
	}
	return strings.TrimSpace(plain(s))
}

// plain takes out what could forge a line or command a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// unseen reports whether a character ends a line, turns its direction, is not seen, or is for
// a terminal.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// escaped is JSON in which such characters are escaped, line feeds between values apart.
func escaped(raw []byte) string {
	var b strings.Builder
	for _, r := range string(raw) {
		switch {
		case r == '\n' || !unseen(r):
			b.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	return b.String()
}

// decode reads one JSON value with its numbers as they are written.
func decode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the value")
	}
	return nil
}

// canonical is a JSON value with sorted keys, so that equal values are equal texts.
func canonical(raw []byte) string {
	var v any
	if decode(raw, &v) != nil {
		return string(raw)
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(sorted)
}

// mustJSON encodes what was decoded before.
func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("portavoz/certify: " + err.Error())
	}
	return raw
}
