package voice_test

import (
	"errors"
	"testing"
	"time"

	"github.com/portavoz/portavoz/voice"
)

func TestInAZone(t *testing.T) {
	t.Parallel()
	madrid := voice.ES.With(voice.In(zone(t, "Europe/Madrid")), voice.WithoutWeekday())
	for _, test := range []struct {
		name, iso, want string
		err             error
	}{
		{"the offset counts", "2026-07-15T07:00:00Z", "quince de julio a las nueve de la mañana", nil},
		{"winter", "2026-01-15T08:00:00Z", "quince de enero a las nueve de la mañana", nil},
		{"wall time without offset", "2026-07-15T07:00:00", "quince de julio a las siete de la mañana", nil},
		{"the day changes", "2026-07-15T22:30:00Z", "dieciséis de julio a las doce y media de la madrugada", nil},
		{"an hour that is skipped", "2026-03-29T02:30:00", "", voice.ErrRange},
		{"an hour that comes twice", "2026-10-25T02:30:00", "veinticinco de octubre a las dos y media de la madrugada", nil},
		{"before the skip", "2026-03-29T01:59", "veintinueve de marzo a la una y cincuenta y nueve de la madrugada", nil},
		{"leap second", "2016-12-31T23:59:60Z", "uno de enero a las doce y cincuenta y nueve de la madrugada", nil},
		{"leap second as wall time", "2017-01-01T00:59:60", "uno de enero a las doce y cincuenta y nueve de la madrugada", nil},
		{"second 60 at another time", "2016-12-31T23:59:60", "", voice.ErrRange},
	} {
		got, err := madrid.SayDateTime(test.iso)
		if got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s: SayDateTime(%s) = %q, %v, want %q, %v", test.name, test.iso, got, err, test.want, test.err)
		}
	}
}

func TestDateTimeRange(t *testing.T) {
	t.Parallel()
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 9, day, hour, minute, 0, 0, time.UTC) }
	for _, test := range []struct {
		a, b time.Time
		want string
	}{
		{at(3, 14, 0), at(3, 16, 0), "jueves tres de septiembre de dos a cuatro de la tarde"},
		{at(3, 16, 0), at(3, 14, 0), "jueves tres de septiembre de dos a cuatro de la tarde"},
		{at(3, 11, 0), at(3, 13, 30), "jueves tres de septiembre de once de la mañana a una y media de la tarde"},
		{at(3, 22, 0), at(4, 0, 0), "desde el jueves tres de septiembre a las diez de la noche hasta el viernes cuatro de septiembre a las doce de la madrugada"},
		{at(3, 0, 30), at(3, 9, 0), "jueves tres de septiembre de doce y media de la madrugada a nueve de la mañana"},
		{at(3, 0, 0), at(3, 0, 30), "jueves tres de septiembre de doce a doce y media de la madrugada"},
	} {
		if got := voice.CO.DateTimeRange(test.a, test.b); got != test.want {
			t.Errorf("DateTimeRange(%v, %v)\n got %q\nwant %q", test.a, test.b, got, test.want)
		}
	}
}

func TestRangesOrderTheirEnds(t *testing.T) {
	t.Parallel()
	third, fifth := time.Date(2026, 9, 3, 9, 0, 0, 0, time.UTC), time.Date(2026, 9, 5, 8, 0, 0, 0, time.UTC)
	const want = "del tres al cinco de septiembre"
	if got := voice.DateRange(third, fifth); got != want {
		t.Errorf("DateRange = %q, want %q", got, want)
	}
	if got := voice.DateRange(fifth, third); got != want {
		t.Errorf("DateRange backwards = %q, want %q", got, want)
	}
}

func TestWhenCountsCalendarDays(t *testing.T) {
	t.Parallel()
	bogota := zone(t, "America/Bogota")
	now := time.Date(2026, 9, 3, 23, 50, 0, 0, bogota)
	for _, test := range []struct {
		name string
		t    time.Time
		want string
	}{
		{"ten minutes later", now.Add(10 * time.Minute), "mañana a las doce de la madrugada"},
		{"given in UTC", now.Add(10 * time.Minute).UTC(), "mañana a las doce de la madrugada"},
		{"a day less a minute ago", now.Add(-24*time.Hour + time.Minute), "ayer a las once y cincuenta y uno de la noche"},
		{"far away", now.AddDate(400, 0, 0), "el jueves tres de septiembre de dos mil cuatrocientos veintiséis a las once y cincuenta de la noche"},
	} {
		if got := voice.CO.When(test.t, now); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	utc := voice.CO.With(voice.In(time.UTC))
	if got, want := utc.RelativeDay(now, now.Add(-20*time.Hour)), "mañana"; got != want {
		t.Errorf("in UTC: got %q, want %q", got, want)
	}
}

func TestExtremeTimesAreSaid(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{{}, time.Unix(1<<62, 0), time.Unix(-1<<62, 0), time.Unix(1<<63-1, 999999999)} {
		for _, got := range []string{
			voice.Date(at), voice.Time(at), voice.DateTime(at), voice.When(at, time.Time{}), voice.DateRange(at, time.Time{}),
			voice.DateTimeRange(at, time.Time{}), voice.With(voice.WithYear()).Date(at),
		} {
			if problem := problemOf(got); problem != "" {
				t.Errorf("%v: %q: %s", at, got, problem)
			}
		}
	}
}
