package errors_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/portavoz/portavoz/errors"
)

func BenchmarkFrom(b *testing.B) {
	own := errors.NotFound("No encontré una cita con esos datos.")
	refused := &url.Error{Op: "Post", URL: "http://crm/", Err: &net.OpError{
		Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED),
	}}
	for _, bc := range []struct {
		name string
		err  error
	}{
		{"own", own},
		{"wrapped", fmt.Errorf("load the visit: %w", own)},
		{"deadline", context.DeadlineExceeded},
		{"refused", refused},
		{"join", errors.Join(own, refused, context.Canceled)},
		{"plain", errors.New("boom")},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if errors.From(bc.err) == nil {
					b.Fatal("nil")
				}
			}
		})
	}
}

// written are the failures of BenchmarkMarshalJSON and BenchmarkParse.
var written = []struct {
	name string
	err  *errors.Error
}{
	{"short", errors.NotFound("No encontré una cita con esos datos.")},
	{"default", errors.System("", errors.WithCode(errors.CodeBusy), errors.WithRetryAfter(20*time.Second))},
	{"fields", errors.Validation("Esa fecha ya pasó.", errors.WithCode("past_date"), errors.WithField("fecha"),
		errors.WithNextQuestion("¿Qué otra fecha sirve?"))},
	{"details", errors.Blocker("Esa línea tiene una orden en curso.", errors.WithDetails(map[string]any{
		"orden": "OT-10234", "intentos": 2, "abierta": true,
	}))},
}

// sink keeps results alive, so that they are allocated as they are in use.
var sink []byte

func BenchmarkMarshalJSON(b *testing.B) {
	for _, bc := range written {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if sink, err = bc.err.MarshalJSON(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	buf := make([]byte, 0, 1024)
	for _, bc := range written {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf = bc.err.AppendJSON(buf[:0])
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, bc := range written {
		b.Run(bc.name, func(b *testing.B) {
			data := bc.err.AppendJSON(nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := errors.Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
