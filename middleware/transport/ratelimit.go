package transport

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/portavoz/portavoz/middleware/call"
)

// RateLimitConfig tunes [RateLimit]. Every function in it is called for every
// request, is safe for concurrent use and quick.
type RateLimitConfig struct {
	// Key says who pays for a request. Default: the caller's name and tenant, see
	// [call.CallerFrom]; where there is no caller, the address of the connection,
	// of IPv6 the /64. What a client can choose freely, such as X-Forwarded-For,
	// limits nobody.
	Key func(*http.Request) string
	// Limits takes the place of the limit: it returns that of a key. What it
	// returns may change at any time, and holds from then on. Default: the limit.
	Limits func(key string) call.Limit
	// Exempt are the paths that may be read (GET, HEAD) without being counted.
	// Default, nil: those of package health, /livez, /startupz, /readyz and
	// /salud. With an MCP handler at "/", make it empty.
	Exempt []string
	// Off switches the limit off while it returns true. Default: never.
	Off func() bool
}

// The buckets of this package, so that a limiter may serve the tool middlewares
// as well.
const (
	bucketRequests = "transport"
	bucketStray    = "transport: stray calls"
)

// RateLimit bounds the requests of a caller: lists, discovery, streams, pings,
// and whatever other route lies behind it. Beyond the limit the answer is 429
// with Retry-After, and with the same in error.data.retry_after_seconds. If the
// limiter fails it is 503.
//
// Calls of tools pass: middleware.RateLimit counts them, and refuses inside of
// the result. A tools/call is known by what [Headers] read in the body, never by
// a header of the client's; without Headers in front every request is counted.
// A call that no tool middleware saw, such as one of an unknown tool, is counted
// here after it was answered, in a budget of its own with the same limit; while
// that one is empty, the key's calls of tools are refused too.
//
// It belongs inside of [Authenticate], to know the caller. Another one in front of
// that, by address, slows down those who guess credentials.
//
// The limiter is one of middleware.NewLimiter, or of package redislimit. That
// of the tool middlewares will do; it is asked once for every request.
//
// RateLimit panics if limiter is nil or the limit has no burst.
func RateLimit(limiter call.Limiter, limit call.Limit, cfg RateLimitConfig) func(http.Handler) http.Handler {
	if limiter == nil {
		panic("portavoz/transport: RateLimit needs a limiter")
	}
	if !limit.Unlimited() && limit.Burst <= 0 {
		panic("portavoz/transport: the limit of RateLimit has no burst")
	}
	if cfg.Key == nil {
		cfg.Key = payer
	}
	if cfg.Limits == nil {
		cfg.Limits = func(string) call.Limit { return limit }
	}
	if cfg.Exempt == nil {
		cfg.Exempt = []string{"/livez", "/startupz", "/readyz", "/salud"}
	}
	cfg.Exempt = slices.Clone(cfg.Exempt)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if cfg.passes(r) {
				next.ServeHTTP(w, r)
				return
			}
			exchange, key := call.ExchangeFrom(r.Context()), cfg.Key(r)
			message := exchange.Request()
			take := func(ctx context.Context, bucket string, cost int) (call.Verdict, error) {
				c := call.Charge{Key: key}
				c.Buckets[call.OfKey] = call.Bucket{Name: bucket, Limit: cfg.Limits(key), Cost: cost}
				return limiter.Take(ctx, c)
			}
			bucket, cost := bucketRequests, 1
			if message.Method == methodTool {
				bucket, cost = bucketStray, 0 // asks, and takes nothing
			}
			verdict, err := take(r.Context(), bucket, cost)
			switch {
			case err != nil:
				uncounted().send(w, r, message.ID)
				return
			case !verdict.Allowed():
				tooMany(verdict.Wait).send(w, r, message.ID)
				return
			}
			next.ServeHTTP(w, r)
			if _, reached := exchange.Outcome(); message.Method == methodTool && !reached {
				_, _ = take(context.WithoutCancel(r.Context()), bucketStray, 1) // it has been answered
			}
		})
	}
}

func (cfg *RateLimitConfig) passes(r *http.Request) bool {
	if cfg.Off != nil && cfg.Off() {
		return true
	}
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && slices.Contains(cfg.Exempt, r.URL.Path)
}

// payer is the key by default. No name begins with a zero byte, or holds one.
func payer(r *http.Request) string {
	switch who, known := call.CallerFrom(r.Context()); {
	case !known:
		return "\x00" + network(r.RemoteAddr)
	case who.Tenant == "":
		return who.Name
	default:
		return who.Name + "\x00" + who.Tenant
	}
}

// network is the address of a peer, or what one household or host has of IPv6
// (RFC 6177). A peer without an address, as on a Unix socket, is "".
func network(remote string) string {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return ""
	}
	addr := peer.Addr().Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	prefix, _ := addr.Prefix(64) // 64 fits an address of IPv6
	return prefix.String()
}

func tooMany(wait time.Duration) refusal {
	f := refusal{
		status:  http.StatusTooManyRequests,
		code:    codeInvalidRequest,
		reason:  "rate_limited",
		message: "Too many requests.",
	}
	if wait < call.Never {
		f.retryAfter = wait
	}
	return f
}

func uncounted() refusal {
	return refusal{
		status:     http.StatusServiceUnavailable,
		code:       codeInternalError,
		reason:     "limiter_unavailable",
		message:    "Requests cannot be counted now.",
		retryAfter: time.Second,
	}
}
