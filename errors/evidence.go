//nolint:errorlint // looks at one error at a time; the walk unwraps
package errors

import (
	"context"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
)

// evidence is what the foreign errors of one branch say, gathered from the
// outermost inwards.
type evidence uint8

const (
	saidNoEffect evidence = 1 << iota // NoEffect
	overHTTP                          // below a *url.Error, where EOF is a lost connection
	opening                           // a connection was being opened or a name looked up
	transferring                      // an open connection was being read or written
	refused                           // nobody listens there
	timedOut                          // a deadline passed
	canceled                          // the caller gave up
	lost                              // a connection broke
)

func (s evidence) has(bits evidence) bool { return s&bits != 0 }

// and adds what err itself says, not what it wraps. The comparisons are
// therefore by value: the walk does the unwrapping, and it is bounded.
func (s evidence) and(err error) evidence {
	switch x := err.(type) {
	case *url.Error:
		s |= overHTTP
	case *net.DNSError:
		s = s.during(opening)
	case *net.OpError:
		switch x.Op {
		case "dial":
			s = s.during(opening)
		case "read", "write":
			s = s.during(transferring)
		}
	case syscall.Errno:
		s |= ofErrno(x)
	}
	switch err {
	case io.ErrUnexpectedEOF, net.ErrClosed:
		s |= lost
	case io.EOF:
		if s.has(overHTTP) {
			s |= lost
		}
	}
	if t, ok := err.(interface{ Timeout() bool }); ok && t.Timeout() ||
		matches(err, context.DeadlineExceeded) || matches(err, os.ErrDeadlineExceeded) {
		s |= timedOut
	}
	if matches(err, context.Canceled) {
		s |= canceled
	}
	return s
}

// ofErrno covers drivers that hand on the bare number; the net package wraps it
// in an OpError, which is what tells on systems that number errors otherwise.
func ofErrno(n syscall.Errno) evidence {
	switch n {
	case syscall.ECONNREFUSED:
		return refused
	case syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE,
		syscall.EHOSTUNREACH, syscall.ENETUNREACH:
		return lost
	default:
		return 0
	}
}

// during notes the phase of a connection. The outermost operation names it: a
// name server that was read from says nothing about the request.
func (s evidence) during(phase evidence) evidence {
	if s.has(opening | transferring) {
		return s
	}
	return s | phase
}

// matches is errors.Is for one error, without what it wraps.
func matches(err, target error) bool {
	if err == target {
		return true
	}
	x, ok := err.(interface{ Is(error) bool })
	return ok && x.Is(target)
}

// verdict classifies a branch in which no *Error speaks.
func (s evidence) verdict() Error {
	e := Error{Type: TypeSystem, Retryable: true}
	switch {
	case s.has(opening) && s.has(canceled):
		e.Code, e.Effect = CodeCanceled, EffectNone
	case s.has(opening), s.has(refused) && !s.has(transferring):
		e.Code, e.Effect = CodeUnavailable, EffectNone
	case s.has(timedOut):
		e.Code = CodeTimeout
	case s.has(canceled):
		e.Code = CodeCanceled
	case s.has(transferring | lost):
		e.Code = CodeConnectionLost
	default:
		e = Error{Type: TypeUnknown}
	}
	return s.claim(e)
}

// claim returns e, with the effect that NoEffect claimed above it.
func (s evidence) claim(e Error) Error {
	if s.has(saidNoEffect) {
		e.Effect = EffectNone
	}
	return e
}
