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
	var digits, lower, upper, hexadecimal int
count:
	for ; width < len(s); width++ {
		c := s[width]
		switch {
		case isDigit(c):
			digits++
		case isUpper(c):
			upper++
		case isLetter(c):
			lower++
		case strings.IndexByte("_-+/.", c) < 0:
			break count
		}
		if isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' {
			hexadecimal++
		}
	}
	rest := strings.TrimLeft(s[width:], "=") // the padding of Base64
	width = len(strings.TrimRight(s[:width], "-+/."))
	letters := lower + upper
	switch {
	case width < len(s) && isWordByte(s[width]) || digits < 3 || letters < 3:
	case width >= minHash && hexadecimal == width:
		return PieceHash, width
	case width >= minOpaque && lower > 2 && upper > 2 && digits+letters > width*4/5:
		return PieceHash, max(width, len(s)-len(rest))
	}
	return "", 0
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
