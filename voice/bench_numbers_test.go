package voice_test

import (
	"testing"

	"github.com/portavoz/portavoz/voice"
)

func measuredCardinals() []measured {
	s := voice.With()
	buf := make([]byte, 0, 512)
	text := make([]string, 1) // results that are thrown away are never allocated
	n := uint64(1)
	return []measured{
		{"Append", 0, func() {
			n = (n*6364136223846793005 + 1442695040888963407) // every length to 10^9, as they come
			buf = s.AppendInt(buf[:0], int64(n>>33%1_000_000_000))
		}},
		{"Append999999999", 0, func() { buf = s.AppendInt(buf[:0], 999_999_999) }},
		{"AppendFeminine", 0, func() { buf = s.AppendInt(buf[:0], 721_221_021, voice.Feminine) }},
		{"AppendUint", 0, func() { buf = s.AppendUint(buf[:0], 1<<64-1) }},
		{"AppendCount", 0, func() {
			buf = s.AppendCount(buf[:0], 200_000, voice.Noun{Singular: "cita", Plural: "citas", Feminine: true})
		}},
		{"String", 1, func() { text[0] = s.Int(89_900) }},
		{"Country", 1, func() { text[0] = voice.CO.Int(89_900) }},
		{"Package", 1, func() { text[0] = voice.Int(89_900) }},
	}
}

func measuredOrdinals() []measured {
	s := voice.With()
	buf := make([]byte, 0, 512)
	text := make([]string, 1) // results that are thrown away are never allocated
	return []measured{
		{"Append", 0, func() { buf = s.AppendOrdinal(buf[:0], 123) }},
		{"AppendThousands", 0, func() { buf = s.AppendOrdinal(buf[:0], 123_456) }},
		{"String", 1, func() { text[0] = s.Ordinal(123, voice.Feminine) }},
	}
}

func measuredDecimals() []measured {
	s := voice.MX.With(voice.WholeUnits(voice.HalfEven))
	buf := make([]byte, 0, 512)
	return []measured{
		{"Append", 0, func() { buf, _ = s.AppendDecimal(buf[:0], "-1234.56") }},
		{"AppendPercent", 0, func() { buf, _ = s.AppendPercent(buf[:0], "12.75") }},
		{"AppendQuantity", 0, func() { buf, _ = s.AppendQuantity(buf[:0], "80.5", "km/h") }},
		{"AppendRange", 0, func() { buf, _ = s.AppendRange(buf[:0], "10000", "12000") }},
		{"String", 1, func() { _, _ = s.Decimal("-1234.56") }},
		{"Country", 1, func() { _, _ = voice.CO.Decimal("-1234.56") }},
	}
}

func measuredMoney() []measured {
	s := voice.CO.With(voice.LongNames(), voice.Round(voice.HalfEven))
	buf := make([]byte, 0, 512)
	return []measured{
		{"Append", 0, func() { buf, _ = s.AppendMoney(buf[:0], "89900.00", "COP") }},
		{"AppendCents", 0, func() { buf, _ = s.AppendMoney(buf[:0], "1200000.755", "USD") }},
		{"AppendMinor", 0, func() { buf, _ = s.AppendMoneyMinor(buf[:0], 155_099, "PEN") }},
		{"AppendSay", 0, func() { buf, _ = s.AppendSayMoney(buf[:0], "$ 1.234.567,89") }},
		{"AppendSayWords", 0, func() { buf, _ = s.AppendSayMoney(buf[:0], "2,5 millones de pesos colombianos") }},
		{"AppendRange", 0, func() { buf, _ = s.AppendMoneyRange(buf[:0], "10000", "12000", "COP") }},
		{"Parse", 1, func() { _, _ = s.ParseMoney("$ 89.900") }},
		{"String", 1, func() { _, _ = s.Money("89900.00", "COP") }},
		{"Country", 1, func() { _, _ = voice.CO.Money("89900.00", "COP") }},
	}
}

func BenchmarkCardinal(b *testing.B) { benchmark(b, measuredCardinals()) }

func BenchmarkOrdinal(b *testing.B) { benchmark(b, measuredOrdinals()) }

func BenchmarkDecimal(b *testing.B) { benchmark(b, measuredDecimals()) }

func BenchmarkMoney(b *testing.B) { benchmark(b, measuredMoney()) }

//nolint:paralleltest // AllocsPerRun counts those of the whole process
func TestNumberAllocations(t *testing.T) {
	calls := append(measuredCardinals(), measuredOrdinals()...)
	calls = append(append(calls, measuredDecimals()...), measuredMoney()...)
	for _, call := range calls {
		if got := testing.AllocsPerRun(100, call.do); got != call.allocs {
			t.Errorf("%s allocates %v times, want %v", call.name, got, call.allocs)
		}
	}
}
