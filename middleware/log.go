package middleware

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/redact"
)

// Log writes one line per call with zerolog. It is [Observe] with [Zerolog].
func Log(logger zerolog.Logger) server.ToolHandlerMiddleware {
	return Observe(Zerolog(logger))
}

// Zerolog returns an observer that writes one line per event, at level info, at
// warn where the server refused or was cut off, and at error where it is at
// fault. Fields that are not known are left out: tool, request_id,
// conversation_id, company_id, channel, caller, duration_ms, outcome,
// error_type, error_code, era, tolerated, bad_result, characters, truncated,
// dropped_blocks, redacted, unprotected, tries (where there was more than one),
// error, stack.
//
// The line holds no arguments, results or credentials. Text that came from a
// client is written as a JSON string, so it cannot forge a second line.
func Zerolog(logger zerolog.Logger) Observer {
	return func(_ context.Context, ev Event) {
		line := logger.WithLevel(zerologLevel(ev)).Str("tool", clip(ev.Tool)).Str("request_id", ev.RequestID)
		for _, f := range ev.optional() {
			if f.value != "" {
				line = line.Str(f.name, f.value)
			}
		}
		line = line.Float64("duration_ms", ev.milliseconds()).
			Int("characters", ev.Characters).
			Bool("truncated", ev.Truncated)
		if ev.Dropped > 0 {
			line = line.Int("dropped_blocks", ev.Dropped)
		}
		if ev.Redacted > 0 {
			line = line.Int("redacted", ev.Redacted)
		}
		if ev.Unprotected {
			line = line.Bool("unprotected", true)
		}
		if ev.Tries > 1 {
			line = line.Int("tries", ev.Tries)
		}
		if ev.Err != nil {
			line = line.Str("error", logText(ev.Err))
		}
		if stack := ev.stack(); stack != "" {
			line = line.Str("stack", stack)
		}
		line.Msg("tool call")
	}
}

// Slog returns an observer that writes the same facts as [Zerolog] to a slog
// logger. A nil logger means [slog.Default].
func Slog(logger *slog.Logger) Observer {
	return func(ctx context.Context, ev Event) {
		l := logger
		if l == nil {
			l = slog.Default()
		}
		level := slogLevel(ev)
		if !l.Enabled(ctx, level) {
			return
		}
		attrs := make([]slog.Attr, 0, 16)
		attrs = append(attrs, slog.String("tool", clip(ev.Tool)), slog.String("request_id", ev.RequestID))
		for _, f := range ev.optional() {
			if f.value != "" {
				attrs = append(attrs, slog.String(f.name, f.value))
			}
		}
		attrs = append(attrs, slog.Float64("duration_ms", ev.milliseconds()),
			slog.Int("characters", ev.Characters), slog.Bool("truncated", ev.Truncated))
		if ev.Dropped > 0 {
			attrs = append(attrs, slog.Int("dropped_blocks", ev.Dropped))
		}
		if ev.Redacted > 0 {
			attrs = append(attrs, slog.Int("redacted", ev.Redacted))
		}
		if ev.Unprotected {
			attrs = append(attrs, slog.Bool("unprotected", true))
		}
		if ev.Tries > 1 {
			attrs = append(attrs, slog.Int("tries", ev.Tries))
		}
		if ev.Err != nil {
			attrs = append(attrs, slog.String("error", logText(ev.Err)))
		}
		if stack := ev.stack(); stack != "" {
			attrs = append(attrs, slog.String("stack", stack))
		}
		l.LogAttrs(ctx, level, "tool call", attrs...)
	}
}

type textField struct{ name, value string }

// optional lists the text fields that may be unknown, in the order of the line.
func (e Event) optional() [10]textField {
	return [...]textField{
		{"conversation_id", e.ConversationID},
		{"company_id", e.CompanyID},
		{"channel", string(e.Channel)},
		{"caller", e.Caller},
		{"outcome", string(e.Outcome)},
		{"error_type", string(e.ErrorType)},
		{"error_code", e.ErrorCode},
		{"era", e.Era},
		{"tolerated", e.tolerated()},
		{"bad_result", e.badResult()},
	}
}

func (e Event) tolerated() string {
	if len(e.Tolerated) == 0 {
		return ""
	}
	names := make([]string, len(e.Tolerated))
	for i, t := range e.Tolerated {
		names[i] = string(t)
	}
	return strings.Join(names, ",")
}

func (e Event) badResult() string {
	if e.BadResult == nil {
		return ""
	}
	return logText(e.BadResult)
}

func (e Event) milliseconds() float64 {
	return float64(e.Duration.Microseconds()) / 1000
}

func (e Event) level() slog.Level {
	switch {
	case e.ServerFault(), e.Outcome == OutcomeLatePanic:
		return slog.LevelError
	case e.Outcome == OutcomeRefused, e.Outcome == OutcomeCanceled, e.Outcome == OutcomeLateResult, e.BadResult != nil:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

func slogLevel(e Event) slog.Level { return e.level() }

func zerologLevel(e Event) zerolog.Level {
	switch e.level() {
	case slog.LevelError:
		return zerolog.ErrorLevel
	case slog.LevelWarn:
		return zerolog.WarnLevel
	default:
		return zerolog.InfoLevel
	}
}

// Bounds of what a client or a dependency can put into one line, in bytes.
const (
	maxLogName  = 128
	maxLogText  = 4096
	maxLogStack = 8192
)

func clip(s string) string {
	if len(s) > maxLogName {
		return s[:maxLogName]
	}
	return s
}

// logText is the cause of a failure for the log: bounded, and without the
// secrets that errors of drivers and clients like to quote. It looks beyond the
// bound, so that a secret across it is seen as one.
func logText(err error) string {
	s := fmt.Sprint(err) // fmt survives an Error method that panics
	s, _ = redact.Text(s[:min(len(s), 2*maxLogText)])
	return s[:min(len(s), maxLogText)]
}

// stack is where the handler panicked, or "". It holds names and places of the
// program, and no values.
func (e Event) stack() string {
	if e.Err == nil {
		return ""
	}
	p, ok := errors.AsType[*PanicError](e.Err)
	if !ok {
		return ""
	}
	return string(p.Stack[:min(len(p.Stack), maxLogStack)])
}
