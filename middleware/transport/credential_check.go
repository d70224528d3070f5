package transport

import (
	"errors"
	"strings"
)

// checkCredentials returns every mistake, joined.
func checkCredentials(credentials []Credential) error {
	var errs []error
	fail := func(c Credential, reason string) {
		errs = append(errs, &ConfigError{Part: c.kind, Name: c.name, Reason: reason})
	}
	if len(credentials) == 0 {
		fail(Credential{kind: "Authenticate"}, "needs at least one credential; Open() lets everybody in")
	}
	owners := map[string]string{}
	for _, c := range credentials {
		switch {
		case c.kind == "":
			fail(Credential{kind: "Credential"}, "is the zero value; make it with one of the constructors")
		case c.kind == "Open" && len(credentials) > 1:
			fail(c, "lets everybody in, so no other credential can stand beside it")
		}
		for _, problem := range c.problems {
			fail(c, problem)
		}
		for _, secret := range c.fingerprints() {
			owner, taken := owners[secret]
			if taken && owner != c.name {
				fail(c, "shares a secret with another name, so it proves neither")
			}
			owners[secret] = c.name
		}
	}
	return errors.Join(errs...)
}

// fingerprints returns what must not belong to two names: each digest, or the
// whole set of custom headers.
func (c Credential) fingerprints() []string {
	var prints []string
	switch p := c.proof.(type) {
	case *secretProof:
		for _, d := range p.digests {
			prints = append(prints, string(d[:]))
		}
	case *headersProof:
		var set strings.Builder
		for _, v := range p.values {
			set.WriteString(v.header + ":" + string(v.digest[:]))
		}
		prints = append(prints, set.String())
	}
	return prints
}

// risk returns what to warn of, or "".
func (c Credential) risk() string {
	switch p := c.proof.(type) {
	case *secretProof:
		if p.weak {
			return "a secret is shorter than 16 bytes and can be guessed"
		}
	case *headersProof:
		if !p.strong {
			return "no value has 16 bytes or more, so they can be guessed"
		}
	case openProof:
		return "everybody is let in, without a name"
	}
	return ""
}
