package middleware_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/middleware"
	"github.com/portavoz/portavoz/middleware/call"
)

// TestRateLimitExtremes: whatever Limits and Cost return, in whatever order, is a
// limit, no limit, or a refusal with a code, and what was spent stays spent.
func TestRateLimitExtremes(t *testing.T) {
	t.Parallel()
	const forever = time.Duration(math.MaxInt64)
	limits := map[string]struct {
		limit call.Limit
		code  map[int]string // by cost; "" passes
	}{
		"none":               {call.Limit{}, map[int]string{math.MinInt: "", 0: "", 1: "", math.MaxInt: ""}},
		"negative time":      {call.Limit{Every: -time.Second, Burst: -1}, map[int]string{1: "", math.MaxInt: ""}},
		"negative burst":     {call.Limit{Every: time.Second, Burst: -5}, map[int]string{-1: "", 1: "no_quota", math.MaxInt: "no_quota"}},
		"no burst":           {call.Limit{Every: time.Second}, map[int]string{0: "", 1: "no_quota"}},
		"no burst, for ever": {call.Limit{Every: forever}, map[int]string{1: "no_quota"}},
		"for ever":           {call.Limit{Every: forever, Burst: math.MaxInt}, map[int]string{0: "", 1: "rate_limited", math.MaxInt: "rate_limited"}},
		"all at once":        {call.Limit{Every: 1, Burst: math.MaxInt}, map[int]string{-1: "", 1: "rate_limited", math.MaxInt: "rate_limited"}},
		"spent":              {call.Limit{Every: time.Hour, Burst: 1}, map[int]string{math.MinInt: "", 1: "rate_limited", 2: "no_quota", math.MaxInt: "no_quota"}},
	}
	for _, share := range []float64{0.05, 1} {
		synctest.Test(t, func(t *testing.T) {
			limit, cost := call.Limit{Every: time.Hour, Burst: 1}, 1
			h := middleware.RateLimit(call.Limit{}, middleware.RateLimitConfig{
				ConversationShare: share,
				Limits: func(_, tool string) call.Limit {
					if tool != "" {
						return call.Limit{}
					}
					return limit
				},
				Cost: func(context.Context, mcp.CallToolRequest) int { return cost },
			})(ok)
			// Twice over, so that every limit has come after every other one.
			for range 2 {
				for name, tt := range limits {
					for cost = range tt.code {
						limit = call.Limit{Every: time.Hour, Burst: 1}
						pay := cost
						cost = 1
						_, _ = h(t.Context(), looping("prueba", "cnv", `{}`)) // spends it
						cost, limit = pay, tt.limit
						_, err := h(t.Context(), looping("prueba", "cnv", `{}`))
						code := ""
						if err != nil {
							code = errors.From(err).Code
						}
						if code != tt.code[cost] {
							t.Errorf("share %v, %s, cost %d: code %q, want %q", share, name, cost, code, tt.code[cost])
						}
					}
				}
			}
		})
	}
}
