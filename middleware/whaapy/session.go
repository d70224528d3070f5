package whaapy

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
)

// SessionsConfig tunes [NewSessions]. Only Keys is required.
type SessionsConfig struct {
	// Keys sign the ids, each of 32 random bytes or more. The first one signs, and all
	// of them verify: to rotate, put the new one first and drop the old one after TTL.
	// Replicas have the same. Required.
	Keys [][]byte
	// TTL is how long a session is good after its initialize. Default: 24 hours.
	TTL time.Duration
	// Closed remembers the sessions that were closed. Replicas share one, such as
	// [NewRedisClosed]. Default: [NewClosed] with its defaults.
	Closed Closed
	// Timeout is how long Closed may take. Default: 100 ms.
	Timeout time.Duration
	// Report is told when Closed fails. It is quick, and safe for concurrent use.
	// Default: a warning of [slog.Default].
	Report func(error)
}

// Closed remembers which sessions were closed before their time. It is safe for
// concurrent use.
type Closed interface {
	// Close remembers a session until a time, after which its id is no good anyway. To
	// close it twice is no error.
	Close(ctx context.Context, session string, until time.Time) error
	// IsClosed reports whether a session was closed.
	IsClosed(ctx context.Context, session string) (bool, error)
}

// Sessions makes and checks the session ids of the protocol of 2025-06-18. An id holds
// when it was made and for which client, and is signed, so that every replica knows it
// and none keeps it; what is kept are the closed ones.
//
//	sessions, err := whaapy.NewSessions(whaapy.SessionsConfig{Keys: keys})
//	...
//	endpoint := server.NewStreamableHTTPServer(srv, sessions.Option(), server.WithSessionIdleTTL(time.Hour))
//	handler := sessions.Guard(endpoint)
//
// A request with an id that is unknown, forged, expired or closed is answered with 404,
// upon which a client makes a new session, and one that has to have an id and has none
// with 400 (MCP 2025-06-18, Streamable HTTP, session management). A session proves
// nothing about who calls: credentials do, and their lack is a 401. It is good for the
// caller alone who made it, by name and tenant, see [call.Caller]: to anybody else it is
// unknown, also when they would close it. So Guard and the server belong inside of what
// checks the credentials.
//
// mcp-go keeps some bookkeeping per session, in the process that saw the initialize.
// WithSessionIdleTTL lets it go after a while; the id stays good. If Closed cannot be
// asked, a session counts as open.
//
// It is safe for concurrent use, and needs no closing.
type Sessions struct {
	cfg   SessionsConfig
	local Closed // what this process has closed, whatever becomes of cfg.Closed
}

// NewSessions returns sessions. All that is wrong with the configuration is reported
// together.
func NewSessions(cfg SessionsConfig) (*Sessions, error) {
	var problems []error
	if len(cfg.Keys) == 0 {
		problems = append(problems, errors.New("portavoz/whaapy: Sessions need a key"))
	}
	for i, key := range cfg.Keys {
		if len(key) < minKey {
			problems = append(problems, fmt.Errorf("portavoz/whaapy: key %d of Sessions has %d bytes, below %d", i, len(key), minKey))
		}
	}
	if cfg.TTL < 0 || cfg.Timeout < 0 {
		problems = append(problems, errors.New("portavoz/whaapy: a duration of Sessions is negative"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s := &Sessions{cfg: cfg, local: NewClosed(0)}
	s.cfg.Keys = make([][]byte, len(cfg.Keys))
	for i, key := range cfg.Keys {
		s.cfg.Keys[i] = slices.Clone(key)
	}
	if cfg.TTL == 0 {
		s.cfg.TTL = 24 * time.Hour
	}
	if cfg.Timeout == 0 {
		s.cfg.Timeout = 100 * time.Millisecond
	}
	if cfg.Report == nil {
		s.cfg.Report = func(err error) { slog.Default().Warn("closed sessions cannot be looked up", "error", err) }
	}
	return s, nil
}

// Option gives the sessions to a server.
func (s *Sessions) Option() server.StreamableHTTPOption {
	return server.WithSessionIdManagerResolver(s)
}

var _ server.SessionIdManagerResolver = (*Sessions)(nil)

// ResolveSessionIdManager implements [server.SessionIdManagerResolver].
//
//nolint:revive // mcp-go's spelling
func (s *Sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil { // mcp-go cleans up by itself
		return idle{s.manager(context.Background())}
	}
	return s.manager(r.Context())
}

func (s *Sessions) manager(ctx context.Context) *manager {
	return &manager{sessions: s, ctx: ctx}
}

// Guard answers what mcp-go lets pass, or answers otherwise: 404 where a session is to be
// closed or listened to that is not there, and 400 where there is no id. That a message
// needs one it knows if transport.Headers stands before; without it, mcp-go answers 404.
// Requests of 2026-07-28, which has no sessions, pass.
func (s *Sessions) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(server.HeaderKeySessionID)
		switch {
		case r.Header.Get(mcp.HeaderProtocolVersion) >= mcp.ProtocolVersion20260728:
		case id == "" && needsSession(r):
			http.Error(w, "Mcp-Session-Id is missing", http.StatusBadRequest)
			return
		case r.Method == http.MethodDelete && !s.canClose(r.Context(), id), r.Method == http.MethodGet && !s.isOpen(r.Context(), id):
			http.Error(w, "Session not found", http.StatusNotFound)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// needsSession reports whether a request is one of an old session, as far as is known.
func needsSession(r *http.Request) bool {
	switch r.Method {
	case http.MethodDelete, http.MethodGet:
		return true
	case http.MethodPost:
		message := call.ExchangeFrom(r.Context()).Request()
		return message.Method != "" && message.Method != string(mcp.MethodInitialize) && message.Version < mcp.ProtocolVersion20260728
	}
	return false
}

// open returns the session of an id that is good.
func (s *Sessions) open(ctx context.Context, id string) (session, error) {
	found, err := s.parse(ctx, id)
	if err != nil {
		return session{}, err
	}
	if s.isClosed(ctx, found) {
		return session{}, errClosed
	}
	return found, nil
}

func (s *Sessions) isOpen(ctx context.Context, id string) bool {
	_, err := s.open(ctx, id)
	return err == nil
}

// canClose reports whether there is something to close: also a session that is closed
// here, as long as that is not noted where all replicas look.
func (s *Sessions) canClose(ctx context.Context, id string) bool {
	found, err := s.parse(ctx, id)
	return err == nil && !s.isNoted(ctx, found)
}

func (s *Sessions) isClosed(ctx context.Context, found session) bool {
	closed, _ := s.local.IsClosed(ctx, found.name) // memory does not fail
	return closed || s.cfg.Closed != nil && s.isNoted(ctx, found)
}

// isNoted reports whether a session is known as closed to all replicas.
func (s *Sessions) isNoted(ctx context.Context, found session) bool {
	if s.cfg.Closed == nil {
		closed, _ := s.local.IsClosed(ctx, found.name)
		return closed
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	closed, err := s.cfg.Closed.IsClosed(ctx, found.name)
	if err != nil {
		s.cfg.Report(err)
	}
	return err == nil && closed
}

func (s *Sessions) close(ctx context.Context, found session) error {
	until := found.issued.Add(s.cfg.TTL)
	_ = s.local.Close(ctx, found.name, until) // memory does not fail
	if s.cfg.Closed == nil {
		return nil
	}
	// A client that leaves at once has closed its session all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Timeout)
	defer cancel()
	if err := s.cfg.Closed.Close(ctx, found.name, until); err != nil {
		s.cfg.Report(err)
		return errNotNoted
	}
	return nil
}

var (
	errUnknown  = errors.New("the session is not known")
	errExpired  = errors.New("the session has expired")
	errClosed   = errors.New("the session was closed")
	errNotNoted = errors.New("the session is closed here, and nobody else could be told") // mcp-go sends this text
)

// manager is [Sessions] for one request.
type manager struct {
	sessions *Sessions
	ctx      context.Context //nolint:containedctx // mcp-go's interface has no place for it
}

var _ server.SessionIdManager = (*manager)(nil)

// Generate implements [server.SessionIdManager].
func (m *manager) Generate() string {
	return m.sessions.issue(m.ctx, call.ExchangeFrom(m.ctx).Request().Client)
}

// Validate implements [server.SessionIdManager]. Whoever comes later finds the name of
// the client where a message of its own would have it.
func (m *manager) Validate(id string) (terminated bool, err error) {
	found, err := m.sessions.open(m.ctx, id)
	if errors.Is(err, errClosed) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	exchange := call.ExchangeFrom(m.ctx)
	if request := exchange.Request(); request.Client == "" {
		request.Client = found.client
		exchange.SetRequest(request)
	}
	return false, nil
}

// Terminate implements [server.SessionIdManager]. To close what is not open changes
// nothing.
func (m *manager) Terminate(id string) (notAllowed bool, err error) {
	found, err := m.sessions.parse(m.ctx, id)
	if err != nil {
		return false, nil // there is no such session any more
	}
	return false, m.sessions.close(m.ctx, found)
}

// idle is the manager for mcp-go's own cleaning. It ends what mcp-go keeps, and not the
// session, which another replica may be serving.
type idle struct{ *manager }

// Terminate implements [server.SessionIdManager].
func (idle) Terminate(string) (notAllowed bool, err error) { return false, nil }
