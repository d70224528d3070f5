package voice

import "io"

// Text is [Speaker.Text] with the country's rules.
func (c Country) Text(text string) string {
	s := c.speaker()
	return s.Text(text)
}

// AppendText is [Speaker.AppendText] with the country's rules.
func (c Country) AppendText(dst []byte, text string) []byte {
	s := c.speaker()
	return s.AppendText(dst, text)
}

// Clean is [Speaker.Clean] with the country's rules.
func (c Country) Clean(text string) Result {
	s := c.speaker()
	return s.Clean(text)
}

// NewWriter is [Speaker.NewWriter] with the country's rules.
func (c Country) NewWriter(w io.Writer) *Writer {
	s := c.speaker()
	return s.NewWriter(w)
}
