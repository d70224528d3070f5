package idempotency

import (
	"encoding/binary"
	"maps"
	"net/http"

	"github.com/portavoz/portavoz/errors"
)

// A kept answer is a version byte, a head and the body. The head has its length
// before it; it holds the status, and name and value of each header field, with
// their lengths.
const recordVersion = 1

var errRecord = errors.New("portavoz/idempotency: a kept answer cannot be read")

// appendHead begins a record with all but the body.
func appendHead(dst []byte, status int, header http.Header, keep []string) []byte {
	head := binary.AppendUvarint(nil, uint64(status))
	for _, name := range keep {
		for _, value := range header[name] {
			head = appendText(appendText(head, name), value)
		}
	}
	dst = append(dst, recordVersion)
	dst = binary.AppendUvarint(dst, uint64(len(head)))
	return append(dst, head...)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// cutHead reads a record. The body is a part of it.
func cutHead(record []byte) (status int, header http.Header, body []byte, err error) {
	if len(record) == 0 || record[0] != recordVersion {
		return 0, nil, nil, errRecord
	}
	head, body, ok := cutText(record[1:])
	code, width := binary.Uvarint(head)
	if !ok || width <= 0 || code < 100 || code > 999 {
		return 0, nil, nil, errRecord
	}
	header = http.Header{}
	for head = head[width:]; len(head) > 0; {
		var name, value []byte
		if name, head, ok = cutText(head); ok {
			value, head, ok = cutText(head)
		}
		if !ok {
			return 0, nil, nil, errRecord
		}
		header[string(name)] = append(header[string(name)], string(value))
	}
	return int(code), header, body, nil
}

// cutText reads a length and as many bytes.
func cutText(from []byte) (text, rest []byte, ok bool) {
	n, width := binary.Uvarint(from)
	if width <= 0 || n > uint64(len(from)-width) {
		return nil, nil, false
	}
	end := width + int(n)
	return from[width:end], from[end:], true
}

// replay answers with a kept record.
func (h *handler) replay(w http.ResponseWriter, record []byte) {
	status, kept, body, err := cutHead(record)
	if err != nil { // of another version, or damaged: it is done all the same
		h.refuse(w, errDropped())
		return
	}
	header := w.Header()
	maps.Copy(header, kept)
	header.Set(headerReplayed, "true")
	w.WriteHeader(status)
	if len(body) > 0 {
		_, _ = w.Write(body) // a client that left has no use for it
	}
}
