package main

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/middleware"
)

// desk is the help desk, in which cases are opened: the system of record. A real
// one is somebody else's API; this one is in Redis, beside the keys.
type desk struct{ client *redis.Client }

// Where the desk keeps its cases, by number, and the numbers by the operation
// that opened them.
const (
	casesKey      = "fibra:casos"
	operationsKey = "fibra:casos:por_operacion"
	lastKey       = "fibra:casos:ultimo"
)

// open opens a case, and another one each time that it is called. Operation is
// what it can be found by later; empty if the caller has no name for it.
func (d desk) open(ctx context.Context, operation, description string) (number string, err error) {
	n, err := d.client.Incr(ctx, lastKey).Result()
	if err != nil {
		return "", errors.NoEffect(err) // a number without a case is no effect
	}
	number = "R-" + strconv.FormatInt(2000+n, 10)
	_, err = d.client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, casesKey, number, description)
		if operation != "" {
			p.HSet(ctx, operationsKey, operation, number)
		}
		return nil
	})
	return number, err
}

// find returns the description of a case.
func (d desk) find(ctx context.Context, number string) (string, error) {
	description, err := d.client.HGet(ctx, casesKey, number).Result()
	if errors.Is(err, redis.Nil) {
		return "", errors.NotFound("No encontré un caso con ese radicado.", errors.WithField("radicado"))
	}
	return description, err
}

// probe finds the case that an operation opened whose process died, and answers
// the retry as the first caller would have been.
func (d desk) probe(ctx context.Context, _ idempotency.Operation) (result []byte, found bool, err error) {
	number, err := d.client.HGet(ctx, operationsKey, middleware.EffectKey(ctx, openStep)).Result()
	if errors.Is(err, redis.Nil) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	description, err := d.find(ctx, number)
	if err != nil {
		return nil, false, err
	}
	result, err = middleware.KeptResult(opened(number, description))
	return result, true, err
}
