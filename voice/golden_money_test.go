package voice_test

import (
	"strconv"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// codes are all currencies with a name here, and two without.
var codes = []string{
	"AED", "ANG", "ARS", "AUD", "AWG", "BBD", "BMD", "BOB", "BRL", "BSD", "BZD", "CAD", "CHF", "CLF", "CLP", "CNY", "COP", "COU", "CRC", "CUP",
	"CZK", "DKK", "DOP", "EGP", "EUR", "FKP", "GBP", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "JMD", "JPY", "KRW", "KYD",
	"MAD", "MXN", "MXV", "NIO", "NOK", "NZD", "PAB", "PEN", "PHP", "PLN", "PYG", "RUB", "SAR", "SEK", "SGD", "SRD", "SVC", "THB", "TRY", "TTD",
	"TWD", "USD", "UYI", "UYU", "UYW", "VED", "VES", "XAF", "XCD", "XCG", "XOF", "ZAR", "XBT", "kwd",
}

func TestGoldenMoney(t *testing.T) {
	t.Parallel()
	const co = voice.CO
	var lines []string
	long := co.With(voice.LongNames())
	for _, code := range codes {
		short := sayer(func(text string) (string, error) { return co.Money(text, code) })
		lines = append(lines, short.lines(co, code, "1", "21", "1000000", "2.01")...)
		got, err := long.Money("1200000.50", code)
		lines = append(lines, line(co, code+" long 1200000.50", got, err))
	}
	amounts := []string{
		"0", "-0.00", "0.01", "-0.01", "0.99", "1.00", "-1", "1.01", "-1.01", "101", "1000000.50", "1000001", "1200000", "21000000000000",
		"1e3", "$5", "", "1,5",
	}
	for _, code := range []string{"USD", "CLP", "CLF"} {
		say := sayer(func(text string) (string, error) { return co.Money(text, code) })
		lines = append(lines, say.lines(co, code, amounts...)...)
	}
	ties := []string{
		"89900.4", "89900.50", "89901.5", "2.675", "2.665", "2.6651", "-2.675", "0.005", "-0.004", "0.996", "999999.995",
		"999999999999999999999999999999999999.999",
	}
	for _, tuned := range []struct {
		name    string
		speaker *voice.Speaker
	}{
		{"unrounded", co.With()},
		{"half even", co.With(voice.Round(voice.HalfEven))},
		{"half up", co.With(voice.Round(voice.HalfUp))},
		{"whole, half even", co.With(voice.WholeUnits(voice.HalfEven))},
		{"whole, half up", co.With(voice.Round(voice.HalfEven), voice.WholeUnits(voice.HalfUp))},
	} {
		for _, code := range []string{"USD", "CLP"} {
			say := sayer(func(text string) (string, error) { return tuned.speaker.Money(text, code) })
			lines = append(lines, say.lines(co, tuned.name+" "+code, ties...)...)
		}
	}
	for _, code := range []string{"", "CO", "COPS", "C0P", "$", "ñaa", "pesos"} {
		got, err := co.Money("1", code)
		lines = append(lines, line(co, "currency "+code, got, err))
	}
	golden(t, "money", lines)
}

// written are amounts as people write them.
var written = []string{
	"89900.00", "$ 89.900", "$89,900.00 MXN", "USD 1,234.5", "1.234.567,89", "1,234,567.89", "1.234", "1,234", "1.234,567", "0,125", "12,50", "12.5000",
	"1'234.567", "1’234,567.00", "1\u00a0234\u00a0567,5", "12\u202f345", "1.23.4", "1,2,3", "1234,567.8", "01.234", "0012", "12.345.6", "1.234.56",
	"$1.50", "$ 1,50", "-$500", "$-500", "−500", "$ 500-", "- 500", "(500)", "+5", "$", "", " ", "abc", "$ 89.900.", "89.900,", "$ 5 6", "$25 000", "$ 1 500 000,50", "1 500 000 pesos", "25 000", "2500 000", "25 00", "25 000 5", "5%", "$$5",
	"S/ 12.50", "S/.1,200", "S/N", "Bs 20", "20 Bs.", "L 25", "L25.50", "25 L", "Q 10", "₡1.500", "₲ 50.000", "Gs. 50.000", "B/. 5", "RD$1,500", "C$ 80",
	"R$ 10", "US$ 5", "U$S 5", "5 €", "€5,50", "£5", "$5 USD", "US$ 5 MXN", "$ 5 EUR", "$5 pesos", "COP$ 5.000", "cop 5", "5 COPX", "XBT 5", "500 M.N.", "$5.000 m/cte",
	"10 mil pesos", "$10 mil", "10k", "$10K", "2,5M", "2.5 MM", "2 m", "2,5 millones de euros", "1.234 millones de dólares", "0,05 millones", "3 mil millones de pesos",
	"1 billón de pesos", "100 pesos", "100 Pesos", "1 peso mexicano", "100 pesos colombianos", "100 dólares", "100 dólares canadienses", "100 libras", "100 libras esterlinas",
	"3 soles", "20 bolívares", "20 bolívares digitales", "5 colones", "1 euro", "5 euritos", "cien pesos",
	"123456789012345678901234567890123456", "1234567890123456789012345678901234567", "999999999999999999999999999999999999 mil", "0 mil", "1e6", "５", "5\n", "\x00", "\xff",
}

func TestGoldenWrittenMoney(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, c := range []voice.Country{"", voice.CO, voice.MX, voice.PE, voice.CR, voice.EC, voice.HN, voice.VE, voice.ES} {
		lines = append(lines, sayWritten(c, c.SayMoney)...)
	}
	dollars := voice.CO.With(voice.Tender("USD"))
	lines = append(lines, sayer(dollars.SayMoney).lines(voice.CO, "tender USD", "5", "$5", "5 pesos", "COP 5")...)
	euros := voice.MX.With(voice.Tender("EUR"))
	lines = append(lines, sayer(euros.SayMoney).lines(voice.MX, "tender EUR", "5", "$5", "5 pesos")...)
	lines = append(lines, sayer(voice.AR.SayMoney).lines(voice.AR, "written", "u$s 1.500", "U$S 1.500")...)
	lines = append(lines, sayer(voice.CL.SayMoney).lines(voice.CL, "written", "UF 3,5", "1 UF", "UFO 3")...)
	lines = append(lines, sayer(voice.CO.SayMoney).lines(voice.CO, "written", "21 UVR", "UF 3", "¥ 500")...)
	lines = append(lines, sayer(voice.VE.SayMoney).lines(voice.VE, "written", "Bs.D 50", "Bs. 50")...)
	golden(t, "written_money", lines)
}

// sayWritten says every amount of written, quoted since some are no text.
func sayWritten(c voice.Country, say sayer) []string {
	var lines []string
	for _, text := range written {
		got, err := say(text)
		lines = append(lines, line(c, strconv.Quote(text), got, err))
	}
	return lines
}
