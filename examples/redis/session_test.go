package main_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware/whaapy"
)

// TestSessionsShareWhatIsClosed closes a session at one replica, with each client, and
// asks the other.
func TestSessionsShareWhatIsClosed(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	for name, client := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			replica := func() *whaapy.Sessions {
				sessions, err := whaapy.NewSessions(whaapy.SessionsConfig{
					Keys: [][]byte{make([]byte, 32)}, Closed: whaapy.NewRedisClosed(whaapy.Do(client(t, redis.addr))), Timeout: 5 * time.Second,
					Report: func(err error) { t.Errorf("reported: %v", err) },
				})
				if err != nil {
					t.Fatal(err)
				}
				return sessions
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			a, b := replica().ResolveSessionIdManager(request), replica().ResolveSessionIdManager(request)
			id := a.Generate()
			if closed, err := b.Validate(id); closed || err != nil {
				t.Errorf("before: closed %v, %v, want an open session", closed, err)
			}
			if _, err := b.Terminate(id); err != nil {
				t.Error(err)
			}
			if closed, err := a.Validate(id); !closed || err != nil {
				t.Errorf("afterwards: closed %v, %v, want a closed session", closed, err)
			}
		})
	}
}
