package storetest_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/idempotency"
	"github.com/portavoz/portavoz/idempotency/storetest"
)

func TestRunInBubble(t *testing.T) {
	t.Parallel()
	storetest.Run(t, toyMaker(""), storetest.InBubble())
}

func TestRunInRealTime(t *testing.T) {
	t.Parallel()
	storetest.Run(t, toyMaker(""), storetest.Unit(20*time.Millisecond))
}

func TestRunWithoutResults(t *testing.T) {
	t.Parallel()
	storetest.Run(t, toyMaker("drops every result"), storetest.InBubble(), storetest.MayDropResults())
}

func FuzzToy(f *testing.F) { storetest.Fuzz(f, toyMaker(""), storetest.InBubble()) }

func toyMaker(flaw string) func(t *testing.T) idempotency.Store {
	return func(*testing.T) idempotency.Store { return newToy(flaw) }
}

// flaws are what stores get wrong, and a rule that must find it.
var flaws = map[string]string{
	"gets, then sets":                           "of many claims at once one is acquired",
	"gets, then takes over":                     "of many takeovers at once one is acquired",
	"does not know its own claim":               "a claim that is sent again is acquired again",
	"does not renew its own claim":              "a claim that is sent again counts from the second time",
	"wrong ttl left":                            "a completed operation says how long it still lives, or nothing",
	"no lease left":                             "another token finds an operation in progress, and how long its lease runs",
	"takes over what runs":                      "a takeover leaves a running operation alone",
	"takes over what is completed":              "a claim of a completed operation is never acquired",
	"takeover keeps the old lease":              "a takeover acquires an operation whose lease has ended",
	"takeover keeps the old ttl":                "a takeover counts the ttl anew",
	"acquires again what its owner abandoned":   "what is abandoned is so at once, and stays so",
	"no conflict when owned":                    "other arguments are a conflict while it is in progress",
	"no conflict when completed":                "other arguments are a conflict once it is completed",
	"no conflict when abandoned":                "other arguments are a conflict once it is abandoned",
	"no conflict for a takeover":                "other arguments are a conflict once its lease has ended",
	"release only abandons":                     "other arguments are welcome once it is released",
	"lease frees":                               "an operation whose lease has ended is abandoned, and not free",
	"lease ends ownership":                      "an owner whose lease has ended may still complete",
	"extends nothing":                           "a lease that is extended runs from then on",
	"never shortens a lease":                    "a lease may be extended to end sooner",
	"expires under its lease":                   "a record lives at least as long as its lease is extended",
	"lives as long as its lease":                "extending the lease does not shorten the life of a record",
	"Complete by anybody":                       "after a takeover the stale owner changes nothing that is in progress",
	"Release by anybody":                        "a token that owns nothing changes nothing that is in progress",
	"Abandon by anybody":                        "after a takeover the stale owner's claim finds it in progress",
	"Extend by anybody":                         "a token that owns nothing changes nothing whose lease has ended",
	"refuses a second completion":               "completing twice is no error, and changes nothing",
	"overwrites the result":                     "completing twice does not bring a result that was dropped",
	"prolongs the ttl":                          "completing twice does not prolong the ttl",
	"Release after Complete":                    "who has completed cannot take it back",
	"Abandon after Complete":                    "who has completed cannot take it back",
	"Extend after Complete":                     "who has completed cannot take it back",
	"refuses a second abandonment":              "abandoning twice is no error",
	"abandons when the lease ends":              "what is abandoned is so at once, and stays so",
	"Complete after Abandon":                    "who has abandoned owns it no more",
	"Release after Abandon":                     "who has abandoned owns it no more",
	"Extend after Abandon":                      "an owner whose lease has ended may still abandon",
	"never expires":                             "a completed operation is free when its ttl is over",
	"keeps the ttl of the claim":                "the ttl of a completed operation counts from its completion",
	"expires with its lease":                    "an operation whose lease has ended is free when the ttl of its claim is over, not before",
	"keeps nil as empty":                        "a nil result completes, and is found dropped",
	"keeps empty as nil":                        "a result is kept byte for byte",
	"keeps text":                                "a result is kept byte for byte",
	"ends at NUL":                               "a result is kept byte for byte",
	"drops large results":                       "a large result is kept byte for byte",
	"cuts oversized results":                    "an oversized result completes, held or dropped",
	"shares what it is given":                   "the store keeps a copy of the result",
	"shares what it returns":                    "every claim gets a copy of the result",
	"cut key":                                   "keys that differ in one byte are different operations",
	"cut fingerprint":                           "fingerprints that differ in one byte are a conflict",
	"token ignores case":                        "a token is compared byte for byte",
	"token is trimmed":                          "a token is compared byte for byte",
	"token is cut":                              "a token is compared byte for byte",
	"ignores the context of Claim":              "a claim under a context that has ended fails, and may be sent again",
	"claims under an ended context, for nobody": "a claim under a context that has ended fails, and may be sent again",
	"ignores the context of Complete":           "a completion under a context that has ended fails, and may be sent again",
	"ignores the context of Abandon":            "an abandonment under a context that has ended fails, and may be sent again",
	"ignores the context of Extend":             "an extension under a context that has ended fails, and may be sent again",
	"ignores the context of Release":            "a release under a context that has ended fails, and may be sent again",
	"says not owner under an ended context":     "a completion under a context that has ended fails, and may be sent again",
}

// TestRulesBite holds each rule against the stores whose flaw it is about, in a
// process whose tests are meant to fail.
func TestRulesBite(t *testing.T) {
	t.Parallel()
	const variable = "PORTAVOZ_STORETEST_FLAWS"
	if os.Getenv(variable) != "" {
		for flaw, rule := range flaws {
			t.Run(flaw, func(t *testing.T) {
				t.Parallel()
				storetest.RunRule(t, rule, toyMaker(flaw), storetest.InBubble())
			})
		}
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRulesBite$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, _ := cmd.CombinedOutput() // it fails
	for flaw, rule := range flaws {
		if failure := "--- FAIL: TestRulesBite/" + strings.ReplaceAll(flaw, " ", "_") + " "; !bytes.Contains(out, []byte(failure)) {
			t.Errorf("a store that %q passes the rule %q", flaw, rule)
		}
	}
	if n := bytes.Count(out, []byte("no rule")); n > 0 {
		t.Errorf("%d flaws name no rule:\n%s", n, out)
	}
}
