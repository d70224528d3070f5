package redislimit

import (
	"context"
	"crypto/sha1" //nolint:gosec // the name that Redis gives a script, not a secret
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware/call"
)

//go:embed take.lua
var takeLua string

// scriptName is what EVALSHA calls a script.
func scriptName(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

// ask pays the charge in Redis: in one round trip, and in two where the server does
// not know the script, as after its restart.
func (l *Limiter) ask(ctx context.Context, c call.Charge) (call.Verdict, error) {
	if err := ctx.Err(); err != nil {
		return call.Verdict{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.cfg.Timeout)
	defer cancel()

	// No two questions of this process have the same ticket, so that the answer to
	// another one, from a connection that is out of step, is not taken for its own.
	ticket := l.name + strconv.FormatUint(l.tickets.Add(1), 36)
	words, indexes := l.words(ticket, &c)
	answer, err := l.do(ctx, words...)
	if err != nil && strings.Contains(err.Error(), "NOSCRIPT") { // clients have error types of their own
		words[0], words[1] = "EVAL", takeLua
		answer, err = l.do(ctx, words...)
	}
	if err != nil {
		return call.Verdict{}, err
	}
	return parse(answer, ticket, indexes)
}

// words is the command, and the index of the bucket of each of its keys.
func (l *Limiter) words(ticket string, c *call.Charge) (words []any, indexes []int) {
	owner := l.cfg.Prefix + "{" + digest(c.Key) + "}" // in braces: on one node
	kinds := [call.Buckets]string{call.OfKey: "k", call.OfConversation: "c", call.OfTool: "t"}
	var args []any
	words = make([]any, 3, 4+4*call.Buckets)
	for i, b := range c.Buckets {
		if b.Limit.Unlimited() {
			continue
		}
		indexes = append(indexes, i)
		words = append(words, owner+kinds[i]+digest(b.Name))
		args = append(args, micros(b.Limit.Every), strconv.Itoa(b.Limit.Burst), strconv.Itoa(max(b.Cost, 0)))
	}
	words[0], words[1], words[2] = "EVALSHA", l.script, strconv.Itoa(len(indexes))
	return append(append(words, ticket), args...), indexes
}

// digest is a name of 20 letters for any text, and "" for none.
func digest(s string) string {
	if s == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}

// micros is a positive duration in whole microseconds, rounded up: a limit is
// never faster than it says.
func micros(d time.Duration) string {
	us := d.Microseconds()
	if d%time.Microsecond != 0 {
		us++
	}
	return strconv.FormatInt(us, 10)
}

// parse reads what a client made of an answer. Nothing that it does not understand
// reads as a permission.
func parse(answer any, ticket string, indexes []int) (call.Verdict, error) {
	var text string
	switch t := answer.(type) {
	case string:
		text = t
	case []byte:
		text = string(t)
	default:
		return call.Verdict{}, fmt.Errorf("portavoz/redislimit: the answer is %T and not text", answer)
	}
	fields := strings.Split(text, " ")
	switch {
	case len(fields) < 2 || fields[1] != ticket:
		return call.Verdict{}, errors.New("portavoz/redislimit: the answer is that to another question; the client is out of step")
	case len(fields) == 2 && fields[0] == "paid":
		return call.Verdict{}, nil
	case len(fields) == 4 && fields[0] == "wait":
		us, errWait := strconv.ParseInt(fields[2], 10, 64)
		which, errWhich := strconv.Atoi(fields[3])
		if errWait == nil && errWhich == nil && us > 0 && which >= 1 && which <= len(indexes) {
			us = min(us, math.MaxInt64/int64(time.Microsecond)-1)
			return call.Verdict{Wait: time.Duration(us) * time.Microsecond, Bucket: indexes[which-1]}, nil
		}
	}
	return call.Verdict{}, fmt.Errorf("portavoz/redislimit: the answer %.60q is not understood", text)
}
