package health_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/health"
)

func mustLevel(t testing.TB, cfg health.ServiceLevelConfig) *health.ServiceLevel {
	t.Helper()
	level, err := health.NewServiceLevel(cfg)
	if err != nil {
		t.Fatalf("NewServiceLevel: %v", err)
	}
	return level
}

func record(level *health.ServiceLevel, n int, d time.Duration, serverFault bool) {
	for range n {
		level.Record(d, serverFault)
	}
}

func TestServerFault(t *testing.T) {
	t.Parallel()
	for errorType, want := range map[errors.Type]bool{
		"":                    false,
		errors.TypeBlocker:    false,
		errors.TypeNotFound:   false,
		errors.TypeValidation: false,
		errors.TypePermission: false,
		errors.TypeSystem:     true,
		errors.TypeUnknown:    true,
		"no such type":        true,
	} {
		if got := health.ServerFault(errorType); got != want {
			t.Errorf("ServerFault(%q) = %v, want %v", errorType, got, want)
		}
		if got := health.ServerFault(string(errorType)); got != want {
			t.Errorf("ServerFault of the text %q = %v, want %v", errorType, got, want)
		}
	}
}

func TestReportOfNothing(t *testing.T) {
	t.Parallel()
	want := health.Report{Availability: 1, AvailabilityMet: true, LatencyMet: true}
	if got := mustLevel(t, health.ServiceLevelConfig{}).Report(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	const fast, slow = 2 * time.Second, 2*time.Second + 1
	tests := map[string]struct {
		cfg                       health.ServiceLevelConfig
		fast, slow, faults        int
		conclusive, avail, latent bool
	}{
		"too few to judge":            {fast: 0, slow: 100, faults: 99, avail: true, latent: true},
		"just enough, one fault":      {fast: 199, faults: 1, conclusive: true, avail: true, latent: true},
		"just enough, two faults":     {fast: 198, faults: 2, conclusive: true, avail: false, latent: true},
		"95 of 100 within the target": {fast: 950, slow: 50, conclusive: true, avail: true, latent: true},
		"one more above it":           {fast: 949, slow: 51, conclusive: true, avail: true, latent: false},
		"faults are fast calls too":   {fast: 0, faults: 1000, conclusive: true, avail: false, latent: true},
		"another availability": {
			cfg:  health.ServiceLevelConfig{Availability: 0.9, MinCalls: 10},
			fast: 9, faults: 1, conclusive: true, avail: true, latent: true,
		},
		"another latency": {
			cfg:  health.ServiceLevelConfig{Latency: 2*time.Second - 1, MinCalls: 1},
			fast: 1, conclusive: true, avail: true, latent: false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			level := mustLevel(t, tt.cfg)
			record(level, tt.fast, fast, false)
			record(level, tt.slow, slow, false)
			record(level, tt.faults, fast, true)
			got := level.Report()
			if want := uint64(tt.fast + tt.slow + tt.faults); got.Calls != want {
				t.Errorf("Calls = %d, want %d", got.Calls, want)
			}
			if want := uint64(tt.faults); got.ServerFaults != want {
				t.Errorf("ServerFaults = %d, want %d", got.ServerFaults, want)
			}
			if got.Conclusive != tt.conclusive || got.AvailabilityMet != tt.avail || got.LatencyMet != tt.latent {
				t.Errorf("conclusive %v, availability %v, latency %v; want %v, %v, %v", got.Conclusive,
					got.AvailabilityMet, got.LatencyMet, tt.conclusive, tt.avail, tt.latent)
			}
		})
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cfg   health.ServiceLevelConfig
		calls int
		code  int
		body  string
	}{
		"a missed target is a warning":   {health.ServiceLevelConfig{}, 200, 200, `{"status":"warn"}`},
		"a failure, if asked for":        {health.ServiceLevelConfig{FailReadiness: true}, 200, 503, `{"status":"fail"}`},
		"too few calls are no failure":   {health.ServiceLevelConfig{FailReadiness: true}, 199, 200, `{"status":"pass"}`},
		"fewer suffice, if asked for":    {health.ServiceLevelConfig{FailReadiness: true, MinCalls: 1}, 1, 503, `{"status":"fail"}`},
		"no calls at all are no failure": {health.ServiceLevelConfig{FailReadiness: true, MinCalls: 1}, 0, 200, `{"status":"pass"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			level := mustLevel(t, tt.cfg)
			h := started(t, health.Config{ServiceLevel: level})
			record(level, tt.calls, time.Millisecond, true)
			wantAnswer(t, h, "/readyz", tt.code, tt.body)
			wantAnswer(t, h, "/livez", 200, `{"status":"pass"}`)
		})
	}
}

func TestWindowSlides(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		level := mustLevel(t, health.ServiceLevelConfig{})
		wantCalls := func(calls, faults uint64) {
			t.Helper()
			if got := level.Report(); got.Calls != calls || got.ServerFaults != faults {
				t.Errorf("got %d calls and %d faults, want %d and %d", got.Calls, got.ServerFaults, calls, faults)
			}
		}
		record(level, 5, time.Second, true) // in minute 0
		time.Sleep(time.Minute)
		record(level, 7, time.Second, false) // in minute 1
		wantCalls(12, 5)
		time.Sleep(59*time.Minute - 1) // the last moment of minute 59
		wantCalls(12, 5)
		time.Sleep(time.Nanosecond) // minute 60 is under way, minute 0 is out
		wantCalls(7, 0)
		record(level, 1, time.Second, true) // reuses the slot of minute 0
		wantCalls(8, 1)
		time.Sleep(time.Minute)
		wantCalls(1, 1)
		time.Sleep(1000 * time.Hour)
		wantCalls(0, 0)
		record(level, 3, time.Second, false)
		wantCalls(3, 0)
	})
}

func TestInjectedClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 3, 9, 0, 0, 0, time.UTC)
	level := mustLevel(t, health.ServiceLevelConfig{Window: time.Minute, Now: func() time.Time { return now }})
	wantCalls := func(want uint64) {
		t.Helper()
		if got := level.Report().Calls; got != want {
			t.Errorf("at %v: calls = %d, want %d", now, got, want)
		}
	}
	level.Record(time.Second, false)
	now = now.Add(30 * time.Second)
	level.Record(time.Second, false)
	now = now.Add(-time.Hour) // set back behind the construction
	level.Record(time.Second, false)
	wantCalls(3)
	now = now.Add(time.Hour + 29*time.Second)
	wantCalls(3)
	now = now.Add(time.Second)
	wantCalls(1)
}

func TestRecordConcurrently(t *testing.T) {
	t.Parallel()
	level := mustLevel(t, health.ServiceLevelConfig{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 2000 {
				level.Record(time.Duration(i)*time.Millisecond, i%10 == 0)
				if i%100 == 0 {
					if r := level.Report(); r.ServerFaults > r.Calls || r.Availability < 0 || r.Availability > 1 {
						t.Errorf("a report that cannot be: %+v", r)
					}
				}
			}
		})
	}
	wg.Wait()
	if got := level.Report(); got.Calls != 16_000 || got.ServerFaults != 1600 {
		t.Errorf("got %d calls and %d faults, want 16000 and 1600", got.Calls, got.ServerFaults)
	}
}

func TestSlotIsReusedConcurrently(t *testing.T) {
	t.Parallel()
	var minute atomic.Int64
	start := time.Date(2026, 9, 3, 9, 0, 0, 0, time.UTC)
	level := mustLevel(t, health.ServiceLevelConfig{Now: func() time.Time {
		return start.Add(time.Duration(minute.Load()) * time.Minute)
	}})
	for round := range uint64(50) {
		var wg sync.WaitGroup
		for range 8 { // all find the slot of an hour ago at once
			wg.Go(func() { record(level, 10, time.Second, true) })
		}
		wg.Wait()
		if got := level.Report(); got.Calls != 80 || got.ServerFaults != 80 {
			t.Fatalf("round %d: %d calls and %d faults, want 80 and 80", round, got.Calls, got.ServerFaults)
		}
		minute.Add(60)
	}
}

//nolint:paralleltest // AllocsPerRun counts for the whole process
func TestRecordAllocatesNothing(t *testing.T) {
	level := mustLevel(t, health.ServiceLevelConfig{})
	if got := testing.AllocsPerRun(1000, func() { level.Record(time.Second, true) }); got != 0 {
		t.Errorf("allocations = %v, want 0", got)
	}
}

func TestPercentiles(t *testing.T) {
	t.Parallel()
	level := mustLevel(t, health.ServiceLevelConfig{})
	for i := range 1000 { // 1 ms to 1 s: the true percentile is rank / 1000
		level.Record(time.Duration(i+1)*time.Millisecond, false)
	}
	r := level.Report()
	for name, p := range map[string]struct{ got, exact time.Duration }{
		"p50": {r.P50, 500 * time.Millisecond},
		"p95": {r.P95, 950 * time.Millisecond},
		"p99": {r.P99, 990 * time.Millisecond},
	} {
		checkBound(t, name, p.got, p.exact, 2*time.Second)
	}
}

// checkBound checks what Report promises of its percentiles.
func checkBound(t *testing.T, name string, got, exact, target time.Duration) {
	t.Helper()
	t.Helper()
	if exact > 32*target {
		if got != 32*target {
			t.Errorf("%s = %v for %v, want the end of the range, %v", name, got, exact, 32*target)
		}
		return
	}
	excess := got - exact
	if excess < 0 || (excess*32 > exact && excess*65536 > target) {
		t.Errorf("%s = %v for %v with target %v: %v too great", name, got, exact, target, excess)
	}
	if (got <= target) != (exact <= target) {
		t.Errorf("%s = %v for %v: on the other side of the target %v", name, got, exact, target)
	}
}

func FuzzPercentile(f *testing.F) {
	for _, d := range []time.Duration{-1, 0, 1, time.Microsecond, time.Millisecond, time.Second, 2 * time.Second,
		2*time.Second + 1, 30 * time.Second, 64 * time.Second, 64*time.Second + 1, 1<<63 - 1} {
		f.Add(int64(d), int64(2*time.Second))
		f.Add(int64(d), int64(time.Hour))
		f.Add(int64(d), int64(1))
	}
	f.Fuzz(func(t *testing.T, d, target int64) {
		level, err := health.NewServiceLevel(health.ServiceLevelConfig{Latency: time.Duration(target), MinCalls: 1})
		if err != nil || target == 0 {
			t.Skip("a target outside the range, or the default")
		}
		level.Record(time.Duration(d), false)
		checkBound(t, "p50", level.Report().P50, max(time.Duration(d), 0), time.Duration(target))
	})
}
