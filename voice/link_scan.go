package voice

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mayHoldLink is a cheap test of a text without blanks: false means that
// scanLink finds nothing in it.
func mayHoldLink(word string) bool {
	const shortest = len("@ab")
	if len(word) < shortest {
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

// linkMayFollow reports whether a link can begin with rest after this text: not
// inside a word. A letter after a digit begins a new one, as it does for the ear.
func linkMayFollow[T string | []byte](before T, rest string) bool {
	r, _ := utf8.DecodeLastRuneInString(string(before[max(0, len(before)-utf8.UTFMax):]))
	if unicode.IsDigit(r) {
		return isLetter(rest[0])
	}
	return len(before) == 0 || !isWordRune(r) && r != '@'
}

// scanLink returns what stands at i in a text, up to the blank at end: the kind of
// a piece and its width, zero when it is none. Unless it finds one it looks ahead
// over a few hundred bytes, farther only where a run of characters begins, so that
// the time is linear.
func scanLink(text string, i, end int) (kind PieceKind, width int) {
	s := text[i:end]
	if width := urlWidth(s); width > 0 {
		return PieceURL, width
	}
	if s[0] == '@' {
		return PieceHandle, handleWidth(s)
	}
	if width := pathWidth(s); width > 0 {
		return PiecePath, width
	}
	if width := emailWidth(s); width > 0 {
		return PieceEmail, width
	}
	if mayBeginName(text, i) {
		if kind, width := scanName(s); width > 0 {
			return kind, width
		}
	}
	if i > 0 && isTokenByte(text[i-1]) {
		if isUUID(s) {
			return PieceUUID, len(uuidShape)
		}
		return "", 0
	}
	return scanHash(s)
}

// urlWidth reads an address with a scheme, or one that begins with "www.".
func urlWidth(s string) int {
	width := 0
	scheme := schemeWidth(s)
	if scheme > 0 || len(s) > 4 && strings.EqualFold(s[:4], "www.") && isWordByte(s[4]) {
		width = addressWidth(s)
	}
	if width <= scheme {
		return 0
	}
	return width
}

// schemeWidth returns the width of "https://" and the like at the beginning of s.
func schemeWidth(s string) int {
	const longest, end = 16, "://"
	width := 0
	for width < len(s) && width < longest && (isLetter(s[width]) || width > 0 && strings.IndexByte("+.-", s[width]) >= 0) {
		width++
	}
	if width < 2 || !strings.HasPrefix(s[width:], end) {
		return 0
	}
	return width + len(end)
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
		if unicode.IsSpace(r) || r == utf8.RuneError || !unicode.IsGraphic(r) || strings.ContainsRune("<>\"`|{}«»“”[]", r) || unicode.Is(unicode.So, r) {
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
	const shortest, longest = 3, 64
	end := 1
	for i, r := range s[1:] {
		if i >= longest || !isWordRune(r) && !strings.ContainsRune("0123456789_.", r) {
			break
		}
		end = 1 + i + utf8.RuneLen(r)
	}
	end = len(strings.TrimRight(s[:end], "._"))
	if end < shortest {
		return 0
	}
	return end
}

// emailWidth reads an e-mail address, "mailto:" before it or not. The domain
// must look like one, whatever its end.
func emailWidth(s string) int {
	const longestLocal, longestDomain = 64, 253
	const labels = 8 // that may follow by mistake, as in "ana@ejemplo.com..1.5"
	start := len(s) - len(strings.TrimPrefix(s, "mailto:"))
	at := start
	for at < len(s) && at-start <= longestLocal && (isLetter(s[at]) || isDigit(s[at]) || strings.IndexByte("._%+-", s[at]) >= 0) {
		at++
	}
	if at == start || at == len(s) || s[at] != '@' {
		return 0
	}
	end := at + 1
	for end < len(s) && end-at <= longestDomain && (isLetter(s[end]) || isDigit(s[end]) || s[end] == '.' || s[end] == '-') {
		end++
	}
	for range labels {
		dot := strings.LastIndexByte(s[:end], '.')
		if dot <= at+1 {
			break
		}
		if last := lettersWidth(s[dot+1 : end]); last >= 2 && !startsWithLetter(s[dot+1+last:]) {
			return dot + 1 + last
		}
		end = dot
	}
	return 0
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
