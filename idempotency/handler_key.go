package idempotency

import (
	"net/http"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

const (
	headerKey = "Idempotency-Key"
	maxKey    = 255 // characters
)

// keyFrom reads the key of a request. It is empty if there is none.
func keyFrom(header http.Header) (string, error) {
	fields := header.Values(headerKey)
	if len(fields) == 0 {
		return "", nil
	}
	if len(fields) > 1 {
		return "", errKey("more than one header field")
	}
	key, problem := parseKey(strings.Trim(fields[0], " \t"))
	switch {
	case problem != "":
		return "", errKey(problem)
	case strings.TrimSpace(key) == "":
		return "", errKey("it is empty")
	case len(key) > maxKey:
		return "", errKey("it is longer than 255 characters")
	}
	return key, nil
}

func errKey(problem string) *errors.Error {
	return errors.Validation("", errors.WithCode(errors.CodeInvalidKey),
		errors.WithCause(errors.New("portavoz/idempotency: the key of a request: "+problem)))
}

// parseKey reads an Item of RFC 9651 that is a String, or the bare text. No
// parameters are defined, so that they are ignored. A comma outside of quotes is
// the mark of several fields that a proxy has joined.
func parseKey(field string) (key, problem string) {
	if !strings.HasPrefix(field, `"`) {
		for i := range len(field) {
			if b := field[i]; b <= ' ' || b >= 0x7f || b == '"' || b == ',' || b == ';' || b == '\\' {
				return "", "without quotes it may hold visible ASCII characters only, and none of \" , ; \\"
			}
		}
		return field, ""
	}
	var text strings.Builder
	for i := 1; i < len(field); i++ {
		switch b := field[i]; {
		case b == '"':
			rest := strings.TrimLeft(field[i+1:], " ")
			if rest != "" && (rest[0] != ';' || strings.Contains(rest, ",")) {
				return "", "something follows the string"
			}
			return text.String(), ""
		case b == '\\':
			if i++; i == len(field) || field[i] != '"' && field[i] != '\\' {
				return "", `only \" and \\ are escapes`
			}
			text.WriteByte(field[i])
		case b < ' ' || b >= 0x7f:
			return "", "it is not ASCII"
		default:
			text.WriteByte(b)
		}
	}
	return "", "the string does not end"
}
