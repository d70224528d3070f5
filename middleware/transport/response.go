package transport

import (
	"io"
	"net/http"
)

// response is a [http.ResponseWriter] that remembers what was answered and may
// act just before the header goes out. Everything else of the writer below is
// reached through [http.ResponseController].
type response struct {
	http.ResponseWriter
	// before, if not nil, runs once, before the final header. When it reports
	// that it has answered by itself, what the handler writes is thrown away.
	before func() (answered bool)
	status int // of the final header, 0 before it
	bytes  int64
	muted  bool
}

// watch returns a response around w, and the writer to hand to the handler: it
// is an [http.Flusher] exactly if w is one, since handlers ask for that before
// they stream.
func watch(w http.ResponseWriter, before func() bool) (*response, http.ResponseWriter) {
	res := &response{ResponseWriter: w, before: before}
	if _, ok := w.(http.Flusher); ok {
		return res, flusher{res}
	}
	return res, res
}

// begin notes the final status and reports whether the handler's answer counts.
func (w *response) begin(status int) bool {
	if w.status == 0 {
		w.status = status
		w.muted = w.before != nil && w.before()
	}
	return !w.muted
}

// end does what net/http does after a handler that wrote nothing: it answers
// 200.
func (w *response) end() { w.begin(http.StatusOK) }

// Unwrap serves [http.ResponseController].
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter]. Informational statuses pass
// and are not the answer.
func (w *response) WriteHeader(status int) {
	informational := status >= 100 && status < 200 && status != http.StatusSwitchingProtocols
	if informational && !w.muted || !informational && w.begin(status) {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (w *response) Write(p []byte) (int, error) {
	if !w.begin(http.StatusOK) {
		return len(p), nil
	}
	n, err := w.ResponseWriter.Write(p) //nolint:gosec // what the handler writes is its own
	w.bytes += int64(n)
	return n, err
}

// ReadFrom keeps the fast path of the writer below, such as sendfile.
func (w *response) ReadFrom(src io.Reader) (int64, error) {
	if !w.begin(http.StatusOK) {
		return io.Copy(io.Discard, src)
	}
	n, err := io.Copy(w.ResponseWriter, src)
	w.bytes += n
	return n, err
}

// flusher is a response over a writer that can flush.
type flusher struct{ *response }

// Flush implements [http.Flusher].
func (w flusher) Flush() { _ = w.FlushError() }

// FlushError serves [http.ResponseController].
func (w flusher) FlushError() error {
	if !w.begin(http.StatusOK) {
		return nil
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}
