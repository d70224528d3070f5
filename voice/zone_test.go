package voice_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // the tests do not depend on the machine's zones

	"github.com/portavoz/portavoz/voice"
)

// zone returns a zone by name.
func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	var zones voice.Zones
	z, err := zones.Zone(name)
	if err != nil {
		tb.Fatal(err)
	}
	return z
}

// mexicoCity is America/Mexico_City of tzdata 2022f or later, whatever the
// machine has: daylight saving ended for good on 30 October 2022.
func mexicoCity(tb testing.TB) *time.Location {
	tb.Helper()
	data, err := os.ReadFile("testdata/zoneinfo/Mexico_City")
	if err != nil {
		tb.Fatal(err)
	}
	z, err := time.LoadLocationFromTZData("America/Mexico_City", data)
	if err != nil {
		tb.Fatal(err)
	}
	return z
}

func TestMexicoWithoutDaylightSaving(t *testing.T) {
	t.Parallel()
	speaker := voice.MX.With(voice.In(mexicoCity(t)), voice.WithoutWeekday())
	for _, test := range []struct{ iso, want string }{
		{"2022-07-01T18:00:00Z", "primero de julio a la una de la tarde"},    // the last summer time
		{"2023-07-01T18:00:00Z", "primero de julio a las doce del mediodía"}, // and none since
		{"2026-07-01T06:30:00Z", "primero de julio a las doce y media de la madrugada"},
		{"2026-01-01T18:00:00Z", "primero de enero a las doce del mediodía"},
		{"2026-04-05T02:30:00", "cinco de abril a las dos y media de la madrugada"}, // skipped in the old rules
	} {
		if got, err := speaker.SayDateTime(test.iso); got != test.want || err != nil {
			t.Errorf("SayDateTime(%s) = %q, %v, want %q", test.iso, got, err, test.want)
		}
	}
}

// countingSource is a Source that knows every name with "/" and counts its use.
type countingSource struct {
	mu    sync.Mutex
	calls map[string]int
}

func (c *countingSource) load(name string) (*time.Location, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == nil {
		c.calls = make(map[string]int)
	}
	c.calls[name]++
	if !strings.Contains(name, "/") {
		return nil, errors.New("disk on fire")
	}
	return time.FixedZone(name, 0), nil
}

func TestZonesLoadOnce(t *testing.T) {
	t.Parallel()
	var source countingSource
	zones := voice.Zones{Source: source.load}
	first, err := zones.Zone("America/Bogota")
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if again, err := zones.Zone("America/Bogota"); again != first || err != nil {
			t.Fatalf("Zone = %p, %v, want %p again", again, err, first)
		}
	}
	if got := source.calls["America/Bogota"]; got != 1 {
		t.Errorf("loaded %d times, want once", got)
	}
}

func TestZonesAreBounded(t *testing.T) {
	t.Parallel()
	var source countingSource
	zones := voice.Zones{Source: source.load}
	const names = 5000
	for round := range 2 {
		for i := range names {
			if _, err := zones.Zone(fmt.Sprintf("Area/Place%d", i)); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
	}
	if got := source.calls["Area/Place0"]; got != 2 {
		t.Errorf("the first of %d names was loaded %d times in two rounds, want 2: something must be forgotten", names, got)
	}
}

func TestZonesForgetFailures(t *testing.T) {
	t.Parallel()
	var source countingSource
	zones := voice.Zones{Source: source.load}
	for range 2 {
		_, err := zones.Zone("Nowhere")
		if !errors.Is(err, voice.ErrRange) || !strings.Contains(err.Error(), "disk on fire") {
			t.Errorf("Zone(Nowhere): %v, want ErrRange with its cause", err)
		}
	}
	if got := source.calls["Nowhere"]; got != 2 {
		t.Errorf("tried %d times, want 2: the failure may have passed", got)
	}
}

func TestZonesRefuseWhatIsNoName(t *testing.T) {
	t.Parallel()
	var source countingSource
	zones := voice.Zones{Source: source.load}
	for _, name := range []string{
		"", "Local", "localtime", "../../etc/passwd", "America/../../etc/passwd", "/etc/localtime", "America//Bogota", "America/",
		"America/Bogota\x00", "America\\Bogota", "America/Bogotá", "C:/zone", "right/America/Bogota", "posix/America/Bogota", "posixrules",
		"Factory", "LOCALTIME", "zone.tab", "+05", "America/.hidden", " America/Bogota", "América/Bogota", strings.Repeat("a", 65), "a/" + strings.Repeat("b/", 500),
	} {
		if z, err := zones.Zone(name); !errors.Is(err, voice.ErrSyntax) {
			t.Errorf("Zone(%.80q) = %v, %v, want ErrSyntax", name, z, err)
		}
	}
	if len(source.calls) != 0 {
		t.Errorf("the source was asked for %v, want nothing", source.calls)
	}
}

func TestZonesKnowTheDatabase(t *testing.T) {
	t.Parallel()
	var zones voice.Zones
	for _, name := range []string{
		"UTC", "GMT", "EST", "Cuba", "EST5EDT", "America/Bogota", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Etc/GMT+5", "Europe/Madrid",
	} {
		if z, err := zones.Zone(name); err != nil || z.String() != name {
			t.Errorf("Zone(%q) = %v, %v", name, z, err)
		}
	}
	if _, err := zones.Zone("America/Macondo"); !errors.Is(err, voice.ErrRange) {
		t.Errorf("Zone(America/Macondo): %v, want ErrRange", err)
	}
}

func TestZonesConcurrently(t *testing.T) {
	t.Parallel()
	var source countingSource
	zones := voice.Zones{Source: source.load}
	var group sync.WaitGroup
	got := make([]*time.Location, 16)
	for i := range got {
		group.Go(func() {
			for n := range 50 {
				z, err := zones.Zone(fmt.Sprintf("Area/Place%d", n))
				if err != nil {
					t.Error(err)
				}
				if n == 0 {
					got[i] = z
				}
			}
		})
	}
	group.Wait()
	for i, z := range got {
		if z != got[0] {
			t.Errorf("goroutine %d got another pointer than the first", i)
		}
	}
}
