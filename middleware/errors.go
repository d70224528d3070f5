package middleware

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/internal/redact"
)

// ErrorsConfig tunes [Errors]. The zero value is right for most servers.
type ErrorsConfig struct {
	// Messages replaces sentences that this module itself says, by code or by
	// type; see [errors.Messages]. Default: [errors.DefaultMessages].
	Messages errors.Messages
	// MaxMessage is the longest user_message, in UTF-16 code units; a longer
	// one ends at a sentence or a word. Default: 300.
	MaxMessage int
	// AllowInputRequired lets a result pass that asks the client for another
	// round. Gateways that take each call as final do not understand it.
	// Default: such a result becomes a failure.
	AllowInputRequired bool
}

// Errors is the border between Go errors and results. Inside of it an error is
// an error; outside there are only results:
//
//   - an error becomes the failure of its type, see [errors.From]: the text of
//     a foreign error stays in the log;
//   - a result that the handler marked as an error itself is brought into the
//     same shape, also one in the envelope of package whaapy, see [EnvelopeError],
//     which need not be marked; one that has the shape already keeps its bytes, unless
//     its message has to be cleaned;
//   - neither a result nor an error, content that cannot be encoded, and
//     another round that nobody asked for are SYSTEM failures;
//   - everything else passes: an empty search is a success.
//
// The message for the person is one line, without markup, secrets, stack traces
// or addresses of the inside. The rest of a failure is redacted as [Redact] does by
// default. The result that comes out is not shared with the handler.
func Errors(cfg ErrorsConfig) server.ToolHandlerMiddleware {
	if cfg.MaxMessage <= 0 {
		cfg.MaxMessage = 300
	}
	b := &border{ErrorsConfig: cfg, redactor: newRedactor(RedactConfig{})}
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ctx, rec := begin(ctx, &req)
			res, err := next(ctx, req)
			if err == nil && res != nil && !res.IsError && (!res.NeedsInput() || b.AllowInputRequired) {
				res, err = sealSound(rec, res)
				switch {
				case err == nil && failureOf(res, nil) != nil:
					return b.normalise(rec, res), nil
				case err == nil:
					return res, nil
				}
				err = errors.System("", errors.WithCode(errors.CodeBadResult), errors.WithCause(err))
			}
			return b.fail(rec, res, err)
		}
	}
}

// border is an [ErrorsConfig] at work.
type border struct {
	ErrorsConfig
	redactor *redactor
}

func (b *border) fail(rec *Record, res *mcp.CallToolResult, err error) (*mcp.CallToolResult, error) {
	switch {
	case err != nil:
	case res == nil:
		err = errors.System("", errors.WithCode(errors.CodeNoResult))
	case !res.IsError:
		err = errors.System("", errors.WithCode(errors.CodeInputRequired))
	default:
		return b.normalise(rec, res), nil
	}
	e := *errors.From(err)
	e.UserMessage = b.message(&e)
	b.redactor.clean(&e)
	rec.fail(&e)
	return failureResult(&e), nil
}

// normalise brings a failure that the handler wrote itself into the shape.
func (b *border) normalise(rec *Record, res *mcp.CallToolResult) *mcp.CallToolResult {
	e, ok := envelopeOf(res)
	if !ok {
		e = errors.Unknown("", errors.WithCause(errors.New(textOfAll(res))))
		if text := textOfAll(res); !redact.LooksInternal(text) {
			e.UserMessage = text
		}
	}
	message := b.message(e)
	untouched := ok && message == e.UserMessage
	e.UserMessage = message
	untouched = b.redactor.clean(e) == 0 && untouched
	rec.fail(e)
	if untouched && isShaped(res) {
		if own, err := sealSound(rec, res); err == nil {
			own.IsError = true
			return own
		}
	}
	out := failureResult(e)
	out.Meta = res.Meta
	if own, err := sealSound(rec, out); err == nil {
		return own
	}
	return failureResult(e) // its _meta cannot be encoded
}

// message is the sentence for the person: the error's own if it is fit to be
// heard, else the table's.
func (b *border) message(e *errors.Error) string {
	if e.UserMessage != "" {
		if m := cleanMessage(e.UserMessage, b.MaxMessage); m != "" {
			return m
		}
	}
	blank := *e
	blank.UserMessage = ""
	return cleanMessage(b.Messages.For(&blank), b.MaxMessage)
}
