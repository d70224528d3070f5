package idempotency

import (
	"bufio"
	"fmt"
	"maps"
	"net"
	"net/http"
	"sync"
)

// recorder is the [http.ResponseWriter] of a handler that runs apart from its
// connection. It puts the answer aside, as the record that is kept; when that
// cannot be done, it passes the answer through to the client. It is no wrapper
// with an Unwrap method: the writer of the client must not be used once the
// request has ended, which the recorder knows and others would not.
type recorder struct {
	keep   []string // names of headers
	limit  int      // bytes of a record
	header http.Header

	// Set by the run, and read once it has ended.
	panic any
	ended bool

	mu     sync.Mutex
	client http.ResponseWriter // nil once the request has ended
	status int                 // 0 until it is known
	sent   http.Header         // the header at that moment
	record []byte
	lost   string // why there is no record: the kind of incident
}

var _ http.Hijacker = (*recorder)(nil)

func newRecorder(w http.ResponseWriter, keep []string, limit int) *recorder {
	return &recorder{keep: keep, limit: limit, header: w.Header().Clone(), client: w}
}

// writer returns what the handler is given: an [http.Flusher] exactly if the
// client's writer is one, since handlers ask for that before they stream.
func (rec *recorder) writer() http.ResponseWriter {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if _, ok := rec.client.(http.Flusher); ok {
		return flushing{rec}
	}
	return rec
}

// Header implements [http.ResponseWriter].
func (rec *recorder) Header() http.Header {
	if rec.header == nil {
		rec.header = http.Header{}
	}
	return rec.header
}

// WriteHeader implements [http.ResponseWriter]. Like net/http's it panics if the
// status has not three digits.
func (rec *recorder) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("portavoz/idempotency: the status %d has not three digits", status))
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if status >= 200 || status == http.StatusSwitchingProtocols {
		rec.begin(status)
	}
}

// begin notes the status and the header, once.
func (rec *recorder) begin(status int) {
	if rec.status != 0 {
		return
	}
	rec.status, rec.sent = status, rec.header.Clone()
	rec.record = appendHead(nil, status, rec.sent, rec.keep)
	if len(rec.record) > rec.limit {
		rec.pass(IncidentTooLarge)
	}
}

// Write implements [http.ResponseWriter].
func (rec *recorder) Write(p []byte) (int, error) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.begin(http.StatusOK)
	if rec.status < 200 || rec.status == http.StatusNoContent || rec.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	if rec.lost == "" && len(rec.record)+len(p) > rec.limit {
		rec.pass(IncidentTooLarge)
	}
	switch {
	case rec.lost == "":
		rec.record = append(rec.record, p...)
		return len(p), nil
	case rec.client == nil:
		return len(p), nil
	default:
		return rec.client.Write(p)
	}
}

// pass sends the client what was put aside, and the rest from now on.
func (rec *recorder) pass(why string) {
	rec.begin(http.StatusOK)
	if rec.lost != "" {
		return
	}
	rec.lost = why
	rec.send(headerReplayable, "false")
	rec.record = nil
}

// send answers the client, if there still is one.
func (rec *recorder) send(mark ...string) {
	if rec.client == nil {
		return
	}
	header := rec.client.Header()
	clear(header) // the handler was given what was there, and may have deleted some
	maps.Copy(header, rec.sent)
	if len(mark) > 0 {
		header.Set(mark[0], mark[1])
	}
	rec.client.WriteHeader(rec.status)
	if _, _, body, err := cutHead(rec.record); err == nil && len(body) > 0 {
		_, _ = rec.client.Write(body) // a client that left has no use for it
	}
}

// Hijack implements [http.Hijacker], as long as the request lasts.
func (rec *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.client == nil {
		return nil, nil, http.ErrNotSupported
	}
	conn, rw, err := http.NewResponseController(rec.client).Hijack()
	if err == nil {
		rec.begin(http.StatusSwitchingProtocols)
		rec.lost, rec.record, rec.client = IncidentStreamed, nil, nil
	}
	return conn, rw, err
}

// end closes the record and returns what was answered. lost says why there is no
// record.
func (rec *recorder) end() (status int, header http.Header, record []byte, lost string) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.begin(http.StatusOK)
	rec.ended = true
	return rec.status, rec.sent, rec.record, rec.lost
}

// deliver gives the client of the run what was put aside.
func (rec *recorder) deliver() {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.lost == "" {
		rec.send()
	}
	rec.client = nil
}

// leave takes the client's writer away from a run that goes on, and reports
// whether an answer had begun.
func (rec *recorder) leave() bool {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.client = nil
	return rec.lost != ""
}

// flushing is a recorder for a client whose writer can flush.
type flushing struct{ *recorder }

// Flush implements [http.Flusher].
func (w flushing) Flush() { _ = w.FlushError() }

// FlushError serves [http.ResponseController].
func (w flushing) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass(IncidentStreamed)
	if w.client == nil {
		return nil
	}
	return http.NewResponseController(w.client).Flush()
}
