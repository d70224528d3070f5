package voice_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// checkNumber wants a good text, or nothing beside one of the documented
// errors.
func checkNumber(t *testing.T, what, got string, err error) {
	t.Helper()
	if err == nil {
		if problem := problemOf(got); problem != "" {
			t.Errorf("%s = %q: %s", what, got, problem)
		}
		return
	}
	var parse *voice.ParseError
	if got != "" || !errors.As(err, &parse) {
		t.Errorf("%s = %q, %v (%T), want an empty text and a ParseError", what, got, err, err)
	}
	for _, known := range []error{voice.ErrSyntax, voice.ErrRange, voice.ErrAmbiguous, voice.ErrUnknown} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Errorf("%s: %v is none of the documented errors", what, err)
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"0", "-21", "1000000", "3.14", "-0.0", "007", "1e3", "999999999999999999999999999999999999", "1.", "−1.5", "x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := voice.Number(text)
		checkNumber(t, "Number("+text+")", got, err)
		percent, percentErr := voice.Percent(text)
		checkNumber(t, "Percent("+text+")", percent, percentErr)
		if (err == nil) != (percentErr == nil) || err == nil && percent != got+" por ciento" {
			t.Errorf("Number(%q) = %q, %v, but Percent says %q, %v", text, got, err, percent, percentErr)
		}
		n, ok := new(big.Int).SetString(text, 10)
		if err != nil || !ok {
			return
		}
		if want := (reference{}).say(n); got != want {
			t.Errorf("Number(%q) = %q, want %q", text, got, want)
		}
	})
}

func FuzzInt(f *testing.F) {
	for _, seed := range []int64{0, 1, -21, 1_000_000, 201_021, -1 << 63, 1<<63 - 1} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		for _, form := range forms {
			if got, want := voice.Int(n, form.form), form.reference.say(big.NewInt(n)); got != want {
				t.Errorf("Int(%d), %s = %q, want %q", n, form.name, got, want)
			}
			if got := voice.Ordinal(n, form.form); problemOf(got) != "" {
				t.Errorf("Ordinal(%d), %s = %q: %s", n, form.name, got, problemOf(got))
			}
		}
	})
}

func FuzzMoney(f *testing.F) {
	for _, seed := range []string{"89900", "-0.05", "2.675", "999999999999999999999999999999999999.999", "1e3"} {
		f.Add(seed, "USD", uint8(0))
		f.Add(seed, "clp", uint8(1))
		f.Add(seed, "XBT", uint8(4))
	}
	f.Fuzz(func(t *testing.T, amount, currency string, mode uint8) {
		rounding := voice.Rounding(mode % 3)
		s := voice.CO.With(voice.Round(rounding))
		if mode%2 == 1 {
			s = voice.CO.With(voice.WholeUnits(rounding), voice.LongNames())
		}
		got, err := s.Money(amount, currency)
		checkNumber(t, "Money("+amount+", "+currency+")", got, err)
		got, err = s.MoneyRange("1.5", amount, currency)
		checkNumber(t, "MoneyRange(1.5, "+amount+", "+currency+")", got, err)
		got, err = s.Quantity(amount, currency)
		checkNumber(t, "Quantity("+amount+", "+currency+")", got, err)
		got, err = s.QuantityRange(amount, "2000000", "t")
		checkNumber(t, "QuantityRange("+amount+", 2000000, t)", got, err)
	})
}

func FuzzParseMoney(f *testing.F) {
	for _, seed := range written {
		f.Add(seed, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		c := countries[int(which)%len(countries)]
		amount, err := c.ParseMoney(text)
		got, sayErr := c.SayMoney(text)
		checkNumber(t, "SayMoney("+text+")", got, sayErr)
		if (err == nil) != (sayErr == nil) {
			t.Fatalf("%q: ParseMoney: %v, but SayMoney: %v", text, err, sayErr)
		}
		if err != nil {
			return
		}
		if again, err := c.Money(amount.Value, amount.Currency); err != nil || again != got {
			t.Errorf("SayMoney(%q) = %q, but Money%v says %q, %v", text, got, amount, again, err)
		}
	})
}

func FuzzJoin(f *testing.F) {
	f.Add("agujas", "hilos", 2)
	f.Add("siete", "¿ocho", -1)
	f.Add("", "\xff", 9)
	f.Fuzz(func(t *testing.T, a, b string, n int) {
		if and, or := voice.Join(a, b), voice.JoinOr(a, b); len(and) < len(a)+len(b) || len(or) != len(and) {
			t.Errorf("Join(%q, %q) = %q, JoinOr %q: words are missing", a, b, and, or)
		}
		voice.Top([]string{a, b}, n, n)
	})
}
