package call_test

import (
	"math"
	"testing"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

func TestRate(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		got, want call.Limit
		refill    time.Duration
	}{
		"20 a second":            {call.Rate(20, time.Second, 40), call.Limit{Every: 50 * time.Millisecond, Burst: 40}, 2 * time.Second},
		"1 an hour":              {call.Rate(1, time.Hour, 60), call.Limit{Every: time.Hour, Burst: 60}, 60 * time.Hour},
		"never faster":           {call.Rate(3, time.Second, 1), call.Limit{Every: 333333334, Burst: 1}, 333333334},
		"as fast as there is":    {call.Rate(math.MaxInt, time.Nanosecond, 1), call.Limit{Every: 1, Burst: 1}, 1},
		"more than a life":       {call.Rate(1, math.MaxInt64, 2), call.Limit{Every: math.MaxInt64, Burst: 2}, math.MaxInt64},
		"a part":                 {call.Rate(20, time.Second, 40).Part(0.25), call.Limit{Every: 200 * time.Millisecond, Burst: 10}, 2 * time.Second},
		"a part is at least 1":   {call.Rate(1, time.Second, 1).Part(0.01), call.Limit{Every: 100 * time.Second, Burst: 1}, 100 * time.Second},
		"a part is rounded up":   {call.Rate(1, time.Second, 5).Part(0.5), call.Limit{Every: 2 * time.Second, Burst: 3}, 6 * time.Second},
		"but not by noise":       {call.Rate(1, time.Second, 70).Part(0.1), call.Limit{Every: 10 * time.Second, Burst: 7}, 70 * time.Second},
		"all of it":              {call.Rate(20, time.Second, 40).Part(1), call.Rate(20, time.Second, 40), 2 * time.Second},
		"more than all":          {call.Rate(20, time.Second, 40).Part(3), call.Rate(20, time.Second, 40), 2 * time.Second},
		"a part of no limit":     {call.Limit{}.Part(0.5), call.Limit{}, 0},
		"a part of nothing":      {call.Limit{Every: time.Second}.Part(0.5), call.Limit{Every: 2 * time.Second}, 0},
		"a part beyond counting": {call.Rate(1, math.MaxInt64, 9).Part(0.5), call.Limit{Every: math.MaxInt64, Burst: 1}, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.got != tc.want {
				t.Errorf("got %+v, want %+v", tc.got, tc.want)
			}
			if got := tc.got.Refill(); got != tc.refill {
				t.Errorf("Refill() = %v, want %v", got, tc.refill)
			}
		})
	}
	if !(call.Limit{}).Unlimited() || (call.Limit{Every: 1}).Unlimited() {
		t.Error("the zero Limit, and only one without Every, is no limit")
	}
}

func TestLimitPanics(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(){
		"no units":         func() { call.Rate(0, time.Second, 1) },
		"no period":        func() { call.Rate(1, 0, 1) },
		"no burst":         func() { call.Rate(1, time.Second, 0) },
		"a part of 0":      func() { call.Rate(1, time.Second, 1).Part(0) },
		"a part of no sum": func() { call.Rate(1, time.Second, 1).Part(math.NaN()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			f()
		})
	}
}

func TestVerdictAllowed(t *testing.T) {
	t.Parallel()
	if !(call.Verdict{}).Allowed() || (call.Verdict{Wait: 1}).Allowed() || (call.Verdict{Wait: call.Never}).Allowed() {
		t.Error("a charge is paid if there is nothing to wait for, and only then")
	}
}
