package health_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portavoz/portavoz/health"
)

// wantProblems checks that err joins exactly these problems, in this order.
func wantProblems(t *testing.T, err error, want ...string) {
	t.Helper()
	if len(want) == 0 {
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
		return
	}
	for i := range want {
		want[i] = "portavoz/health: " + want[i]
	}
	if err == nil {
		t.Fatalf("got no error, want %q", want)
	}
	if got := strings.Split(err.Error(), "\n"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", err, strings.Join(want, "\n"))
	}
	var typed *health.ConfigError
	if !errors.As(err, &typed) {
		t.Errorf("%T is not a *ConfigError", err)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	const badName = " must be 1 to 64 of a-z, 0-9, '.', '_' and '-'"
	tests := map[string]struct {
		checks []health.Check
		want   []string
	}{
		"nothing":    {nil, nil},
		"good names": {[]health.Check{{Name: "db-1.main_x", Probe: healthy}, {Name: strings.Repeat("a", 64), Probe: healthy}}, nil},
		"all at once": {
			[]health.Check{
				{Name: "db", Probe: healthy},
				{},
				{Name: "db", Timeout: -1, CacheFor: -1, Probe: healthy},
			},
			[]string{
				"Checks[1].Name" + badName,
				"Checks[1].Probe is missing",
				`Checks[2].Name "db" is taken`,
				"Checks[2].Timeout must not be negative",
				"Checks[2].CacheFor must not be negative",
			},
		},
		"two empty names":     {[]health.Check{{Probe: healthy}, {Probe: healthy}}, []string{"Checks[0].Name" + badName, "Checks[1].Name" + badName}},
		"colon":               {[]health.Check{{Name: "a:b", Probe: healthy}}, []string{"Checks[0].Name" + badName}},
		"the service level's": {[]health.Check{{Name: "serviceLevel", Probe: healthy}}, []string{"Checks[0].Name" + badName}},
		"line break":          {[]health.Check{{Name: "a\nb", Probe: healthy}}, []string{"Checks[0].Name" + badName}},
		"space inside":        {[]health.Check{{Name: "a b", Probe: healthy}}, []string{"Checks[0].Name" + badName}},
		"too long":            {[]health.Check{{Name: strings.Repeat("a", 65), Probe: healthy}}, []string{"Checks[0].Name" + badName}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, err := health.New(health.Config{Checks: tt.checks})
			wantProblems(t, err, tt.want...)
			if (h == nil) != (err != nil) {
				t.Errorf("New = %v, %v: want exactly one of them", h, err)
			}
		})
	}
}

func TestNewServiceLevelRefuses(t *testing.T) {
	t.Parallel()
	const window = "Window must be between one second and 31 days"
	const availability = "Availability must be between 0 and 1"
	const latency = "Latency must be between zero and one hour"
	tests := map[string]struct {
		cfg  health.ServiceLevelConfig
		want []string
	}{
		"zero":            {health.ServiceLevelConfig{}, nil},
		"the longest":     {health.ServiceLevelConfig{Window: 31 * 24 * time.Hour, Availability: 1, Latency: time.Hour}, nil},
		"negative window": {health.ServiceLevelConfig{Window: -1}, []string{window}},
		"tiny window":     {health.ServiceLevelConfig{Window: time.Second - 1}, []string{window}},
		"huge window":     {health.ServiceLevelConfig{Window: 32 * 24 * time.Hour}, []string{window}},
		"percent":         {health.ServiceLevelConfig{Availability: 99.5}, []string{availability}},
		"not a number":    {health.ServiceLevelConfig{Availability: math.NaN()}, []string{availability}},
		"huge latency":    {health.ServiceLevelConfig{Latency: time.Hour + 1}, []string{latency}},
		"all at once": {
			health.ServiceLevelConfig{Window: -1, Availability: -0.1, Latency: -1, MinCalls: -1},
			[]string{window, availability, latency, "MinCalls must not be negative"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			level, err := health.NewServiceLevel(tt.cfg)
			wantProblems(t, err, tt.want...)
			if (level == nil) != (err != nil) {
				t.Errorf("NewServiceLevel = %v, %v: want exactly one of them", level, err)
			}
		})
	}
}
