package paginate

import (
	"encoding/json"
	"fmt"

	"github.com/portavoz/portavoz/errors"
)

// The page sizes of the gateway's contract, in results, and the farthest offset.
const (
	DefaultLimit = 10 // where limit is absent or null
	MaxLimit     = 25 // a greater limit counts as this
	VoiceLimit   = 3  // the most on the voice channel, where nobody remembers more than three things
	// MaxOffset is how far one may page. Nobody listens that long, and reading
	// deeper is slow in most databases; Elasticsearch has the same bound
	// (index.max_result_window).
	MaxOffset = 10_000
)

// The arguments of a search, as the contract names them.
const (
	argLimit  = "limit"
	argOffset = "offset"
)

// Params is which page was asked for. [Rules] make it; made by hand, a Limit
// below one counts as [DefaultLimit] and an Offset below zero as zero, so that
// the zero value is the first page; no upper bound is enforced then.
type Params struct {
	Limit  int // results at most
	Offset int // results before the first
}

// orDefault replaces what no rule would have let through.
func (p Params) orDefault() Params {
	if p.Limit < 1 {
		p.Limit = DefaultLimit
	}
	p.Offset = max(p.Offset, 0)
	return p
}

// Args holds the two arguments of a search, nil where they were absent or null.
// Embed it in the struct that a tool's arguments are decoded into:
//
//	var args struct {
//		Texto string `json:"texto"`
//		paginate.Args
//	}
//
// The fields are floats because in JSON Schema 10.0 and 1e1 are integers, which
// a Go int refuses. That a value is no number at all, or none that a float64
// holds, is an error of the decoder: turn it into a VALIDATION there, or use
// [Rules.FromMap] or [Rules.FromJSON], which do.
type Args struct {
	Limit  *float64 `json:"limit,omitempty" jsonschema:"Cuántos resultados devolver"`
	Offset *float64 `json:"offset,omitempty" jsonschema:"Cuántos resultados saltar"`
}

// FromMap reads limit and offset from the decoded arguments of a tool; other
// names are not looked at. A nil map has neither. voice says that the answer is
// read aloud: then the limit is [VoiceLimit] at most.
//
// A limit that is absent or null is the default one, and a limit above the
// maximum counts as the maximum, infinity included. An offset that is absent or
// null is zero. An offset above the maximum is refused: to clamp it would give
// other results than those asked for.
//
// A value may be of any of Go's integer and float types, or a [json.Number]; it
// is read as a float64, as encoding/json does, so 10.0 and 1e1 are ten. Anything
// else, fractions, NaN, a limit below one and an offset below zero are refused
// with an [errors.Error] of type VALIDATION, effect none:
//
//	what is wrong  Code                      Field
//	limit          errors.CodeInvalidLimit   limit
//	offset         errors.CodeInvalidOffset  offset
//	both           errors.CodeInvalidPage    limit
//
// It is one error also for both, with a sentence that names both: a gateway
// shows its model one sentence per call. The cause, for the log, says what is
// wrong without repeating the value.
func (r Rules) FromMap(args map[string]any, voice bool) (Params, error) {
	return r.params(r.read(args[argLimit]), r.read(args[argOffset]), voice)
}

// FromJSON is [Rules.FromMap] for arguments that are still encoded. Nothing at
// all, and null, are no arguments. Names are matched exactly, and the last one
// counts where one is repeated. Anything but an object is refused as VALIDATION
// without a field.
func (r Rules) FromJSON(args []byte, voice bool) (Params, error) {
	var members map[string]json.RawMessage
	if len(args) > 0 {
		if err := json.Unmarshal(args, &members); err != nil {
			return Params{}, errors.Validation("", errors.WithCause(fmt.Errorf("portavoz/paginate: the arguments are no object: %w", err)))
		}
	}
	return r.params(r.readJSON(members[argLimit]), r.readJSON(members[argOffset]), voice)
}

// FromArgs is [Rules.FromMap] for arguments that are decoded into a struct.
func (r Rules) FromArgs(args Args, voice bool) (Params, error) {
	return r.params(pointed(args.Limit), pointed(args.Offset), voice)
}

func (r Rules) params(limit, offset argument, voice bool) (Params, error) {
	most := r.maxLimit()
	if voice {
		most = min(most, VoiceLimit)
	}
	limit, offset = limit.or(r.defaultLimit()), offset.or(0)
	wrongLimit, wrongOffset := limit.atLeast(1), offset.atLeast(0)
	if wrongOffset == nil && offset.value > float64(r.maxOffset()) {
		wrongOffset = fmt.Errorf("above %d", r.maxOffset())
	}
	if err := refusal(wrongLimit, wrongOffset); err != nil {
		return Params{}, err
	}
	return Params{Limit: int(min(limit.value, float64(most))), Offset: int(offset.value)}, nil
}

// refusal is the failure for what is wrong with limit and offset, or nil.
func refusal(limit, offset error) error {
	code, field := errors.CodeInvalidPage, argLimit
	switch {
	case limit == nil && offset == nil:
		return nil
	case offset == nil:
		code = errors.CodeInvalidLimit
	case limit == nil:
		code, field = errors.CodeInvalidOffset, argOffset
	}
	var causes []error
	if limit != nil {
		causes = append(causes, fmt.Errorf("portavoz/paginate: limit is %w", limit))
	}
	if offset != nil {
		causes = append(causes, fmt.Errorf("portavoz/paginate: offset is %w", offset))
	}
	return errors.Validation("", errors.WithCode(code), errors.WithField(field), errors.WithCause(errors.Join(causes...)))
}
