package voice_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/portavoz/portavoz/voice"
)

// problemOf says what is wrong with a text that is to be heard, or nothing.
func problemOf(text string) string {
	switch {
	case text == "":
		return "empty"
	case !utf8.ValidString(text):
		return "not UTF-8"
	case strings.ContainsAny(text, "0123456789"):
		return "has digits"
	case text != strings.Join(strings.Fields(text), " "):
		return "has stray spaces"
	case strings.ContainsAny(text, "\u00ad\u0300\u0301\u0303\u0308"):
		return "has soft hyphens or combining marks"
	default:
		return ""
	}
}

func TestEveryDaySounds(t *testing.T) {
	t.Parallel()
	speaker := voice.CO.With(voice.WithYear())
	said := make(map[string]bool)
	for day := time.Date(1999, 12, 1, 12, 0, 0, 0, time.UTC); day.Year() < 2005; day = day.AddDate(0, 0, 1) {
		got := speaker.Date(day)
		if problem := problemOf(got); problem != "" {
			t.Errorf("%s: %q: %s", day.Format(time.DateOnly), got, problem)
		}
		if said[got] {
			t.Errorf("%s is said like another day: %q", day.Format(time.DateOnly), got)
		}
		said[got] = true
		if again, err := speaker.SayDate(day.Format(time.DateOnly)); again != got || err != nil {
			t.Errorf("SayDate(%s) = %q, %v, but Date says %q", day.Format(time.DateOnly), again, err, got)
		}
	}
}

// The vectors with their digits in other orders are said exactly when the
// calendar or the clock has them.
func TestPermutedDateAndDigitVectors(t *testing.T) {
	t.Parallel()
	const limit = 24
	for _, v := range readVectors(t) {
		layout := map[string]string{"date": time.DateOnly, "time": "15:04", "datetime": time.RFC3339}[v.Kind]
		if layout == "" && !slices.Contains([]string{"duration", "phone", "digits"}, v.Kind) {
			continue
		}
		for _, permuted := range permutations(v.text(), limit) {
			exists := true
			if layout != "" {
				_, err := time.Parse(layout, strings.Replace(permuted, " ", "T", 1))
				exists = err == nil && !strings.HasSuffix(permuted, ":60") || permuted == "24:00" // Parse takes an offset of 60 minutes
			}
			p := v
			p.Input = fmt.Appendf(nil, "%q", permuted)
			say := sayDateVector
			if v.Kind == "phone" || v.Kind == "digits" {
				say = sayDigitVector
			}
			got, err := say(t, p)
			if (err == nil) != exists || err == nil && problemOf(got) != "" {
				t.Errorf("%s %s = %q, %v, want it said: %v", v.Kind, permuted, got, err, exists)
			}
		}
	}
}

// No two minutes of a day may sound the same, whatever the style, in countries
// that differ in all that times depend on.
func TestEveryMinuteSoundsDifferent(t *testing.T) {
	t.Parallel()
	for _, c := range []voice.Country{"", voice.CO, voice.AR, voice.ES} {
		for style, speaker := range map[string]*voice.Speaker{
			"by default": c.With(), "to the quarter": c.With(voice.QuarterTo(true)), "exact": c.With(voice.Exact(), voice.QuarterTo(false)),
		} {
			times, moments := make(map[string]string), make(map[string]string)
			for minute := range 24 * 60 {
				at := time.Date(2026, 9, 3, 0, minute, 0, 0, time.UTC)
				clock := at.Format("15:04")
				alone, beside := speaker.Time(at), speaker.DateTime(at)
				if problem := problemOf(beside); problem != "" {
					t.Errorf("%s %s %s: %q: %s", c, style, clock, beside, problem)
				}
				if other := times[alone]; other != "" {
					t.Errorf("%s %s: %s and %s are both %q", c, style, other, clock, alone)
				}
				if other := moments[beside]; other != "" {
					t.Errorf("%s %s: %s and %s are both %q", c, style, other, clock, beside)
				}
				times[alone], moments[beside] = clock, clock
				if got, err := speaker.SayTime(clock); got != alone || err != nil {
					t.Errorf("%s %s: SayTime(%s) = %q, %v, but Time says %q", c, style, clock, got, err, alone)
				}
			}
		}
	}
}

// A range says the part of the day of its beginning unless nothing but that part
// lies before its end.
func TestRangesShareAPartOnlyWithin(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Date(2026, 9, 3, 0, minute, 0, 0, time.UTC) }
	part := func(text string) string {
		return text[max(strings.LastIndex(text, " de la "), strings.LastIndex(text, " del ")):]
	}
	for _, c := range []voice.Country{voice.CO, voice.MX} {
		for from := 0; from < 24*60; from += 30 {
			for to := 0; to < 24*60; to += 30 {
				got := c.TimeRange(at(from), at(to))
				begin, _, _ := strings.Cut(got, " a ")
				shared := !strings.Contains(begin, " de la ") && !strings.Contains(begin, " del ")
				within := true
				for minute := from; minute != to; minute = (minute + 30) % (24 * 60) {
					within = within && part(c.Time(at(minute))) == part(c.Time(at(to)))
				}
				if shared != within {
					t.Errorf("%s %s to %s: %q", c, at(from).Format("15:04"), at(to).Format("15:04"), got)
				}
			}
		}
	}
}

func TestAppendDatesEqualsString(t *testing.T) {
	t.Parallel()
	a, b := time.Date(2026, 9, 3, 9, 30, 0, 0, time.UTC), time.Date(2026, 9, 5, 17, 45, 0, 0, time.UTC)
	const iso = "2026-09-03T09:00:00Z"
	country, speaker := voice.PE, voice.PE.With()
	for name, says := range map[string][]string{
		"Date":          {country.Date(a), string(country.AppendDate(nil, a)), speaker.Date(a), string(speaker.AppendDate(nil, a))},
		"DateRange":     {country.DateRange(a, b), string(country.AppendDateRange(nil, a, b)), speaker.DateRange(a, b)},
		"Time":          {country.Time(a), string(country.AppendTime(nil, a)), speaker.Time(a)},
		"TimeRange":     {country.TimeRange(a, b), string(country.AppendTimeRange(nil, a, b)), speaker.TimeRange(a, b)},
		"DateTime":      {country.DateTime(a), string(country.AppendDateTime(nil, a)), speaker.DateTime(a)},
		"DateTimeRange": {country.DateTimeRange(a, b), string(country.AppendDateTimeRange(nil, a, b)), speaker.DateTimeRange(a, b)},
		"When":          {country.When(a, b), string(country.AppendWhen(nil, a, b)), speaker.When(a, b)},
		"RelativeDay":   {country.RelativeDay(a, b), string(country.AppendRelativeDay(nil, a, b)), speaker.RelativeDay(a, b)},
		"Duration":      {country.Duration(time.Hour), string(country.AppendDuration(nil, time.Hour)), speaker.Duration(time.Hour)},
		"neutral": {
			voice.DateTime(a), string(voice.AppendDateTime(nil, a)), voice.Country("").DateTime(a), voice.Country("XX").DateTime(a),
			(&voice.Speaker{}).DateTime(a),
		},
	} {
		if distinct := slices.Compact(says); len(distinct) != 1 || problemOf(distinct[0]) != "" {
			t.Errorf("%s says %q, want one good answer", name, says)
		}
	}
	for name, try := range map[string]func(dst []byte) ([]byte, error){
		"SayDate":      func(dst []byte) ([]byte, error) { return country.AppendSayDate(dst, iso) },
		"SayDateRange": func(dst []byte) ([]byte, error) { return country.AppendSayDateRange(dst, "2026-09-03", iso) },
		"SayTime":      func(dst []byte) ([]byte, error) { return country.AppendSayTime(dst, iso) },
		"SayTimeRange": func(dst []byte) ([]byte, error) { return country.AppendSayTimeRange(dst, "9:00", iso) },
		"SayDateTime":  func(dst []byte) ([]byte, error) { return country.AppendSayDateTime(dst, iso+"!") },
		"SayWhen":      func(dst []byte) ([]byte, error) { return country.AppendSayWhen(dst, iso+"!", a) },
		"SayDuration":  func(dst []byte) ([]byte, error) { return country.AppendSayDuration(dst, iso) },
	} {
		if got, err := try([]byte("antes")); string(got) != "antes" || err == nil {
			t.Errorf("%s = %q, %v, want the buffer as it was and an error", name, got, err)
		}
	}
}

// TestTextAgreesWithDateTime: a moment has one wording, whoever says it.
func TestTextAgreesWithDateTime(t *testing.T) {
	t.Parallel()
	for _, country := range []voice.Country{"", voice.CO, voice.MX, voice.PE, voice.CL, voice.AR, voice.UY, voice.ES} {
		s := country.With()
		for minute := 0; minute < 24*60; minute += 15 {
			if hour := minute / 60; hour >= 10 && hour <= 12 {
				continue // in a text those may be of either half of the day
			}
			clock := fmt.Sprintf("%02d:%02d", minute/60, minute%60)
			want, err := s.SayDateTime("2026-07-03T" + clock)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Text("viernes 3 de julio a las " + clock); got != want {
				t.Errorf("%q: the text says %q, SayDateTime %q", country, got, want)
			}
			if got := s.Text("2026-07-03T" + clock); "viernes "+strings.Replace(got, " de dos mil veintiséis", "", 1) != want {
				t.Errorf("%q: the text says %q, SayDateTime %q", country, got, want)
			}
		}
	}
}
