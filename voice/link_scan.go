package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mayHoldLink is a cheap test of a text without blanks: false means that
// scanLink finds nothing in it.
func mayHoldLink(word string) bool {
	if len(word) < 4 {
		return false
	}
	if len(word) >= minHash {
		return true
	}
	for i := range len(word) {
		switch word[i] {
		case '@', '/', '\\':
			return true
		case '.':
			if i > 0 && i+1 < len(word) && isWordByte(word[i+1]) {
				return true
			}
		}
	}
	return false
}

// linkMayFollow reports whether a link can begin after this text.
func linkMayFollow[T string | []byte](before T) bool {
	if len(before) == 0 {
		return true
	}
	c := before[len(before)-1]
	return !isWordByte(c) && strings.IndexByte("_.@%+-/\\", c) < 0
}

// scanLink returns what a text without blanks begins with: the kind of a piece
// and its width, zero when it is none. It looks ahead over a few hundred bytes at
// most, unless it finds one.
func scanLink(s string) (kind PieceKind, width int) {
	if width := urlWidth(s); width > 0 {
		return PieceURL, width
	}
	if s[0] == '@' {
		return PieceHandle, handleWidth(s)
	}
	if width := pathWidth(s); width > 0 {
		return PiecePath, width
	}
	if kind, width := scanHash(s); width > 0 {
		return kind, width
	}
	if width := emailWidth(s); width > 0 {
		return PieceEmail, width
	}
	return scanName(s)
}

// urlWidth reads an address with a scheme, or one that begins with "www.".
func urlWidth(s string) int {
	const longestScheme = 16
	scheme := 0
	for scheme < len(s) && scheme < longestScheme && (isLetter(s[scheme]) || scheme > 0 && strings.IndexByte("+.-", s[scheme]) >= 0) {
		scheme++
	}
	switch {
	case scheme >= 2 && strings.HasPrefix(s[scheme:], "://"):
		if width := addressWidth(s); width > scheme+len("://") {
			return width
		}
	case len(s) > 4 && strings.EqualFold(s[:4], "www.") && isWordByte(s[4]):
		return addressWidth(s)
	}
	return 0
}

// addressWidth returns how far an address goes: to a blank or a sign that none
// has, without the punctuation at its end and an unpaired parenthesis.
func addressWidth(s string) int {
	end, open := 0, 0
	for i, r := range s {
		if r == ')' {
			if open == 0 {
				break
			}
			open--
		}
		if r == '(' {
			open++
		}
		if unicode.IsSpace(r) || r == utf8.RuneError || strings.ContainsRune("<>\"`|{}«»“”[]", r) || unicode.Is(unicode.So, r) {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	for end > 0 {
		r, width := utf8.DecodeLastRuneInString(s[:end])
		if !strings.ContainsRune(".,;:!?'’*_~…¡¿(", r) {
			break
		}
		end -= width
	}
	return end
}

// handleWidth reads "@clinica_norte".
func handleWidth(s string) int {
	end := 1
	for end < len(s) && end < 64 && (isLetter(s[end]) || isDigit(s[end]) || s[end] == '_' || s[end] == '.') {
		end++
	}
	end = len(strings.TrimRight(s[:end], "._"))
	if end < 3 {
		return 0
	}
	return end
}

// emailWidth reads an e-mail address, "mailto:" before it or not. The domain
// must look like one, whatever its end.
func emailWidth(s string) int {
	const longestLocal, longestDomain = 64, 253
	start := len(s) - len(strings.TrimPrefix(s, "mailto:"))
	at := start
	for at < len(s) && at-start <= longestLocal && (isLetter(s[at]) || isDigit(s[at]) || strings.IndexByte("._%+-", s[at]) >= 0) {
		at++
	}
	if at == start || at == len(s) || s[at] != '@' {
		return 0
	}
	domain := at + 1
	end := domain
	for end < len(s) && end-domain < longestDomain && (isLetter(s[end]) || isDigit(s[end]) || s[end] == '.' || s[end] == '-') {
		end++
	}
	name := strings.TrimRight(s[domain:end], ".-")
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot < 3 || !onlyLetters(name[dot+1:]) {
		return 0
	}
	return domain + len(name)
}

func onlyLetters(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) {
			return false
		}
	}
	return s != ""
}

// pathWidth reads a path of a file system: of two parts at least, so that "/h"
// and "y/o" are none.
func pathWidth(s string) int {
	switch {
	case len(s) > 3 && isLetter(s[0]) && s[1] == ':' && s[2] == '\\',
		strings.HasPrefix(s, `\\`) && len(s) > 4 && isWordByte(s[2]):
		return addressWidth(s)
	}
	rest := s
	for _, prefix := range [...]string{"~/", "./", "../", "/"} {
		if after, ok := strings.CutPrefix(s, prefix); ok {
			rest = after
			break
		}
	}
	if len(rest) == len(s) || rest == "" || !isLetter(rest[0]) && rest[0] != '.' && rest[0] != '_' {
		return 0
	}
	width := addressWidth(s)
	if s[0] == '/' && strings.IndexByte(s[1:max(width, 1)], '/') < 0 {
		return 0
	}
	return width
}
