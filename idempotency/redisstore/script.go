package redisstore

import (
	"context"
	"crypto/sha1" //nolint:gosec // the name that Redis gives a script, not a secret
	_ "embed"
	"encoding/hex"
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

// run runs the script on a key: in one round trip, and in two where the server
// does not know it, as after its restart.
func (sc script) run(ctx context.Context, do Do, key string, args ...string) (reply, error) {
	answer, err := send(ctx, do, "EVALSHA", sc.sha, key, args)
	if isUnknownScript(err) {
		return send(ctx, do, "EVAL", sc.text, key, args)
	}
	return answer, err
}

func send(ctx context.Context, do Do, command, script, key string, args []string) (reply, error) {
	if err := ctx.Err(); err != nil {
		return reply{}, err
	}
	words := make([]any, 0, 4+len(args))
	words = append(words, command, script, "1", key)
	for _, arg := range args {
		words = append(words, arg)
	}
	answer, err := do(ctx, words...)
	if err != nil {
		return reply{}, err
	}
	return parseReply(answer)
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
