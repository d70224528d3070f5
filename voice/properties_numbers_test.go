package voice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// TestPermutedVectors says the vectors of numbers with their digits in every
// other order: what is right for one number must not be an error for the next.
func TestPermutedVectors(t *testing.T) {
	t.Parallel()
	limit := 6
	if long() {
		limit = 5000
	}
	for _, v := range readVectors(t) {
		input := v.text()
		if _, err := sayNumberVector(t, v); err != nil || strings.HasPrefix(v.Kind, "ordinal") && len(input) > 6 {
			continue
		}
		for _, permuted := range permutations(input, limit) {
			p := v
			p.Input = fmt.Appendf(nil, "%q", permuted)
			got, err := sayNumberVector(t, p)
			if err != nil {
				t.Fatalf("%s, permuted from %s: %v", permuted, input, err)
			}
			if problem := problemOf(got); problem != "" {
				t.Fatalf("%s, permuted from %s: %q %s", permuted, input, got, problem)
			}
		}
	}
}

// permutations returns at most limit different orders of the digits of text, whose other
// characters stay where they are.
func permutations(text string, limit int) []string {
	var places []int
	for i, r := range text {
		if '0' <= r && r <= '9' {
			places = append(places, i)
		}
	}
	var all []string
	var permute func(order []byte, n int)
	permute = func(order []byte, n int) {
		if len(all) >= limit {
			return
		}
		if n == len(places) {
			all = append(all, string(order))
			return
		}
		var tried [256]bool
		for i := n; i < len(places); i++ {
			if tried[order[places[i]]] {
				continue
			}
			tried[order[places[i]]] = true
			order[places[n]], order[places[i]] = order[places[i]], order[places[n]]
			permute(order, n+1)
			order[places[n]], order[places[i]] = order[places[i]], order[places[n]]
		}
	}
	permute([]byte(text), 0)
	return all
}

// TestAppendEqualsString appends after a prefix and wants the prefix and the
// string form, or the prefix alone beside the same error.
func TestAppendEqualsString(t *testing.T) {
	t.Parallel()
	noun := voice.Noun{Singular: "cita", Plural: "citas", Feminine: true}
	for _, s := range []*voice.Speaker{voice.With(), voice.MX.With(voice.LongNames(), voice.Round(voice.HalfUp)), new(voice.Speaker)} {
		for _, text := range append([]string{"21", "-1000000.50", "2.675", "0.00", "x"}, written...) {
			for _, call := range []struct {
				name   string
				text   func() (string, error)
				append func(dst []byte) ([]byte, error)
			}{
				{"Number", func() (string, error) { return s.Number(text) }, func(dst []byte) ([]byte, error) { return s.AppendNumber(dst, text) }},
				{"Decimal", func() (string, error) { return s.Decimal(text) }, func(dst []byte) ([]byte, error) { return s.AppendDecimal(dst, text) }},
				{"Percent", func() (string, error) { return s.Percent(text) }, func(dst []byte) ([]byte, error) { return s.AppendPercent(dst, text) }},
				{"Money", func() (string, error) { return s.Money(text, "USD") }, func(dst []byte) ([]byte, error) { return s.AppendMoney(dst, text, "USD") }},
				{"Money, no name", func() (string, error) { return s.Money(text, "XBT") }, func(dst []byte) ([]byte, error) { return s.AppendMoney(dst, text, "XBT") }},
				{"SayMoney", func() (string, error) { return s.SayMoney(text) }, func(dst []byte) ([]byte, error) { return s.AppendSayMoney(dst, text) }},
				{"Quantity", func() (string, error) { return s.Quantity(text, "h") }, func(dst []byte) ([]byte, error) { return s.AppendQuantity(dst, text, "h") }},
				{"Range", func() (string, error) { return s.Range(text, "22") }, func(dst []byte) ([]byte, error) { return s.AppendRange(dst, text, "22") }},
				{"MoneyRange", func() (string, error) { return s.MoneyRange("21", text, "GBP") }, func(dst []byte) ([]byte, error) { return s.AppendMoneyRange(dst, "21", text, "GBP") }},
				{"MoneyRange, no name", func() (string, error) { return s.MoneyRange("21", text, "XBT") }, func(dst []byte) ([]byte, error) { return s.AppendMoneyRange(dst, "21", text, "XBT") }},
				{"MoneyRange, no code", func() (string, error) { return s.MoneyRange(text, "22", "?") }, func(dst []byte) ([]byte, error) { return s.AppendMoneyRange(dst, text, "22", "?") }},
				{"QuantityRange", func() (string, error) { return s.QuantityRange(text, "22", "%") }, func(dst []byte) ([]byte, error) { return s.AppendQuantityRange(dst, text, "22", "%") }},
			} {
				checkAppend(t, call.name+" "+text, call.text, call.append)
			}
		}
		for _, n := range []int64{0, 1, -21, 1_000_000, 101_000, -1 << 63} {
			for _, call := range []struct {
				name, text string
				appended   []byte
			}{
				{"Int", s.Int(n, voice.Feminine), s.AppendInt([]byte("> "), n, voice.Feminine)},
				{"Uint", s.Uint(uint64(n)), s.AppendUint([]byte("> "), uint64(n))},
				{"Count", s.Count(n, noun), s.AppendCount([]byte("> "), n, noun)},
				{"Ordinal", s.Ordinal(n), s.AppendOrdinal([]byte("> "), n)},
				{"Year", s.Year(int(n)), s.AppendYear([]byte("> "), int(n))},
			} {
				if string(call.appended) != "> "+call.text || problemOf(call.text) != "" {
					t.Errorf("%s(%d) = %q, appended %q: %s", call.name, n, call.text, call.appended, problemOf(call.text))
				}
			}
			for _, code := range []string{"PEN", "CLP", "CLF", "XBT"} {
				checkAppend(t, fmt.Sprint("MoneyMinor ", n, code), func() (string, error) { return s.MoneyMinor(n, code) },
					func(dst []byte) ([]byte, error) { return s.AppendMoneyMinor(dst, n, code) })
			}
		}
	}
}

func checkAppend(t *testing.T, name string, say func() (string, error), add func([]byte) ([]byte, error)) {
	t.Helper()
	text, textErr := say()
	appended, appendErr := add([]byte("> "))
	if string(appended) != "> "+text || fmt.Sprint(textErr) != fmt.Sprint(appendErr) {
		t.Errorf("%s = %q, %v, but appended %q, %v", name, text, textErr, appended, appendErr)
	}
	if problem := problemOf(text); textErr == nil && problem != "" {
		t.Errorf("%s = %q: %s", name, text, problem)
	}
}
