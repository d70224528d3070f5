package voice_test

import (
	"testing"
	"time"

	"github.com/portavoz/portavoz/voice"
)

// measured is a call whose time and allocations are measured.
type measured struct {
	name   string
	allocs float64 // no more and no fewer
	do     func()
}

func measuredDates(tb testing.TB) []measured {
	tb.Helper()
	at := time.Date(2026, 9, 23, 16, 38, 0, 0, time.UTC)
	speaker := voice.MX.With(voice.In(mexicoCity(tb)), voice.WithYear())
	var zones voice.Zones
	buf := make([]byte, 0, 512)
	return []measured{
		{"Append", 0, func() { buf = speaker.AppendDateTime(buf[:0], at) }},
		{"String", 1, func() { _ = speaker.DateTime(at) }},
		{"Country", 1, func() { _ = voice.MX.DateTime(at) }},
		{"AppendSayDateTime", 0, func() { buf, _ = speaker.AppendSayDateTime(buf[:0], "2026-09-23T16:38:00Z") }},
		{"AppendSayTime", 0, func() { buf, _ = speaker.AppendSayTime(buf[:0], "3:30 p. m.") }},
		{"AppendWhen", 0, func() { buf = speaker.AppendWhen(buf[:0], at, at) }},
		{"AppendDateRange", 0, func() { buf = speaker.AppendDateRange(buf[:0], at, at.AddDate(0, 0, 3)) }},
		{"AppendTimeRange", 0, func() { buf = speaker.AppendTimeRange(buf[:0], at, at.Add(time.Hour)) }},
		{"AppendDuration", 0, func() { buf = speaker.AppendDuration(buf[:0], 90*time.Minute) }},
		{"AppendSayDuration", 0, func() { buf, _ = speaker.AppendSayDuration(buf[:0], "P1Y2M10DT2H30.5M") }},
		{"Zone", 0, func() { _, _ = zones.Zone("America/Bogota") }},
	}
}

func measuredDigits() []measured {
	speaker := voice.AR.With(voice.International())
	buf := make([]byte, 0, 512)
	return []measured{
		{"Append", 0, func() { buf, _ = speaker.AppendPhone(buf[:0], "+5491143215678;ext=12") }},
		{"String", 1, func() { _, _ = speaker.Phone("+5491143215678") }},
		{"Country", 1, func() { _, _ = voice.CO.Phone("+573001234567") }},
		{"AppendDigits", 0, func() { buf, _ = speaker.AppendDigits(buf[:0], "482193", 3) }},
		{"AppendPairs", 0, func() { buf, _ = speaker.AppendPairs(buf[:0], "511527") }},
		{"AppendCode", 0, func() { buf, _ = speaker.AppendCode(buf[:0], "A7K-9ñ") }},
		{"AppendSpell", 0, func() { buf = speaker.AppendSpell(buf[:0], "ABC 123") }},
		{"AppendDocument", 0, func() { buf, _ = speaker.AppendDocument(buf[:0], voice.DocRFC, "GODE561231GR8") }},
		{"AppendMasked", 0, func() { buf, _ = speaker.AppendMasked(buf[:0], "**** 4821", 4) }},
	}
}

func BenchmarkDateTime(b *testing.B) { benchmark(b, measuredDates(b)) }

func BenchmarkPhone(b *testing.B) { benchmark(b, measuredDigits()) }

func benchmark(b *testing.B, calls []measured) {
	b.Helper()
	for _, call := range calls {
		b.Run(call.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call.do()
			}
		})
	}
}

// Appending to a buffer that is long enough does not allocate, and a string is
// one allocation.
//
//nolint:paralleltest // AllocsPerRun counts those of the whole process
func TestDateAndDigitAllocations(t *testing.T) {
	for _, call := range append(measuredDates(t), measuredDigits()...) {
		if got := testing.AllocsPerRun(100, call.do); got != call.allocs {
			t.Errorf("%s allocates %v times, want %v", call.name, got, call.allocs)
		}
	}
}
