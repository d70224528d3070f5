package voice

import "io"

// Text is [Speaker.Text] in neutral Latin American Spanish.
func Text(text string) string {
	var s Speaker
	return s.Text(text)
}

// AppendText is [Speaker.AppendText] in neutral Latin American Spanish.
func AppendText(dst []byte, text string) []byte {
	var s Speaker
	return s.AppendText(dst, text)
}

// Clean is [Speaker.Clean] in neutral Latin American Spanish.
func Clean(text string) Result {
	var s Speaker
	return s.Clean(text)
}

// NewWriter is [Speaker.NewWriter] in neutral Latin American Spanish.
func NewWriter(w io.Writer) *Writer {
	var s Speaker
	return s.NewWriter(w)
}
