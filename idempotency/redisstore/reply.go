package redisstore

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
)

// What the scripts answer first, see record.lua.
const (
	replyOK         = 1
	replyInProgress = 2
	replyCompleted  = 3
	replyAbandoned  = 4
	replyConflict   = 5

	replyNotOwner   = -1
	replyFull       = -2
	replyUnreadable = -3
)

// reply is a script's answer: never nil, for which every client has another
// word, and never bare, so that there is always a status to go by.
type reply struct {
	key    string // of the record, as it is called in Redis
	status int64
	rest   []any
}

// parseReply reads what a client made of an answer. What it does not understand,
// or what answers another question, is an error: nothing may read as a permission
// to run.
func parseReply(answer any, key, ticket string) (reply, error) {
	array, ok := answer.([]any)
	if !ok {
		return reply{}, fmt.Errorf("portavoz/redisstore: the answer is %T and not an array", answer)
	}
	for _, element := range array {
		if err, ok := element.(error); ok {
			return reply{}, err
		}
	}
	status, ok := number(array, 0)
	if !ok {
		return reply{}, errors.New("portavoz/redisstore: the answer does not begin with a status")
	}
	if repeated, ok := text(array, 1); !ok || string(repeated) != ticket {
		return reply{}, errors.New("portavoz/redisstore: the answer is that to another question; the client is out of step")
	}
	return reply{key, status, array[2:]}, nil
}

// settled is the error of an answer to anything but a claim.
func (r reply) settled() error {
	switch r.status {
	case replyOK:
		return nil
	case replyNotOwner:
		return idempotency.ErrNotOwner
	case replyFull:
		return idempotency.ErrFull
	case replyUnreadable:
		reason, _ := text(r.rest, 0)
		return r.unreadable(fmt.Sprintf("%.40q", reason))
	default:
		return fmt.Errorf("portavoz/redisstore: the answer has the unknown status %d", r.status)
	}
}

// unreadable names the key, so that an operator who knows what happened can put
// the record right, or delete it.
func (r reply) unreadable(reason string) error {
	return fmt.Errorf("%w: %s: %s", idempotency.ErrCorrupt, r.key, reason)
}

// claimed reads the answer to a claim.
func (r reply) claimed() (idempotency.Answer, error) {
	switch r.status {
	case replyOK:
		return idempotency.Answer{Status: idempotency.Acquired}, nil
	case replyInProgress:
		left, ok := r.period()
		if !ok || left <= 0 {
			return idempotency.Answer{}, errors.New("portavoz/redisstore: the answer has no lease")
		}
		return idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: left}, nil
	case replyCompleted:
		return r.completed()
	case replyAbandoned:
		return idempotency.Answer{Status: idempotency.Abandoned}, nil
	case replyConflict:
		return idempotency.Answer{Status: idempotency.Conflict}, nil
	default:
		return idempotency.Answer{}, r.settled()
	}
}

func (r reply) completed() (idempotency.Answer, error) {
	left, ok := r.period()
	if !ok {
		return idempotency.Answer{}, errors.New("portavoz/redisstore: the answer does not say how long the record lives")
	}
	answer := idempotency.Answer{Status: idempotency.Completed, TTLLeft: max(left, 0)} // it may live for ever
	if len(r.rest) == 1 {
		answer.Dropped = true
		return answer, nil
	}
	sum, okSum := text(r.rest, 1)
	result, okResult := text(r.rest, 2)
	switch {
	case !okSum || !okResult:
		return idempotency.Answer{}, errors.New("portavoz/redisstore: the answer has no result")
	case string(sum) != checksum(result):
		return idempotency.Answer{}, r.unreadable("its result is damaged")
	}
	answer.Result = result
	return answer, nil
}

// period is the time in milliseconds with which what follows the ticket begins.
func (r reply) period() (d time.Duration, ok bool) {
	ms, ok := number(r.rest, 0)
	return time.Duration(ms) * time.Millisecond, ok && ms <= maxMillis && ms >= -maxMillis
}

// checksum is the CRC-32C in eight hexadecimal digits.
func checksum(result []byte) string {
	sum := crc32.Checksum(result, crc32.MakeTable(crc32.Castagnoli))
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, sum))
}

// text returns an element that is text. It is never nil if ok.
func text(elements []any, i int) (t []byte, ok bool) {
	if i >= len(elements) {
		return nil, false
	}
	switch e := elements[i].(type) {
	case string:
		return []byte(e), true
	case []byte:
		return e, e != nil
	default:
		return nil, false
	}
}

// number returns an element that is an integer, or the text that Redis writes
// for one.
func number(elements []any, i int) (n int64, ok bool) {
	if i < len(elements) {
		if n, ok := elements[i].(int64); ok {
			return n, true
		}
	}
	t, ok := text(elements, i)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(t), 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == string(t)
}
