package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/redisstore"
)

// errServer is what a server or a client says.
var errServer = errors.New("ERR something")

// TestClaimAnswers: what clients make of an answer, and what is made of that.
func TestClaimAnswers(t *testing.T) {
	t.Parallel()
	status := func(s idempotency.Status) idempotency.Answer { return idempotency.Answer{Status: s} }
	kept := func(result string) idempotency.Answer {
		return idempotency.Answer{Status: idempotency.Completed, Result: []byte(result), TTLLeft: 9 * time.Second}
	}
	tests := map[string]struct {
		answer any
		want   idempotency.Answer
		err    error // nil: none
	}{
		"acquired":                {[]any{int64(1)}, status(idempotency.Acquired), nil},
		"in progress":             {[]any{int64(2), int64(1500)}, idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: 1500 * time.Millisecond}, nil},
		"in progress, as text":    {[]any{"2", []byte("1500")}, idempotency.Answer{Status: idempotency.InProgress, LeaseLeft: 1500 * time.Millisecond}, nil},
		"completed, string":       {[]any{int64(3), int64(9000), "e3069283", "123456789"}, kept("123456789"), nil},
		"completed, bytes":        {[]any{int64(3), int64(9000), []byte("e3069283"), []byte("123456789")}, kept("123456789"), nil},
		"completed, any bytes":    {[]any{int64(3), int64(9000), "08452134", "\x00\xff\r\n{}"}, kept("\x00\xff\r\n{}"), nil},
		"completed, empty string": {[]any{int64(3), int64(9000), "00000000", ""}, kept(""), nil},
		"completed, empty bytes":  {[]any{int64(3), int64(9000), "00000000", []byte{}}, kept(""), nil},
		"completed, for ever":     {[]any{int64(3), int64(-1)}, idempotency.Answer{Status: idempotency.Completed, Dropped: true}, nil},
		"completed, dropped":      {[]any{int64(3), int64(9000)}, idempotency.Answer{Status: idempotency.Completed, Dropped: true, TTLLeft: 9 * time.Second}, nil},
		"abandoned":               {[]any{int64(4)}, status(idempotency.Abandoned), nil},
		"conflict":                {[]any{int64(5)}, status(idempotency.Conflict), nil},
		"full":                    {[]any{int64(-2)}, idempotency.Answer{}, idempotency.ErrFull},
		"unreadable":              {[]any{int64(-3), "damaged"}, idempotency.Answer{}, idempotency.ErrCorrupt},
		"unreadable, no reason":   {[]any{int64(-3)}, idempotency.Answer{}, idempotency.ErrCorrupt},
		"damaged result":          {[]any{int64(3), int64(9000), "e3069283", "123456780"}, idempotency.Answer{}, idempotency.ErrCorrupt},
		"shortened result":        {[]any{int64(3), int64(9000), "e3069283", ""}, idempotency.Answer{}, idempotency.ErrCorrupt},
		"sum in capitals":         {[]any{int64(3), int64(9000), "E3069283", "123456789"}, idempotency.Answer{}, idempotency.ErrCorrupt},

		"error":              {errServer, idempotency.Answer{}, errServer},
		"error inside":       {[]any{errServer}, idempotency.Answer{}, errServer},
		"error inside later": {[]any{int64(1), errServer}, idempotency.Answer{}, errServer},
		"context error":      {context.DeadlineExceeded, idempotency.Answer{}, context.DeadlineExceeded},
		"nil":                {nil, idempotency.Answer{}, errAny},
		"bare status":        {int64(1), idempotency.Answer{}, errAny},
		"bare text":          {"OK", idempotency.Answer{}, errAny},
		"empty":              {[]any{}, idempotency.Answer{}, errAny},
		"nil inside":         {[]any{nil}, idempotency.Answer{}, errAny},
		"status in array":    {[]any{[]any{int64(1)}}, idempotency.Answer{}, errAny},
		"status in disguise": {[]any{"01"}, idempotency.Answer{}, errAny},
		"status is a float":  {[]any{1.0}, idempotency.Answer{}, errAny},
		"status is a bool":   {[]any{true}, idempotency.Answer{}, errAny},
		"status is nothing":  {[]any{int64(0)}, idempotency.Answer{}, errAny},
		"status of tomorrow": {[]any{int64(6)}, idempotency.Answer{}, errAny},
		"not of a claim":     {[]any{int64(-1)}, idempotency.Answer{}, idempotency.ErrNotOwner},
		"no lease":           {[]any{int64(2)}, idempotency.Answer{}, errAny},
		"lease of nothing":   {[]any{int64(2), int64(0)}, idempotency.Answer{}, errAny},
		"endless lease":      {[]any{int64(2), int64(math.MaxInt64)}, idempotency.Answer{}, errAny},
		"no result":          {[]any{int64(3), int64(9000), "e3069283"}, idempotency.Answer{}, errAny},
		"nil result":         {[]any{int64(3), int64(9000), "00000000", nil}, idempotency.Answer{}, errAny},
		"nil bytes":          {[]any{int64(3), int64(9000), "00000000", []byte(nil)}, idempotency.Answer{}, errAny},
		"no lifetime":        {[]any{int64(3)}, idempotency.Answer{}, errAny},
		"lifetime is a word": {[]any{int64(3), "long"}, idempotency.Answer{}, errAny},
		"endless lifetime":   {[]any{int64(3), int64(math.MaxInt64)}, idempotency.Answer{}, errAny},
		"number as result":   {[]any{int64(3), int64(9000), "00000000", int64(7)}, idempotency.Answer{}, errAny},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := &server{answers: []any{tt.answer}}
			got, err := newStore(t, redis.do).Claim(t.Context(), claim)
			if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", tt.want) {
				t.Errorf("answer = %#v,\nwant %#v", got, tt.want)
			}
			if !matches(err, tt.err) {
				t.Errorf("error = %v, want %v", err, tt.err)
			}
			if errors.Is(err, idempotency.ErrCorrupt) && !strings.Contains(err.Error(), "portavoz:ab00") {
				t.Errorf("error = %v, want the key in it", err)
			}
			if errors.Is(tt.err, errAny) && (errors.Is(err, idempotency.ErrFull) || errors.Is(err, idempotency.ErrNotOwner)) {
				t.Errorf("error = %v, which says more than is known", err)
			}
		})
	}
}

// TestSettledAnswers: only one status is success.
func TestSettledAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer any
		err    error // nil: none
	}{
		"done":            {[]any{int64(1)}, nil},
		"not the owner":   {[]any{int64(-1)}, idempotency.ErrNotOwner},
		"full":            {[]any{int64(-2)}, idempotency.ErrFull},
		"unreadable":      {[]any{int64(-3), []byte("not of version 1")}, idempotency.ErrCorrupt},
		"status of claim": {[]any{int64(3)}, errAny},
		"error":           {errServer, errServer},
		"error inside":    {[]any{errServer}, errServer},
		"nil":             {nil, errAny},
		"bare status":     {int64(1), errAny},
	}
	for name, tt := range tests {
		for step, run := range steps {
			if step == "claim" {
				continue
			}
			t.Run(name+", "+step, func(t *testing.T) {
				t.Parallel()
				redis := &server{answers: []any{tt.answer}}
				err := run(t.Context(), newStore(t, redis.do))
				if !matches(err, tt.err) {
					t.Errorf("error = %v, want %v", err, tt.err)
				}
			})
		}
	}
}

// FuzzClaim: whatever comes back, nothing panics, and only a status of 1 reads
// as a permission to run.
func FuzzClaim(f *testing.F) {
	for _, seed := range []string{
		"", "i1", "i2i9", "i3i9s00000000\x00s\x00", "i3i-1be3069283\x00b123456789\x00", "i3i9", "i3", "i-2", "e", "n", "[i1]", "s1\x00", "i9223372036854775808", "f",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		array := build(program)
		redis := &server{answers: []any{array}}
		got, err := newStore(t, redis.do).Claim(t.Context(), claim)
		switch {
		case err != nil:
			if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", idempotency.Answer{}) {
				t.Errorf("answer = %#v beside the error %v", got, err)
			}
		case got.Status == idempotency.Acquired:
			if b, ok := array[0].([]byte); !(array[0] == int64(1) || array[0] == "1" || ok && string(b) == "1") {
				t.Errorf("%#v reads as acquired", array)
			}
		case got.Status == idempotency.Completed:
			if got.Dropped != (got.Result == nil) || got.TTLLeft < 0 {
				t.Errorf("answer = %#v, want a result unless it is dropped, and a lifetime", got)
			}
		case got.Status == idempotency.InProgress:
			if got.LeaseLeft <= 0 {
				t.Errorf("lease left = %v", got.LeaseLeft)
			}
		case got.Status != idempotency.Abandoned && got.Status != idempotency.Conflict:
			t.Errorf("status = %d", got.Status)
		}
	})
}

// build makes an answer of a program: i and digits is an integer, s and b are
// text up to the next NUL, n is nil, e an error, f a float, [ begins an array
// and ] ends it.
func build(program []byte) []any {
	var stack [][]any
	array := []any{}
	for i := 0; i < len(program); i++ {
		switch program[i] {
		case 'i':
			var n int64
			_, _ = fmt.Sscan(string(program[i+1:]), &n)
			array = append(array, n)
		case 's', 'b':
			end := i + 1
			for end < len(program) && program[end] != 0 {
				end++
			}
			if program[i] == 's' {
				array = append(array, string(program[i+1:end]))
			} else {
				array = append(array, program[i+1:end])
			}
			i = end
		case 'n':
			array = append(array, nil)
		case 'e':
			array = append(array, errServer)
		case 'f':
			array = append(array, 1.0)
		case '[':
			stack = append(stack, array)
			array = []any{}
		case ']':
			if len(stack) > 0 {
				outer := stack[len(stack)-1]
				outer = append(outer, array)
				stack, array = stack[:len(stack)-1], outer
			}
		}
	}
	return array
}

// BenchmarkSteps is what the store adds to a round trip.
func BenchmarkSteps(b *testing.B) {
	result := make([]byte, 500)
	answers := map[string][]any{"acquired": {int64(1), ""}, "replay": {int64(3), "", int64(9000), "15f4d65d", string(result)}}
	for name, answer := range answers {
		b.Run("claim/"+name, func(b *testing.B) {
			s := newStore(b, repeating(answer))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Claim(b.Context(), claim); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("complete", func(b *testing.B) {
		s := newStore(b, repeating(answers["acquired"]))
		b.ReportAllocs()
		for b.Loop() {
			if err := s.Complete(b.Context(), key, "TOKEN", result, time.Hour); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// repeating gives one answer, with the ticket of each question.
func repeating(answer []any) redisstore.Do {
	return func(_ context.Context, args ...any) (any, error) {
		answer[1] = args[4]
		return answer, nil
	}
}
