package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// leastSecret is how long a credential has to be, in bytes, to be told from other words.
const leastSecret = 6

// secrets are what this run proves itself with, the longest first.
func (o *options) secrets() []string {
	candidates := slices.Clone(o.private)
	for _, values := range o.header {
		for _, v := range values {
			if _, after, scheme := strings.Cut(v, " "); scheme {
				v = after
			}
			candidates = append(candidates, v)
		}
	}
	candidates = slices.DeleteFunc(candidates, func(s string) bool { return len(s) < leastSecret })
	slices.SortFunc(candidates, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(candidates)
}

// hide takes the credentials out of an output: a server may have sent them back. They
// are also found as JSON and XML write them, and where [quote] has cut them.
func (o *options) hide(text string) string {
	const hidden = "[…]"
	for _, secret := range o.secrets() {
		for _, form := range slices.Compact([]string{secret, inJSON(secret), inXML(secret)}) {
			text = strings.ReplaceAll(text, form, hidden)
			for n := len(form) - 1; n >= leastSecret && strings.Contains(text, form[:leastSecret]); n-- {
				text = strings.ReplaceAll(text, form[:n]+"…", hidden+"…")
			}
		}
	}
	return text
}

func inJSON(s string) string { return strings.Trim(string(mustJSON(s)), `"`) }

func inXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// complain says on standard error why there is no clean report.
func (o *options) complain(stderr io.Writer, err error) {
	fmt.Fprint(stderr, o.hide("certify: "+err.Error()+"\n"))
}
