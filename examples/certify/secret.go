package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
)

// leastSecret is how long a credential has to be, in bytes, to be told from other words.
const leastSecret = 6

// secrets are what this run proves itself with, the longest first.
func (o *options) secrets() []string {
	candidates := slices.Clone(o.private)
	for name, values := range o.header {
		for _, v := range values {
			if _, after, scheme := strings.Cut(v, " "); scheme && strings.HasSuffix(name, "Authorization") {
				v = after
			}
			candidates = append(candidates, v)
			for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) { // as cookies
				_, value, _ := strings.Cut(part, "=")
				candidates = append(candidates, part, value)
			}
		}
	}
	candidates = slices.DeleteFunc(candidates, func(s string) bool { return len(s) < leastSecret })
	slices.SortFunc(candidates, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(candidates)
}

// forms are those in which a credential may stand in an output: as it is, in a JSON Pointer,
// in a URL, and each as JSON and XML write it.
func forms(secret string) []string {
	var all []string
	for _, form := range [...]string{
		secret, strings.ReplaceAll(strings.ReplaceAll(secret, "~", "~0"), "/", "~1"), url.QueryEscape(secret), url.PathEscape(secret),
	} {
		all = append(all, form, inJSON(form), inXML(form))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hide takes the credentials out of an output: a server may have sent them back. They
// are also found where [quote] or a report has cut them.
func (o *options) hide(text string) string {
	const hidden = "[…]"
	for _, secret := range o.secrets() {
		for _, form := range forms(secret) {
			text = strings.ReplaceAll(text, form, hidden)
			for n := len(form) - 1; n >= leastSecret && strings.Contains(text, form[:leastSecret]); n-- {
				text = strings.ReplaceAll(text, form[:n]+"…", hidden+"…")
			}
			for n := len(form) - 1; n >= leastSecret && strings.Contains(text, form[len(form)-leastSecret:]); n-- {
				text = strings.ReplaceAll(text, "…"+form[len(form)-n:], "…"+hidden)
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
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprint(stderr, o.hide("certify: "+plain(line)+"\n")) // a server may have written some of it
	}
}
