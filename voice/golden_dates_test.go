package voice_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/portavoz/portavoz/voice"
)

// sayer is a function that reads a text; lines asks it about each text.
type sayer func(text string) (string, error)

func (say sayer) lines(country voice.Country, what string, texts ...string) []string {
	var lines []string
	for _, text := range texts {
		got, err := say(text)
		lines = append(lines, line(country, what+" "+text, got, err))
	}
	return lines
}

func TestGoldenDates(t *testing.T) {
	t.Parallel()
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }

	for _, c := range countries {
		add(sayer(c.SayDate).lines(c, "date", "2026-09-01", "2026-09-03")...)
		add(sayer(c.With(voice.WithoutWeekday(), voice.WithYear()).SayDate).lines(c, "day and year", "2031-05-21")...)
	}
	const co = voice.CO
	add(sayer(co.With(voice.WithYear()).SayDate).lines(co, "year",
		"0000-12-31", "0001-01-01", "0711-04-27", "1100-01-01", "1101-01-01", "1492-10-12", "1999-12-31",
		"2000-02-29", "2100-02-28", "9999-12-31")...)
	add(sayer(co.SayDate).lines(co, "date",
		"2026-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00", "2026-1-1", "20260903",
		"2026-09-03T00:00:00Z", "2026-09-031", " 2026-09-03", "2026-09-0x", "２０２６-09-03", "")...)
	for _, pair := range [][2]string{
		{"2026-09-03", "2026-09-05"}, {"2026-09-30", "2026-10-02"}, {"2026-12-31", "2027-01-02"},
		{"2026-09-01", "2026-09-30"}, {"2026-09-03", "2026-09-03"}, {"2026-09-05", "2026-09-03"},
		{"2026-02-30", "2026-03-01"}, {"2026-02-28", "2026-02-29"},
	} {
		for _, option := range []struct {
			name   string
			option voice.Option
		}{{"range", voice.In(nil)}, {"range with year", voice.WithYear()}, {"range with weekday", voice.WithWeekday()}} {
			got, err := co.With(option.option).SayDateRange(pair[0], pair[1])
			add(line(co, option.name+" "+pair[0]+" "+pair[1], got, err))
		}
	}
	got, err := voice.ES.SayDateRange("2026-09-01", "2026-10-01")
	add(line(voice.ES, "range 2026-09-01 2026-10-01", got, err))
	for _, year := range []int{-44, 0, 1, 12026, 1_000_000} {
		day := time.Date(year, 3, 15, 0, 0, 0, 0, time.UTC)
		add(line(co, fmt.Sprint("year ", year), co.With(voice.WithYear()).Date(day), nil))
	}
	golden(t, "dates", lines)
}

func TestGoldenTimes(t *testing.T) {
	t.Parallel()
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }

	for _, c := range []voice.Country{"", voice.CO, voice.MX, voice.AR, voice.ES} {
		add(sayer(c.SayTime).lines(c, "time",
			"00:00", "00:15", "01:00", "05:59", "06:00", "11:45", "12:00", "12:01", "12:30", "12:45",
			"13:00", "18:59", "19:00", "20:00", "21:21", "23:45", "24:00")...)
		add(sayer(c.With(voice.QuarterTo(true), voice.Exact()).SayTime).lines(c, "quarter to, exact",
			"00:45", "09:00", "12:00", "12:45", "18:45", "23:45")...)
		add(sayer(c.SayDateTime).lines(c, "date-time", "2026-09-03T09:00:00-05:00", "2027-01-01T00:00", "2027-01-01 00:30")...)
	}
	add(sayer(voice.ES.With(voice.QuarterTo(false)).SayTime).lines(voice.ES, "not quarter to", "12:45")...)

	const co = voice.CO
	add(sayer(co.SayTime).lines(co, "time",
		"3:30 p. m.", "3:30 p.m.", "3:30PM", "3 pm", "12 a. m.", "12 p. m.", "12 m.", "12:00 m", "15:30 p. m.", "12:30 a.\u00a0m.",
		"09:00:00", "09:00:30", "09:05:20", "12:00:01",
		"25:00", "24:01", "-1:00", "12:60", "12:30:60", "9", "9:5", "9:05:5", "009:00", "5 m", "12:30 m.", "0 am", "13 am", "13:00 a. m.",
		"0:30 pm", "9:00 pmx", "9:00:00:00", "", "mediodía")...)
	add(sayer(co.SayDateTime).lines(co, "date-time",
		"2026-09-03T09:00:00Z", "2026-09-03t09:00z", "2026-09-03 09:00", "2026-09-03T09:00:00.123456789+05:30", "2026-09-03T09:00:00,5-0500",
		"2016-12-31T23:59:60Z", "2016-12-31T18:59:60-05:00", "2016-12-30T23:59:60Z", "2016-12-31T22:59:60Z",
		"2026-09-03T24:00:00Z", "2026-09-03T25:00:00Z", "2026-09-03T9:00:00Z", "2026-09-03T09Z", "2026-09-03T09:00:00+24:00",
		"2026-09-03T09:00:00+05", "2026-09-03T09:00.5Z", "2026-09-03", "2026-02-30T09:00:00Z", "2026-09-03T09:00:00Zz", "ayer")...)
	for _, pair := range [][2]string{
		{"14:00", "16:00"}, {"11:00", "13:00"}, {"09:30", "10:15"}, {"09:00", "12:00"}, {"12:00", "13:00"},
		{"12:30", "15:00"}, {"22:00", "00:00"}, {"23:00", "00:30"}, {"00:30", "23:00"}, {"22:00", "06:00"},
		{"11:00", "09:00"}, {"08:00", "24:00"}, {"2 pm", "4:30 pm"}, {"9:00", "25:00"},
	} {
		got, err := co.SayTimeRange(pair[0], pair[1])
		add(line(co, "range "+pair[0]+" "+pair[1], got, err))
	}
	golden(t, "times", lines)
}

func TestGoldenRelativeDays(t *testing.T) {
	t.Parallel()
	var lines []string
	now := time.Date(2026, 12, 30, 21, 0, 0, 0, zone(t, "America/Bogota"))
	for _, c := range []voice.Country{"", voice.CO, voice.MX, voice.ES} {
		say := sayer(func(text string) (string, error) { return c.SayWhen(text, now) })
		lines = append(lines, say.lines(c, "when",
			"2026-12-27", "2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02",
			"2027-02-15", "2026-01-15", "2025-12-31", "2026-12-31T02:30:00Z", "2026-12-31T05:00:00Z",
			"2027-01-01T09:00", "2027-01-05T16:45:00-05:00", "2027-02-30", "2027-01-01T99:00", "mañana")...)
	}
	golden(t, "relative", lines)
}

func TestGoldenDurations(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, c := range []voice.Country{voice.CO, voice.MX} {
		lines = append(lines, sayer(c.SayDuration).lines(c, "duration",
			"PT60S", "PT1H", "PT21H", "PT21M", "PT31H1M", "P21W", "P1Y2M10DT2H30M", "P1Y0M1D", "P0D", "PT0S", "P0Y0M0DT0H",
			"PT1.5H", "PT0.5H", "P0.5D", "P1.5D", "P0,5Y", "PT2.50M", "PT1.25H", "PT1H2.5M", "PT0.25S", "P1000000D", "PT200H", "-PT5M", "+PT5M",
			"P", "PT", "P1DT", "1D", "PT1D", "P1H", "P1D1Y", "P1M1M", "PT1.5H2M", "PT.5H", "PT5.H", "P1", "pt5m", "--P1D", "P1D ",
			"PT9999999999999999999999999999999999999S", "")...)
	}
	for _, d := range []time.Duration{
		0, time.Nanosecond, time.Millisecond, 250 * time.Millisecond, time.Second, 61*time.Second + 999*time.Millisecond, time.Hour,
		2*time.Hour + 15*time.Minute, 24 * time.Hour, 48 * time.Hour, 48*time.Hour + time.Second, 49 * time.Hour, 72 * time.Hour,
		10*24*time.Hour + 21*time.Hour, -90 * time.Minute, -time.Nanosecond, 1<<63 - 1, -1 << 63,
	} {
		lines = append(lines, line(voice.CO, d.String(), voice.CO.Duration(d), nil))
	}
	golden(t, "durations", lines)
}
