package voice

import "strings"

const (
	minHash   = 20 // hexadecimal digits of a digest that nobody reads
	minOpaque = 32 // characters of another token
	uuidShape = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"
)

// scanHash reads a UUID, a hexadecimal digest, or a token of mixed characters
// such as those of an API.
func scanHash(s string) (kind PieceKind, width int) {
	if isUUID(s) {
		return PieceUUID, len(uuidShape)
	}
	if width := hexadecimalWidth(s); width >= minHash && !startsWord(s[width:]) {
		return PieceHash, width
	}
	if width := opaqueWidth(s); width >= minOpaque {
		return PieceHash, width
	}
	return "", 0
}

func startsWord(s string) bool { return s != "" && isWordByte(s[0]) }

// hexadecimalWidth returns the width of hexadecimal digits of both kinds, zero
// when one is missing: a long number is no digest.
func hexadecimalWidth(s string) int {
	digits, width := 0, 0
	for width < len(s) && (isDigit(s[width]) || 'a' <= s[width]|0x20 && s[width]|0x20 <= 'f') {
		if isDigit(s[width]) {
			digits++
		}
		width++
	}
	if digits < 3 || width-digits < 3 {
		return 0
	}
	return width
}

// opaqueWidth returns the width of a token of digits, capitals and small letters
// with few other signs, as those of APIs are; zero when one kind is missing.
func opaqueWidth(s string) int {
	var digits, lower, upper, width int
	for ; width < len(s) && isTokenByte(s[width]); width++ {
		switch c := s[width]; {
		case isDigit(c):
			digits++
		case isUpper(c):
			upper++
		case isLetter(c):
			lower++
		}
	}
	width = len(strings.TrimRight(s[:width], "-+/."))
	if startsWord(s[width:]) || digits < 3 || lower < 3 || upper < 3 || (digits+lower+upper)*5 < width*4 {
		return 0
	}
	padding := len(s[width:]) - len(strings.TrimLeft(s[width:], "=")) // of Base64
	return width + padding
}

// isTokenByte reports whether tokens of programs hold b.
func isTokenByte(b byte) bool {
	return isLetter(b) || isDigit(b) || strings.IndexByte("_-+/.", b) >= 0
}

// isUUID reports whether s begins with a UUID (RFC 9562) that ends there.
func isUUID(s string) bool {
	if len(s) < len(uuidShape) || len(s) > len(uuidShape) && isWordByte(s[len(uuidShape)]) {
		return false
	}
	for i := range len(uuidShape) {
		if uuidShape[i] == '-' {
			if s[i] != '-' {
				return false
			}
		} else if !isDigit(s[i]) && (s[i]|0x20 < 'a' || s[i]|0x20 > 'f') {
			return false
		}
	}
	return true
}
