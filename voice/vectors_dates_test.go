package voice_test

import (
	"testing"
	"time"

	"github.com/portavoz/portavoz/voice"
)

// sayDateVector answers the vectors of dates, times and durations.
func sayDateVector(tb testing.TB, v vector) (string, error) {
	tb.Helper()
	speaker := v.Options.Country.With(dateOptions(tb, &v.Options)...)
	switch v.Kind {
	case "date":
		return speaker.SayDate(v.text())
	case "time":
		return speaker.SayTime(v.text())
	case "datetime":
		return speaker.SayDateTime(v.text())
	case "duration":
		return speaker.SayDuration(v.text())
	case "relative_date":
		now, err := time.Parse(time.RFC3339, v.Options.Now)
		if err != nil {
			tb.Fatal(err)
		}
		if at, err := time.Parse(time.RFC3339, v.text()); err == nil && !v.Options.WithTime {
			return speaker.RelativeDay(at, now), nil
		}
		return speaker.SayWhen(v.text(), now)
	default:
		return "", errUnknownKind
	}
}

func dateOptions(tb testing.TB, o *vectorOptions) []voice.Option {
	tb.Helper()
	var options []voice.Option
	if o.TZ != "" {
		options = append(options, voice.In(zone(tb, o.TZ)))
	}
	if o.Year {
		options = append(options, voice.WithYear())
	}
	if o.Weekday != nil && !*o.Weekday {
		options = append(options, voice.WithoutWeekday())
	}
	return options
}

// sayDigitVector answers the vectors of digits and phones.
func sayDigitVector(tb testing.TB, v vector) (string, error) {
	tb.Helper()
	var options []voice.Option
	if v.Options.International {
		options = append(options, voice.International())
	}
	speaker := v.Options.Country.With(options...)
	switch {
	case v.Kind == "phone":
		return speaker.Phone(v.text())
	case v.Kind == "digits" && v.Options.Mode == "pairs":
		return speaker.Pairs(v.text())
	case v.Kind == "digits" && v.Options.Group > 0:
		return speaker.Digits(v.text(), v.Options.Group)
	case v.Kind == "digits":
		return speaker.Digits(v.text())
	default:
		return "", errUnknownKind
	}
}
