package voice_test

import (
	"errors"
	"testing"
	"time"

	"github.com/portavoz/portavoz/voice"
)

// checkSpoken wants a good text or an error of the documented kinds, never both
// and never neither.
func checkSpoken(t *testing.T, what, input, got string, err error) {
	t.Helper()
	if err != nil {
		var parse *voice.ParseError
		if got != "" || !errors.As(err, &parse) || !errors.Is(err, voice.ErrSyntax) && !errors.Is(err, voice.ErrRange) && !errors.Is(err, voice.ErrUnknown) {
			t.Errorf("%s(%q) = %q, %v: want an empty text with ErrSyntax, ErrRange or ErrUnknown", what, input, got, err)
		}
		return
	}
	if problem := problemOf(got); problem != "" {
		t.Errorf("%s(%q) = %q: %s", what, input, got, problem)
	}
}

func FuzzSayDate(f *testing.F) {
	for _, seed := range []string{"2026-09-03", "2026-02-30", "0000-01-01", "9999-12-31", "2026-9-3", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := voice.PE.SayDate(text)
		checkSpoken(t, "SayDate", text, got, err)
		want, parseErr := time.Parse(time.DateOnly, text)
		if (err == nil) != (parseErr == nil) {
			t.Fatalf("SayDate(%q): %v, but time.Parse: %v", text, err, parseErr)
		}
		if err == nil && got != voice.PE.Date(want) {
			t.Errorf("SayDate(%q) = %q, but Date says %q", text, got, voice.PE.Date(want))
		}
		got, err = voice.PE.SayDateRange(text, "2026-09-05")
		checkSpoken(t, "SayDateRange", text, got, err)
	})
}

func FuzzSayTime(f *testing.F) {
	for _, seed := range []string{"09:00", "9:05:20", "24:00", "3 pm", "12 m.", "12:30 a.\u00a0m.", "25:00", "-1:00", "9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := voice.ES.SayTime(text)
		checkSpoken(t, "SayTime", text, got, err)
		if at, parseErr := time.Parse("15:04", text); parseErr == nil && (err != nil || got != voice.ES.Time(at)) {
			t.Errorf("SayTime(%q) = %q, %v, but Time says %q", text, got, err, voice.ES.Time(at))
		}
		got, err = voice.ES.SayTimeRange("10:00", text)
		checkSpoken(t, "SayTimeRange", text, got, err)
	})
}

func FuzzSayDateTime(f *testing.F) {
	for _, seed := range []string{
		"2026-09-03T09:00:00-05:00", "2026-09-03 09:00", "2016-12-31T23:59:60Z", "2026-03-08T02:30:00", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "ayer",
	} {
		f.Add(seed)
	}
	speaker := voice.CO.With(voice.In(zone(f, "America/New_York")), voice.WithYear())
	now := time.Date(2026, 9, 3, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := speaker.SayDateTime(text)
		checkSpoken(t, "SayDateTime", text, got, err)
		at, parseErr := time.Parse(time.RFC3339, text)
		canonical := parseErr == nil && at.Format(time.RFC3339) == text // it parses more than RFC 3339
		if canonical && (err != nil || got != speaker.DateTime(at)) {
			t.Errorf("SayDateTime(%q) = %q, %v, but DateTime says %q", text, got, err, speaker.DateTime(at))
		}
		got, err = voice.CO.SayDateTime(text)
		checkSpoken(t, "SayDateTime without zone", text, got, err)
		got, err = speaker.SayWhen(text, now)
		checkSpoken(t, "SayWhen", text, got, err)
	})
}

func FuzzSayDuration(f *testing.F) {
	for _, seed := range []string{"PT60S", "P1Y2M10DT2H30M", "P2W", "PT1.5H", "P0,5D", "-PT5M", "PT", "P1S"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := voice.MX.SayDuration(text)
		checkSpoken(t, "SayDuration", text, got, err)
	})
}

func FuzzDuration(f *testing.F) {
	for _, seed := range []int64{0, 1, -1, 1e9, 3600e9, -1 << 63, 1<<63 - 1} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, d int64) {
		got := voice.Duration(time.Duration(d))
		checkSpoken(t, "Duration", time.Duration(d).String(), got, nil)
	})
}

func FuzzTimes(f *testing.F) {
	f.Add(int64(0), int64(1<<40))
	f.Add(int64(-1<<62), int64(1<<62))
	zone := zone(f, "Pacific/Apia")
	f.Fuzz(func(t *testing.T, a, b int64) {
		from, to := time.Unix(a, 0).In(zone), time.Unix(b, 0).UTC()
		for name, got := range map[string]string{
			"Date": voice.Date(from), "Time": voice.Time(from), "DateTime": voice.DateTime(from), "When": voice.When(from, to),
			"DateRange": voice.DateRange(from, to), "TimeRange": voice.TimeRange(from, to), "DateTimeRange": voice.DateTimeRange(from, to),
		} {
			checkSpoken(t, name, from.String()+" "+to.String(), got, nil)
		}
	})
}

func FuzzZone(f *testing.F) {
	for _, seed := range []string{"America/Bogota", "../etc/passwd", "Local", "", "right/UTC"} {
		f.Add(seed)
	}
	var zones voice.Zones
	f.Fuzz(func(t *testing.T, name string) {
		z, err := zones.Zone(name)
		if (z == nil) == (err == nil) {
			t.Errorf("Zone(%q) = %v, %v", name, z, err)
		}
		if z == time.Local {
			t.Errorf("Zone(%q) is the machine's own zone", name)
		}
	})
}
