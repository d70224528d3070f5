package middleware

import (
	"strings"
	"unicode/utf8"
)

// redactHooks are the addresses of incoming web hooks: whoever knows the path
// may post.
var redactHooks = [...]string{
	"hooks.slack.com/services/",
	"discord.com/api/webhooks/",
	"discordapp.com/api/webhooks/",
}

// url returns the URL whose colon is at i, if it is one to take out: it carries
// a password, it is a web hook, or JDBC's. Of one that only names localhost
// it returns the host. hi is 0 for all others.
func (r *redactScanner) url(i int) (lo, hi int) {
	s := r.s
	lo = i
	for i-lo < 32 && r.before(lo, redactAlnum|redactDash|redactBase64|redactDot) && s[lo-1] != '=' && s[lo-1] != '/' {
		lo--
	}
	switch {
	case redactFold(s[:i], lo, "jdbc") && i-lo == len("jdbc") && redactIs(s, i+1, redactLetter):
		return lo, redactURLEnd(s, i)
	case lo == i || !strings.HasPrefix(s[i:], "://"):
		return 0, 0
	}
	from := i + len("://")
	for _, hook := range redactHooks {
		if redactFold(s, from, hook) {
			return lo, redactURLEnd(s, from)
		}
	}
	web := strings.HasPrefix(s[lo:i], "http")
	if at := redactUserinfo(s, from, web); at > 0 {
		return lo, redactURLEnd(s, at)
	}
	if end := from + len("localhost"); redactFold(s, from, "localhost") && !redactIs(s, end, redactURL64|redactDot) && !redactGlued(s, end) {
		return from, redactPort(s, end)
	}
	return 0, 0
}

// redactUserinfo returns the place of the "@" that ends a user and a password
// which start at i, 0 if there are none. A password may have a raw slash or
// question mark in it, or one line break; then what follows the colon must not
// be a port.
func redactUserinfo(s string, i int, web bool) int {
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
		case c == '[' && colon == 0, c == '"', c == '<', c == '>', redactIs(s, i, redactQuote) && !redactIs(s, i+1, redactAlnum):
			return 0
		case c == '/' || c == '?' || c == '#':
			if colon == 0 || redactRun(s, colon+1, redactDigit) == i || strings.HasPrefix(s[i-1:], "://") {
				return 0
			}
		case redactNewline(s, i) > 0 || c == ' ' || c == '\t':
			next := redactBreak(s, i)
			if broken || next == i || web && (colon == 0 || redactRun(s, colon+1, redactDigit) == i) {
				return 0
			}
			broken = true
			i = next - 1
		}
	}
	return 0
}

// redactURLEnd returns the end of the URL that s[:i] ends in the middle of:
// the next blank, quote, bracket or finding, without the punctuation of the
// sentence.
func redactURLEnd(s string, i int) int {
	from := i
	for i < len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '"', '\'', '<', '>', '`', '\\':
			return redactTrimEnd(s, from, i)
		case '[':
			if strings.HasPrefix(s[i:], redactPlaceholder) {
				return i
			}
		}
		i++
	}
	return redactTrimEnd(s, from, i)
}

// redactTrimEnd moves the end of a piece before the punctuation that closes a
// sentence or a parenthesis.
func redactTrimEnd(s string, lo, hi int) int {
	for hi > lo && strings.IndexByte(".,;:!?)]}", s[hi-1]) >= 0 {
		hi--
	}
	return hi
}

// driverDSN returns the data source name in the form of Go's MySQL driver
// (user:password@tcp(host)/base) or of Oracle's (user/password@//host) whose
// "@" is at i; hi is 0 if there is none.
func (r *redactScanner) driverDSN(i int) (lo, hi int) {
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
		lo += max(0, redactEscape(s, lo-1)-1)
	}
	for lo < i && !utf8.RuneStart(s[lo]) {
		lo++
	}
	if !strings.ContainsAny(s[lo:i], ":/") {
		return 0, 0
	}
	return lo, redactURLEnd(s, i)
}
