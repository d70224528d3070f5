package voice

import (
	"errors"
	"io"
)

// Writer says a text that comes in fragments, as a model writes it: "$89" and
// ".900" may come apart, and a character between its bytes. Whatever the
// fragments, what it writes is what [Speaker.Text] says of the whole.
//
// It writes each sentence as soon as the first word of the next one shows that
// it is over, each line when it ends, and holds back 4 KiB at most; after the
// last fragment Close says the rest. A Writer is for one goroutine.
type Writer struct {
	w        io.Writer
	narrator narrator
	err      error
}

var _ io.WriteCloser = (*Writer)(nil)

// errClosed is returned by writes after Close.
var errClosed = errors.New("voice: write to a closed Writer")

// NewWriter returns a Writer that writes spoken text to w.
func (s *Speaker) NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, narrator: narrator{speaker: s, collect: true}}
}

// Write takes a fragment. It returns an error only when writing to the
// underlying writer fails, and then for ever.
func (w *Writer) Write(fragment []byte) (int, error) { return w.WriteString(string(fragment)) }

// WriteString is Write for a string.
func (w *Writer) WriteString(fragment string) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.narrator.pending += fragment
	if err := w.say(false); err != nil {
		return 0, err
	}
	return len(fragment), nil
}

// Flush says what is held back, as if the text ended there. What comes next is
// another text, on a line of its own.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	return w.say(true)
}

// Close says what is held back. It does not close the underlying writer.
func (w *Writer) Close() error {
	if errors.Is(w.err, errClosed) {
		return nil
	}
	err := w.Flush()
	if err == nil {
		w.err = errClosed
	}
	return err
}

// Removed returns the pieces that were taken out since it was called the last
// time, and forgets them. Their places are those in the whole text, and a piece
// that is longer than what the Writer holds back comes in parts.
func (w *Writer) Removed() []Piece {
	removed := w.narrator.removed
	w.narrator.removed = nil
	return removed
}

func (w *Writer) say(final bool) error {
	n := &w.narrator
	n.run(final)
	if len(n.out) == 0 {
		return nil
	}
	n.carried = n.last()
	_, w.err = w.w.Write(n.out)
	n.out = n.out[:0]
	return w.err
}
