package voice_test

import (
	"math/big"
	"strconv"
	"testing"

	"github.com/portavoz/portavoz/voice"
)

// sayNumberVector answers the vectors of numbers, money and quantities.
func sayNumberVector(tb testing.TB, v vector) (string, error) {
	tb.Helper()
	speaker := v.Options.Country.With(numberOptions(&v.Options)...)
	text := v.text()
	switch v.Kind {
	case "cardinal_masc", "cardinal_fem", "cardinal_noun_masc":
		if v.Options.Noun != nil {
			n, err := strconv.ParseInt(text, 10, 64)
			return speaker.Count(n, v.Options.Noun.noun()), err
		}
		return sayCardinal(tb, speaker, text, v.Options.form())
	case "ordinal_masc", "ordinal_fem":
		n, err := strconv.ParseInt(text, 10, 64)
		return speaker.Ordinal(n, v.Options.form()), err
	case "money":
		return speaker.Money(text, v.Options.Currency)
	case "decimal":
		return speaker.Decimal(text)
	case "percent":
		return speaker.Percent(text)
	case "quantity":
		return speaker.Quantity(text, v.Options.Unit)
	case "year":
		n, err := strconv.Atoi(text)
		return speaker.Year(n), err
	default:
		return "", errUnknownKind
	}
}

// sayCardinal asks every function that takes the number and wants one answer.
func sayCardinal(tb testing.TB, speaker *voice.Speaker, text string, form voice.Form) (string, error) {
	tb.Helper()
	got, err := speaker.Number(text, form)
	if n, ok := new(big.Int).SetString(text, 10); ok {
		if big, bigErr := speaker.Big(n, form); big != got || bigErr != nil {
			tb.Errorf("Big(%s) = %q, %v, but Number says %q", text, big, bigErr, got)
		}
		if n.IsInt64() && speaker.Int(n.Int64(), form) != got {
			tb.Errorf("Int(%s) = %q, but Number says %q", text, speaker.Int(n.Int64(), form), got)
		}
		if n.IsUint64() && speaker.Uint(n.Uint64(), form) != got {
			tb.Errorf("Uint(%s) = %q, but Number says %q", text, speaker.Uint(n.Uint64(), form), got)
		}
	}
	return got, err
}

func numberOptions(o *vectorOptions) []voice.Option {
	var options []voice.Option
	if o.Name == "long" {
		options = append(options, voice.LongNames())
	}
	switch o.Rounding {
	case "half_up":
		options = append(options, voice.Round(voice.HalfUp))
	case "half_even":
		options = append(options, voice.Round(voice.HalfEven))
	}
	return options
}

func (o *vectorOptions) form() voice.Form {
	form := voice.Masculine
	if o.Gender == "f" {
		form |= voice.Feminine
	}
	if o.BeforeNoun {
		form |= voice.BeforeNoun
	}
	return form
}

func (n *vectorNoun) noun() voice.Noun {
	return voice.Noun{Singular: n.Singular, Plural: n.Plural, Feminine: n.Gender == "f", TonicA: n.TonicA}
}
