package middleware

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/portavoz/portavoz/errors"
	"github.com/portavoz/portavoz/paginate"
	"github.com/portavoz/portavoz/voice"
)

// VoiceConfig tunes [Voice]. The zero value is what Asixto Gateway asks for, in
// neutral Latin American Spanish.
type VoiceConfig struct {
	// Always shapes every result, whatever its channel. Default: only results
	// of calls whose channel is voice.
	Always bool
	// MaxItems is how many elements any list keeps. Default: 3, as nobody
	// remembers more of what is heard, and the gateway's contract forbids it.
	MaxItems int

	// Country decides how numbers, times and phones are said. Default: neutral
	// Latin American Spanish.
	Country voice.Country
	// Options change the country's way of speaking. Amounts and quantities are
	// rounded to whole units, ties upwards, unless an option says otherwise.
	Options []voice.Option
	// Zone is the time zone of a call that names none, or one that is not
	// known. Default: a time is said with the offset that it is written with.
	Zone *time.Location
	// Zones finds the time zones that calls name. Default: one of its own.
	Zones *voice.Zones
	// Now is the clock: a date of another year is said with its year. Default:
	// [time.Now].
	Now func() time.Time

	// Page are the names that the members of a page have, see [paginate.Names].
	// Default: those of the contract, and "siguiente_offset".
	Page paginate.Names
	// Suffix makes the name of the text that is said for a member. Default:
	// "_texto".
	Suffix string
	// Fields say how members are read aloud. They win over the schema's
	// "x-portavoz" and over what names and values suggest; of two that fit, the
	// one for a tool wins, then the one with a path, then the first.
	Fields []VoiceField

	// OnRemoved is given what the texts of one result lost, each piece once, so
	// that it can be sent by chat. It is called in the call's goroutine before
	// the result is returned, and again on a replay: one who sends by it keys
	// the message to the operation. Default: what is removed is lost.
	OnRemoved func(ctx context.Context, pieces []voice.Piece)
}

// VoiceField says how members of results are read aloud.
type VoiceField struct {
	// Tool limits the rule to one tool. Default: every tool.
	Tool string
	// Field is the name of a member wherever it lies ("saldo"), or the path to
	// it from the root, where lists add nothing ("resultados.plan.valor").
	Field string
	// As is how it is read.
	As ReadAs
	// Currency is the currency of an amount that has none in the data, an ISO
	// 4217 code. Default: the call's currency.
	Currency string
}

// ReadAs is how a member is read aloud. The same words stand in "x-portavoz",
// the annotation of an output schema.
type ReadAs string

// The ways of reading.
const (
	// ReadMoney is an amount: decimal text, a number, or as people write it
	// ("$ 89.900"), in the currency that lies nearest.
	ReadMoney ReadAs = "money"
	// ReadDate is a date, a date-time, a time of day or a duration, as ISO 8601
	// writes it.
	ReadDate ReadAs = "date"
	// ReadPhone is a phone number.
	ReadPhone ReadAs = "phone"
	// ReadDigits is a code or a number that is read digit by digit and letter by
	// letter.
	ReadDigits ReadAs = "digits"
	// ReadSkip is a value that nobody hears: it is left alone, and so is
	// everything inside of it but the length of lists.
	ReadSkip ReadAs = "skip"
)

func (r ReadAs) known() bool {
	switch r {
	case ReadMoney, ReadDate, ReadPhone, ReadDigits, ReadSkip:
		return true
	}
	return false
}

// check returns all that is wrong with the configuration.
func (cfg *VoiceConfig) check() error {
	var problems []error
	if cfg.MaxItems < 0 {
		problems = append(problems, fmt.Errorf("the field MaxItems is %d", cfg.MaxItems))
	}
	if _, err := voice.ParseCountry(string(cfg.Country)); err != nil {
		problems = append(problems, fmt.Errorf("the field Country: %w", err))
	}
	for i, f := range cfg.Fields {
		if f.Field == "" || strings.HasPrefix(f.Field, ".") || strings.HasSuffix(f.Field, ".") {
			problems = append(problems, fmt.Errorf("rule %d of Fields is for the field %q", i, f.Field))
		}
		if !f.As.known() {
			problems = append(problems, fmt.Errorf("rule %d of Fields reads as %q, which is no way of reading", i, string(f.As)))
		}
		if f.Currency != "" && !isCurrency(f.Currency) {
			problems = append(problems, fmt.Errorf("rule %d of Fields has the currency %q, which is no ISO 4217 code", i, f.Currency))
		}
	}
	return errors.Join(problems...)
}
