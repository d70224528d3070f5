package paginate

import (
	"bytes"
	"encoding/json"
)

var _ json.Marshaler = List[int](nil)

// List is a slice that encodes as a JSON array also where it is nil, and where
// its elements are bytes.
type List[T any] []T

// MarshalJSON returns the array as [json.Marshal] would write it.
func (l List[T]) MarshalJSON() ([]byte, error) {
	w := newWriter("[")
	for i := range l {
		if err := writeElement(w, l, i); err != nil {
			return nil, err
		}
	}
	return append(w.Bytes(), ']'), nil
}

// writer collects elements as json.Marshal writes them, each encoded once.
type writer struct {
	bytes.Buffer
	enc *json.Encoder
}

func newWriter(head string) *writer {
	w := new(writer)
	w.WriteString(head)
	w.enc = json.NewEncoder(&w.Buffer)
	return w
}

// writeElement appends the element at i, with a comma if there is one before it.
// An element that cannot be encoded leaves an error.
func writeElement[T any](w *writer, items []T, i int) error {
	if i > 0 {
		w.WriteByte(',')
	}
	// The address, as json.Marshal takes it of a slice's elements: marshalers
	// with pointer receivers count, and nothing is copied.
	if err := w.enc.Encode(&items[i]); err != nil {
		return err
	}
	w.Truncate(w.Len() - 1) // the encoder's line break
	return nil
}
