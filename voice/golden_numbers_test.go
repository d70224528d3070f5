package voice_test

import (
	"fmt"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

func TestGoldenCardinals(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, f := range forms {
		say := sayer(func(text string) (string, error) { return voice.Number(text, f.form) })
		lines = append(lines, say.lines("", f.name,
			"0", "-0", "007", "1", "11", "15", "16", "21", "22", "23", "26", "31", "100", "101", "111", "121", "200", "500", "700", "900", "901",
			"1000", "1001", "1100", "2000", "21000", "31031", "100001", "101000", "121021", "200000", "201021", "721000", "999999",
			"1000000", "1000001", "1200200", "21000021", "500500500", "1000000000", "1001000000", "21021000000", "1000001000000",
			"-9223372036854775808", "18446744073709551615", "1000000000000000000", "1000000000000000000000000",
			"999999999999999999999999999999999999", "1.5", "-21.21", "200.05")...)
	}
	lines = append(lines, sayer(func(text string) (string, error) { return voice.Number(text) }).lines("", "refused",
		"1000000000000000000000000000000000000", "", "-", "--1", "+1", "1e3", "1.", ".5", "1,5", "1.2.3", " 1", "1 ", "0x10", "１", "NaN", "uno")...)
	for _, year := range []int{-44, 0, 1, 711, 1492, 1900, 1991, 2000, 2001, 2026, 10000} {
		lines = append(lines, line("", fmt.Sprint("year ", year), voice.Year(year), nil))
	}
	golden(t, "cardinals", lines)
}

func TestGoldenCounts(t *testing.T) {
	t.Parallel()
	nouns := []voice.Noun{
		{Singular: "peso", Plural: "pesos"},
		{Singular: "cita", Plural: "citas", Feminine: true},
		{Singular: "aula", Plural: "aulas", Feminine: true, TonicA: true},
	}
	var lines []string
	for _, noun := range nouns {
		for _, n := range []int64{
			-21, -1, 0, 1, 2, 21, 31, 100, 101, 121, 200, 1000, 1001, 21000, 31001, 201021,
			1_000_000, 1_000_001, 1_200_000, 2_000_000, 21_000_000, 1_000_000_000, 1_000_000_000_000, -2_000_000,
		} {
			lines = append(lines, line("", fmt.Sprint("count ", n), voice.Count(n, noun), nil))
		}
	}
	golden(t, "counts", lines)
}

func TestGoldenOrdinals(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, f := range forms {
		for n := range int64(132) {
			lines = append(lines, line("", fmt.Sprint(f.name, " ", n), voice.Ordinal(n, f.form), nil))
		}
		for _, n := range []int64{
			-1, 200, 211, 300, 321, 400, 500, 555, 600, 666, 700, 800, 813, 900, 999, 1000, 1001, 1100, 2000, 2011, 10_000,
			16_000, 21_000, 22_000, 31_003, 45_000, 99_000, 100_000, 101_000, 123_456, 500_000, 999_999, 1_000_000, 1_000_001,
		} {
			lines = append(lines, line("", fmt.Sprint(f.name, " ", n), voice.Ordinal(n, f.form), nil))
		}
	}
	golden(t, "ordinals", lines)
}

func TestGoldenDecimals(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, c := range countries {
		lines = append(lines, sayer(c.Decimal).lines(c, "decimal", "0.5", "-21.07")...)
	}
	const co = voice.CO
	texts := []string{
		"0", "0.0", "-0.00", "-0.5", "1.0", "1.00", "1.10", "1.1", "0.01", "0.001", "3.14", "3.141", "4.0016", "10.50", "21000.75", "1000000.1",
		"00.10", "0.000000000000000000000000000000000001", "0.0000000000000000000000000000000000001", "1..2", "1.-2", "−1.5",
	}
	lines = append(lines, sayer(co.Decimal).lines(co, "decimal", texts...)...)
	lines = append(lines, sayer(co.Percent).lines(co, "percent", "0", "1", "21", "-5", "99.99", "100", "1000000", "0.5", "12.75", "1.", "%")...)
	golden(t, "decimals", lines)
}

func TestGoldenQuantities(t *testing.T) {
	t.Parallel()
	const co = voice.CO
	var lines []string
	for _, unit := range []string{
		"km", "m", "cm", "mm", "µm", "m²", "km2", "m3", "ha", "L", "l", "mL", "gal", "t", "kg", "g", "mg", "mcg", "µg", "μg", "lb", "oz",
		"h", "hrs", "min", "s", "ms", "°", "°C", "ºC", "°F", "mmHg", "B", "MB", "GB", "TB", "Mbps", "MB/s", "kW", "kWh", "V", "mAh", "GHz",
		"kcal", "km/h", "m/s", "mph", "rpm", "mg/dL", "ppm", "UI", "mi", "ft", "in", "yd", "%", "Kilo", "M", "", " km",
	} {
		say := sayer(func(text string) (string, error) { return co.Quantity(text, unit) })
		lines = append(lines, say.lines(co, unit, "1", "21")...)
	}
	for _, amount := range []string{"-1", "0", "1.0", "0.5", "1.5", "21.5", "200.5", "200", "21000", "200000", "1000000", "1000000.5", "2000001", "x"} {
		for _, unit := range []string{"km", "h", "°C", "t"} {
			got, err := co.Quantity(amount, unit)
			lines = append(lines, line(co, amount+" "+unit, got, err))
		}
	}
	golden(t, "quantities", lines)
}

func TestGoldenRanges(t *testing.T) {
	t.Parallel()
	const co = voice.CO
	var lines []string
	for _, pair := range [][2]string{
		{"10", "12"}, {"10000", "12000"}, {"100000", "200000"}, {"11000", "30000"}, {"21000", "30000"}, {"1000", "2000"}, {"900", "1000"},
		{"1000000", "2000000"}, {"2000000", "3000000"}, {"2000000", "2500000"}, {"2000000000", "3000000000"}, {"2000000000000", "3000000000000"},
		{"1", "2"}, {"0", "1"}, {"-5", "3"}, {"-5", "-3"}, {"-3", "-5"}, {"-2000", "2000"}, {"1.5", "2.5"}, {"10.50", "12"}, {"5", "5.00"}, {"12", "10"}, {"a", "1"}, {"1", ""},
	} {
		for _, what := range []struct {
			name string
			say  func(lo, hi string) (string, error)
		}{
			{"numbers", func(lo, hi string) (string, error) { return co.Range(lo, hi) }},
			{"numbers from", func(lo, hi string) (string, error) { return co.With(voice.FromTo()).Range(lo, hi, voice.Feminine) }},
			{"COP", func(lo, hi string) (string, error) { return co.MoneyRange(lo, hi, "COP") }},
			{"GBP", func(lo, hi string) (string, error) { return co.MoneyRange(lo, hi, "GBP") }},
			{"XBT", func(lo, hi string) (string, error) { return co.MoneyRange(lo, hi, "XBT") }},
			{"h", func(lo, hi string) (string, error) { return co.QuantityRange(lo, hi, "h") }},
			{"%", func(lo, hi string) (string, error) { return co.QuantityRange(lo, hi, "%") }},
		} {
			got, err := what.say(pair[0], pair[1])
			lines = append(lines, line(co, what.name+" "+pair[0]+" "+pair[1], got, err))
		}
	}
	golden(t, "ranges", lines)
}

func TestGoldenLists(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, items := range [][]string{
		nil, {"uno"}, {"uno", "dos"}, {"uno", "dos", "tres"}, {"", "uno", "", "dos", ""}, {"agujas", "hilos"}, {"agua", "hielo"}, {"padre", "hijo"},
		{"aceite", "iones"}, {"Dédalo", "Ícaro"}, {"uno", "«iglesias»"}, {"Ana", "Yvonne"}, {"Ana", "Yolanda"}, {"tú", "y"}, {"a", "i"},
		{"siete", "ocho"}, {"ayer", "hoy"}, {"uno", "¿otro?"}, {"mujer", "Hombre"}, {"uno", "3"},
	} {
		lines = append(lines,
			line("", fmt.Sprintf("%q and", items), voice.Join(items...), nil),
			line("", fmt.Sprintf("%q or", items), voice.JoinOr(items...), nil),
			line("", fmt.Sprintf("%q two of 8", items), voice.Top(items, 2, 8), nil),
			line("", fmt.Sprintf("%q two, feminine", items), voice.Top(items, 2, 0, voice.Feminine), nil),
			line("", fmt.Sprintf("%q none", items), voice.Top(items, -1, -1), nil))
	}
	golden(t, "lists", lines)
}
