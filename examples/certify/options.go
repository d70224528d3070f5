package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/portavoz/portavoz/middleware/contract"
)

// options is what the command line says.
type options struct {
	url     string
	shown   string      // url without what may be secret
	header  http.Header // of every request; the credentials are in it
	private []string    // what else of the URL may be a credential
	host    string      // sent instead of the URL's
	profile contract.Profile
	writes  []string // tools that may be run although they write; "all" is one of them
	samples map[string][]map[string]any
	health  string
	timeout time.Duration
	load    int // calls of each tool, for the latency
	now     func() time.Time
	via     http.RoundTripper // nil: the network
	without []contract.Exception
	lang    contract.Language
	format  string // "", "json" or "junit"
}

// mayWrite reports whether a tool that writes may be run.
func (o *options) mayWrite(tool string) bool {
	return slices.Contains(o.writes, "all") || slices.Contains(o.writes, tool)
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	opt := options{header: http.Header{}, load: loadCalls, now: time.Now}
	flags := flag.NewFlagSet("certify", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is said once, by complain
	token := flags.String("token", "", "bearer `credential`")
	var problems []error
	flags.Func("H", "`header=value` of every request; may be repeated", func(s string) error {
		problems = append(problems, opt.addHeader(s)) // package flag would print the value
		return nil
	})
	flags.Func("without", "`rule=reason`: a rule that is switched off, and why; may be repeated", func(s string) error {
		problems = append(problems, opt.switchOff(s))
		return nil
	})
	flags.TextVar(&opt.profile, "profile", contract.Asixto, "`profile`: asixto, whaapy, core, or several joined by +")
	writes := flags.String("allow-writes", "", `"all", or the `+"`tools`"+` that may be run although they write, joined by commas`)
	file := flags.String("args", "", "`file` with sample arguments: a JSON object of tool names, each with an object of\narguments or a list of such objects")
	flags.StringVar(&opt.health, "health", "", "`URL` of the health check")
	flags.DurationVar(&opt.timeout, "timeout", 30*time.Second, "of each request")
	lang := flags.String("lang", "es", "language of the report: es or en")
	asJSON := flags.Bool("json", false, "report in JSON")
	asJUnit := flags.Bool("junit", false, "report in JUnit XML")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stderr)
		fmt.Fprintln(stderr, "usage: certify [flags] URL")
		flags.PrintDefaults()
		fmt.Fprintln(stderr, "exit code: 0 no must is broken; 1 one is; 2 the server could not be asked, or not to the end")
		return opt, err
	case err != nil:
		return opt, fmt.Errorf("%w (certify -h lists the flags)", err)
	}

	if err := opt.setURL(flags.Args()); err != nil {
		problems = append(problems, err)
	}
	if *token != "" {
		opt.header.Set("Authorization", "Bearer "+*token)
	}
	for name := range strings.SplitSeq(*writes, ",") {
		if name = strings.TrimSpace(name); name != "" {
			opt.writes = append(opt.writes, name)
		}
	}
	if *file != "" {
		samples, err := readSamples(*file)
		if err != nil {
			problems = append(problems, err)
		}
		opt.samples = samples
	}
	if opt.lang = contract.Language(*lang); opt.lang != contract.Spanish && opt.lang != contract.English {
		problems = append(problems, fmt.Errorf("-lang %q is neither es nor en", *lang))
	}
	if _, err := webURL(opt.health); opt.health != "" && err != nil {
		problems = append(problems, errors.New("-health: want a URL of http or https"))
	}
	if opt.timeout <= 0 {
		problems = append(problems, errors.New("-timeout is not above zero"))
	}
	switch {
	case *asJSON && *asJUnit:
		problems = append(problems, errors.New("-json and -junit exclude each other"))
	case *asJSON:
		opt.format = "json"
	case *asJUnit:
		opt.format = "junit"
	}
	return opt, errors.Join(problems...)
}

// addHeader reads "name=value", and "name: value" as curl takes it: neither sign can be
// in a name (RFC 9110, 5.1).
func (o *options) addHeader(s string) error {
	at := strings.IndexAny(s, "=:")
	if at < 0 || strings.TrimSpace(s[:at]) == "" {
		return errors.New("-H: want name=value") // what was given may be a secret
	}
	name, value := strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+1:])
	if strings.EqualFold(name, "Host") {
		o.host = value
	} else {
		o.header.Add(name, value)
	}
	return nil
}

// switchOff reads "rule=reason".
func (o *options) switchOff(s string) error {
	rule, reason, _ := strings.Cut(s, "=")
	rule, reason = strings.TrimSpace(rule), strings.TrimSpace(reason)
	known := func(r contract.Rule) bool { return r.ID == rule }
	switch {
	case !slices.ContainsFunc(contract.Rules(), known) && !slices.ContainsFunc(liveRules(), known):
		return fmt.Errorf("-without: there is no rule %q; want rule=reason, with a rule as the report names it", rule)
	case reason == "":
		return fmt.Errorf("-without: %s is switched off without a reason; want %s=reason", rule, rule)
	}
	o.without = append(o.without, contract.Exception{Rule: rule, Reason: reason})
	return nil
}

// webURL reads a URL of http or https. What was given is not in the error: it may hold a
// secret.
func webURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the URL is not one of http or https")
	}
	return u, nil
}

// setURL takes what follows the flags.
func (o *options) setURL(args []string) error {
	switch {
	case len(args) > 1 && slices.ContainsFunc(args[1:], func(s string) bool { return strings.HasPrefix(s, "-") }):
		return errors.New("the flags stand before the URL")
	case len(args) != 1:
		return fmt.Errorf("want one URL, got %d arguments after the flags", len(args))
	}
	u, err := webURL(args[0])
	if err != nil {
		return err
	}
	if u.User != nil { // a credential like others, and left out like these
		password, _ := u.User.Password()
		o.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
		o.private = append(o.private, u.User.Username(), password)
		u.User = nil
	}
	o.url = u.String()
	for _, values := range u.Query() {
		o.private = append(o.private, values...)
	}
	u.RawQuery, u.Fragment = "", ""
	o.shown = u.String()
	return nil
}

// readSamples reads {"tool": {arguments} or [{arguments}, ...]}.
func readSamples(path string) (map[string][]map[string]any, error) {
	raw, err := os.ReadFile(path) //nolint:gosec // named by whoever runs the command
	if err != nil {
		return nil, fmt.Errorf("-args: %w", err)
	}
	var byTool map[string]json.RawMessage
	if err := json.Unmarshal(raw, &byTool); err != nil {
		return nil, fmt.Errorf("-args: want an object of tool names: %w", err)
	}
	samples := map[string][]map[string]any{}
	for name, raw := range byTool {
		if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
			raw = slices.Concat([]byte("["), trimmed, []byte("]"))
		}
		var sets []map[string]any
		if err := decode(raw, &sets); err != nil || slices.ContainsFunc(sets, func(set map[string]any) bool { return set == nil }) {
			return nil, fmt.Errorf("-args: %q: want an object of arguments, or a list of such objects", name)
		}
		samples[name] = sets
	}
	return samples, nil
}
