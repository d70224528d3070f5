package redact

import (
	"strings"
	"unicode/utf8"
)

// hooks are the addresses of incoming web hooks: whoever knows the path
// may post.
var hooks = [...]string{
	"hooks.slack.com/services/",
	"discord.com/api/webhooks/",
	"discordapp.com/api/webhooks/",
}

// url returns the URL whose colon is at i, if it is one to take out: it carries
// a password, it is a web hook, or JDBC's. Of one that only names localhost
// it returns the host. hi is 0 for all others.
func (r *scanner) url(i int) (lo, hi int) {
	s := r.s
	lo = i
	for i-lo < 32 && r.before(lo, alnum|dash|base64Extra|dot) && s[lo-1] != '=' && s[lo-1] != '/' {
		lo--
	}
	switch {
	case fold(s[:i], lo, "jdbc") && i-lo == len("jdbc") && isByte(s, i+1, letter):
		return lo, urlEnd(s, i)
	case lo == i || !strings.HasPrefix(s[i:], "://"):
		return 0, 0
	}
	from := i + len("://")
	for _, hook := range hooks {
		if fold(s, from, hook) {
			return lo, urlEnd(s, from)
		}
	}
	web := strings.HasPrefix(s[lo:i], "http")
	if at := userinfo(s, from, web); at > 0 {
		return lo, urlEnd(s, at)
	}
	if end := from + len("localhost"); fold(s, from, "localhost") && !isByte(s, end, url64|dot) && !glued(s, end) {
		return from, portEnd(s, end)
	}
	return 0, 0
}

// userinfo returns the place of the "@" that ends a user and a password
// which start at i, 0 if there are none. A password may have a raw slash or
// question mark in it, or one line break; then what follows the colon must not
// be a port.
func userinfo(s string, i int, web bool) int {
	const longest = 256
	colon, broken := 0, false
	for end := min(len(s), i+longest); i < end; i++ {
		switch c := s[i]; {
		case c == '@':
			if colon > 0 && i > colon+1 {
				return i
			}
			return 0
		case c == ':':
			if colon == 0 {
				colon = i
			}
		case c == '[' && colon == 0, c == '"', c == '<', c == '>', isByte(s, i, quoteByte) && !isByte(s, i+1, alnum):
			return 0
		case c == '/' || c == '?' || c == '#':
			if colon == 0 || runEnd(s, colon+1, digit) == i || strings.HasPrefix(s[i-1:], "://") {
				return 0
			}
		case newline(s, i) > 0 || c == ' ' || c == '\t':
			next := breakEnd(s, i)
			if broken || next == i || web && (colon == 0 || runEnd(s, colon+1, digit) == i) {
				return 0
			}
			broken = true
			i = next - 1
		}
	}
	return 0
}

// urlEnd returns the end of the URL that s[:i] ends in the middle of:
// the next blank, quote, bracket or finding, without the punctuation of the
// sentence.
func urlEnd(s string, i int) int {
	from := i
	for i < len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '"', '\'', '<', '>', '`', '\\':
			return trimEnd(s, from, i)
		case '[':
			if strings.HasPrefix(s[i:], Placeholder) {
				return i
			}
		}
		i++
	}
	return trimEnd(s, from, i)
}

// trimEnd moves the end of a piece before the punctuation that closes a
// sentence or a parenthesis.
func trimEnd(s string, lo, hi int) int {
	for hi > lo && strings.IndexByte(".,;:!?)]}", s[hi-1]) >= 0 {
		hi--
	}
	return hi
}

// driverDSN returns the data source name in the form of Go's MySQL driver
// (user:password@tcp(host)/base) or of Oracle's (user/password@//host) whose
// "@" is at i; hi is 0 if there is none.
func (r *scanner) driverDSN(i int) (lo, hi int) {
	s := r.s
	rest := s[i+1:]
	if !strings.HasPrefix(rest, "tcp(") && !strings.HasPrefix(rest, "unix(") && !strings.HasPrefix(rest, "//") {
		return 0, 0
	}
	lo = i
	for i-lo < 256 && lo > r.done && s[lo-1] > ' ' && strings.IndexByte("\"'`<>()[]\\", s[lo-1]) < 0 {
		lo--
	}
	if lo > r.done && s[lo-1] == '\\' {
		lo += max(0, escapeEnd(s, lo-1)-1)
	}
	for lo < i && !utf8.RuneStart(s[lo]) {
		lo++
	}
	if !strings.ContainsAny(s[lo:i], ":/") {
		return 0, 0
	}
	return lo, urlEnd(s, i)
}
