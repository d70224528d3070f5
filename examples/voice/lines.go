package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line that is read, in bytes, its end not counted.
const maxLine = 1 << 20

// eachLine calls f with every line, without its end, LF or CRLF, and without the
// byte order mark of the first. Of a line that is longer than maxLine f gets
// nothing but whole=false. It stops at the first error of f.
func eachLine(r io.Reader, f func(line []byte, whole bool) error) error {
	reader := bufio.NewReaderSize(r, maxLine+2)
	for first, last := true, false; !last; first = false {
		line, err := reader.ReadSlice('\n')
		whole := true
		for errors.Is(err, bufio.ErrBufferFull) {
			whole = false
			_, err = reader.ReadSlice('\n')
		}
		last = errors.Is(err, io.EOF)
		if err != nil && !last {
			return err
		}
		if last && len(line) == 0 {
			break
		}
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if failed := f(line, whole && len(line) <= maxLine); failed != nil {
			return failed
		}
	}
	return nil
}
