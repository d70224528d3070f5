package contract

import (
	"fmt"
	"strings"
)

// Profile is who will read the definitions. Profiles combine with |, and the
// strictest severity holds; each one contains [Core].
type Profile uint8

// The profiles.
const (
	// Core is what any MCP client that serves a model needs, the limits of the
	// large model providers included.
	Core Profile = 1 << iota
	// Asixto is Asixto Gateway.
	Asixto
	// Whaapy is the Whaapy agent.
	Whaapy
)

var profileNames = [...]string{"core", "asixto", "whaapy"}

// String names the profile as [Profile.UnmarshalText] reads it: "asixto", or
// "asixto+whaapy".
func (p Profile) String() string {
	var names []string
	for i, name := range profileNames {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if p == 0 || p >= 1<<len(profileNames) {
		names = append(names, fmt.Sprintf("Profile(%d)", uint8(p)))
	}
	return strings.Join(names, "+")
}

// MarshalText is [Profile.String] for encoders and flags.
func (p Profile) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads names joined by "+" or ",", in any case. It fits
// flag.TextVar. An unknown name, or none at all, is an error, and p stays as it was.
func (p *Profile) UnmarshalText(text []byte) error {
	var read Profile
	for _, word := range strings.FieldsFunc(string(text), func(r rune) bool { return r == '+' || r == ',' }) {
		i := indexFold(profileNames[:], strings.TrimSpace(word))
		if i < 0 {
			return fmt.Errorf("portavoz/contract: unknown profile %q, want %s", clip(word), strings.Join(profileNames[:], ", "))
		}
		read |= 1 << i
	}
	if read == 0 {
		return fmt.Errorf("portavoz/contract: no profile, want %s", strings.Join(profileNames[:], ", "))
	}
	*p = read
	return nil
}

func (p Profile) valid() bool { return p != 0 && p < 1<<len(profileNames) }

// has reports whether any of the profiles in q is in p.
func (p Profile) has(q Profile) bool { return p&q != 0 }

func indexFold(names []string, name string) int {
	for i, n := range names {
		if strings.EqualFold(n, name) {
			return i
		}
	}
	return -1
}
