package transport

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/portavoz/portavoz/middleware/call"
)

// Gateway puts in front of an MCP handler what a gateway needs, in the right
// order: [BodyLimit], [Authenticate], [Headers].
//
//	handler, err := transport.Gateway(mcpHandler, transport.Bearer("asixto", secret))
//
// The error says what is wrong with the credentials, all of it at once. For
// more than credentials there is [GatewayConfig].
func Gateway(handler http.Handler, credentials ...Credential) (http.Handler, error) {
	return GatewayConfig{Credentials: credentials}.Wrap(handler)
}

// GatewayConfig is a [Gateway] with everything that can be chosen. Only
// Credentials is required.
type GatewayConfig struct {
	// Credentials are who may call; see [Authenticate]. Required.
	Credentials []Credential
	// Metadata is the RFC 9728 document; see [ResourceMetadata.Authenticate].
	// Default: none.
	Metadata *ResourceMetadata
	// Logger gets the lines of [Log], and the warnings of [Authenticate].
	// Default: no lines, and [slog.Default] for the warnings.
	Logger *slog.Logger
	// LogEveryRequest is [WithEveryRequest]. Default: false.
	LogEveryRequest bool
	// Hosts are the public hosts; see [AllowedHosts]. Default, nil: any host,
	// and whatever protection the handler has. An empty list that is not nil
	// allows loopback hosts alone.
	Hosts []string
	// BodyLimit is the longest body, in bytes. Default: [DefaultBodyLimit].
	BodyLimit int64
	// RateLimit is a [RateLimit] for what is no call of a tool. Default: none.
	RateLimit func(http.Handler) http.Handler
	// OutcomeHeaders turns on [OutcomeHeaders] with its default prefix.
	// Default: false.
	OutcomeHeaders bool
	// InvalidParams turns on [InvalidParams]. Default: false.
	InvalidParams bool
	// Keys are the names of the gateway's metadata; see [WithKeys]. Default:
	// those of the zero [call.Keys].
	Keys call.Keys
}

// Wrap returns handler behind, from the outside in, [Log], [AllowedHosts],
// [OutcomeHeaders], [BodyLimit], [Authenticate], [Headers], [RateLimit] and
// [InvalidParams], as far as they were asked for. The error holds a [ConfigError] for every mistake, joined.
//
// Wrap panics if handler is nil.
func (c GatewayConfig) Wrap(handler http.Handler) (http.Handler, error) {
	if handler == nil {
		panic("portavoz/transport: nil handler")
	}
	protect, errCredentials := c.authenticate()
	hosts, errHosts := c.hosts()
	if err := errors.Join(errCredentials, errHosts); err != nil {
		return nil, err
	}
	if c.InvalidParams {
		handler = InvalidParams()(handler)
	}
	if c.RateLimit != nil {
		handler = c.RateLimit(handler)
	}
	handler = Headers(WithKeys(c.Keys))(handler)
	handler = protect(handler)
	handler = BodyLimit(c.BodyLimit)(handler)
	if c.OutcomeHeaders {
		handler = OutcomeHeaders(DefaultOutcomePrefix)(handler)
	}
	handler = hosts(handler)
	var every []LogOption
	if c.LogEveryRequest {
		every = append(every, WithEveryRequest())
	}
	return Log(c.Logger, every...)(handler), nil
}

func (c GatewayConfig) authenticate() (func(http.Handler) http.Handler, error) {
	logger := c.Logger
	if logger == nil {
		logger = slog.Default()
	}
	if c.Metadata == nil {
		return authenticate(challenge(""), logger, c.Credentials)
	}
	return c.Metadata.authenticate(logger, c.Credentials)
}

func (c GatewayConfig) hosts() (func(http.Handler) http.Handler, error) {
	if c.Hosts == nil {
		return func(next http.Handler) http.Handler { return next }, nil
	}
	return AllowedHosts(c.Hosts...)
}
