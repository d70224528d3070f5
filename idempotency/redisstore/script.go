package redisstore

import (
	"context"
	"crypto/sha1" //nolint:gosec // the name that Redis gives a script, not a secret
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/portavoz/portavoz/errors"
)

var (
	//go:embed record.lua
	recordLua string
	//go:embed claim.lua
	claimLua string
	//go:embed complete.lua
	completeLua string
	//go:embed release.lua
	releaseLua string
	//go:embed abandon.lua
	abandonLua string
	//go:embed extend.lua
	extendLua string
)

// script is one atomic step on one key.
type script struct {
	text string
	sha  string // as EVALSHA wants it
}

func newScript(body string) script {
	text := recordLua + body
	sum := sha1.Sum([]byte(text)) //nolint:gosec // see the import
	return script{text, hex.EncodeToString(sum[:])}
}

// run runs a script on a key: in one round trip, and in two where the server
// does not know it, as after its restart.
func (s *Store) run(ctx context.Context, do Do, sc script, key string, args ...string) (reply, error) {
	ticket := s.ticket()
	answer, err := send(ctx, do, "EVALSHA", sc.sha, key, ticket, args)
	if isUnknownScript(err) {
		return send(ctx, do, "EVAL", sc.text, key, ticket, args)
	}
	return answer, err
}

// ticket names one question. No two questions of this process have the same, so
// that the answer to another one is not taken for its own: connections that were
// put back into a pool with an answer still to come have handed out other
// people's data before.
func (s *Store) ticket() string {
	return s.name + strconv.FormatUint(s.tickets.Add(1), 36)
}

func send(ctx context.Context, do Do, command, script, key, ticket string, args []string) (reply, error) {
	if err := ctx.Err(); err != nil {
		return reply{}, err
	}
	words := make([]any, 0, 5+len(args))
	words = append(words, command, script, "1", key, ticket)
	for _, arg := range args {
		words = append(words, arg)
	}
	answer, err := do(ctx, words...)
	if err != nil {
		return reply{}, err
	}
	return parseReply(answer, key, ticket)
}

// isUnknownScript goes by the text: clients have error types of their own, and
// some wrap them.
func isUnknownScript(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.HasPrefix(err.Error(), "NOSCRIPT") {
			return true
		}
	}
	return false
}
